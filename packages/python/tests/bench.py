"""Measures verdicts from Python beside other parsers, in one run, and writes a table.

    python bench.py [--write FILE]

Two tasks, on the same files: parse a file and answer about one URL; answer about many URLs from a parsed file. The
first column is the time of robots-verdicts, and the others are ratios to it. The second column is robots-verdicts with
compiled rules. The figures are medians of rounds in which all parsers take turns, so that the load of the machine
affects all of them equally.
"""

import argparse
import os
import statistics
import sys
import time
from importlib.metadata import version
from urllib.robotparser import RobotFileParser

import fastrobots
import robots_verdicts
from jwm.robotstxt.googlebot import RobotsMatcher
from protego import Protego

AGENT = "examplebot"
ROUNDS = 15


def files():
    """Yields files of common sizes: with 8, 160 and 4,000 rules, some with wildcards, for 1, 8 and 40 crawlers."""
    for name, groups, rules in (("small", 1, 8), ("middle", 8, 20), ("large", 40, 100)):
        lines = []
        for group in range(groups):
            agent = "*" if group == groups - 1 else f"bot{group}"
            lines.append(f"user-agent: {agent}")
            for rule in range(rules):
                kind = "allow" if rule % 5 == 4 else "disallow"
                tail = ("/", "*.html", "/*?session=", "$")[rule % 4]
                lines.append(f"{kind}: /section{rule}/part{rule % 7}{tail}")
            lines.append("")
        yield name, "\n".join(lines)


def urls():
    return [f"https://example.com/section{number % 30}/part{number % 7}/page{number}.html?id={number}" for number in range(200)]


def verdicts(text):
    robots = robots_verdicts.parse(text)
    return lambda url: robots.allows(AGENT, url)


def verdicts_rules(text):
    return robots_verdicts.parse(text).rules_for(AGENT).allows


def protego(text):
    robots = Protego.parse(text)
    return lambda url: robots.can_fetch(url, AGENT)


def urllib(text):
    robots = RobotFileParser()
    robots.parse(text.splitlines())
    return lambda url: robots.can_fetch(AGENT, url)


def jwm(text):
    octets, matcher = text.encode(), RobotsMatcher()
    # The library keeps no parsed file: it parses the file again for each question.
    return lambda url: matcher.OneAgentAllowedByRobots(octets, AGENT, url)


def fast_robots(text):
    robots = fastrobots.Robots.parse(text).agent(AGENT)
    # The library expects path and query instead of a whole URL. For a whole URL, its answer is the answer for a path
    # that matches no rule.
    return lambda url: robots.allowed(fastrobots.url_path(url))


PARSERS = {
    f"robots-verdicts {version('robots-verdicts')}": verdicts,
    "the same, rules compiled": verdicts_rules,
    f"Protego {version('Protego')}": protego,
    f"jwm.robotstxt {version('jwm.robotstxt')}": jwm,
    f"fastrobots {version('fastrobots')}": fast_robots,
    f"urllib.robotparser {sys.version.split()[0]}": urllib,
}


def seconds(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def measure(text):
    """Returns the seconds that each parser needs: to read a file and answer one question, and to answer a question
    about a parsed file."""
    asked = urls()
    fresh = {name: [] for name in PARSERS}
    many = {name: [] for name in PARSERS}
    for _ in range(ROUNDS):
        for name, parser in PARSERS.items():
            fresh[name].append(min(seconds(lambda: parser(text)(asked[0])) for _ in range(3)))
            allows = parser(text)
            many[name].append(seconds(lambda: [allows(url) for url in asked]) / len(asked))
    return [{name: statistics.median(times) for name, times in task.items()} for task in (fresh, many)]


def table():
    lines = ["| file | task | " + " | ".join(PARSERS) + " |", "|---|---|" + "--:|" * len(PARSERS)]
    for name, text in files():
        for task, times in zip(("read it, ask once", "ask a parsed one"), measure(text)):
            ours = times[next(iter(PARSERS))]
            cells = [f"{ours * 1e6:.1f} µs" if time == ours else f"× {time / ours:.1f}" for time in times.values()]
            lines.append(f"| {name}, {len(text.encode()) / 1000:.1f} kB | {task} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main(description, table, mark):
    arguments = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--write", metavar="FILE", help="put the table between the marks of this file")
    file = arguments.parse_args().write
    text = table()
    print(text)
    if file:
        begin, end = f"<!-- {mark}: written by {os.path.basename(sys.argv[0])} -->", f"<!-- end of {mark} -->"
        with open(file, encoding="utf-8") as opened:
            before, rest = opened.read().split(begin)
        after = rest.split(end)[1]
        with open(file, "w", encoding="utf-8") as opened:
            opened.write(f"{before}{begin}\n\n{text}\n\n{end}{after}")


if __name__ == "__main__":
    main(__doc__, table, "bench")
