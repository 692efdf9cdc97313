"""Asks Google's published C++ library, through `jwm.robotstxt`, and records its answers.

The observed profile `google-cpp` is the behaviour of this library. Start at `main`. Needs an interpreter with
`jwm.robotstxt`; `cargo xtask observe` makes one.

    observe.py triples SEED COUNT [LONG]   random questions and the answers, one on each line; at most LONG of
                                           them about files beyond 4 KiB
    observe.py cases FOLDER                the answers to the suite's verdict questions, in the format of
                                           spec-cases/observed/google-cpp.yaml; `robots-conformance copy`
                                           writes the folder
    observe.py compare SEED COUNT -- COMMAND...
                                           asks a subject of the protocol the same questions, and prints the
                                           differences

A triple is a line of five columns, separated by tabs: the file, the crawler's product tokens (separated
by `|`), the URL, `allow` or `disallow`, and the deciding line, or 0 if no line decided. In the first three columns,
`\\n`, `\\r`, `\\t`, `\\\\` and `\\xNN` mean octets.
"""

import base64
import itertools
import json
import random
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from jwm.robotstxt.googlebot import RobotsMatcher

ORACLE = "jwm.robotstxt"


def main(arguments):
    match arguments:
        case ["triples", seed, count, *long] if len(long) < 2:
            print(f"# {ORACLE} {version(ORACLE)}, seed {seed}")
            more = int(*long) if long else int(count)
            for octets, tokens, url in triples(int(seed), int(count)):
                more -= len(octets) > 4096
                if len(octets) > 4096 and more < 0:
                    continue
                allowed, line = observed(octets, tokens, url)
                print(triple(octets, tokens, url, allowed, line))
        case ["cases", folder]:
            print(HEAD.format(oracle=ORACLE, version=version(ORACLE)))
            print(*sorted(cases(Path(folder))), sep="\n")
        case ["compare", seed, count, "--", *command] if command:
            return compare(int(seed), int(count), command)
        case _:
            sys.exit(__doc__)
    return 0


def observed(octets, tokens, url):
    """The verdict of Google's library, and the deciding line, or 0 if no line decided."""
    matcher = RobotsMatcher()
    allowed = matcher.AllowedByRobots(octets, tokens, url)
    return allowed, matcher.matching_line()


HEAD = """\
# The answers of Google's published C++ library to the verdict questions of the suite, for people who port it. No
# document decides these answers, and totals count them only if the profile is requested.
#
# The keys are names of trials: area::case::google-cpp. If a case lists URLs, for example under `allowed`, `::` and the
# URL follow. `line` is the deciding line. The library also names the line of a rule without a path, although such a rule
# decides nothing.
#
# Written by conformance/google-cpp/observe.py; do not edit.
profile: google-cpp
oracle: {oracle}
version: {version}
verdicts:"""


def cases(folder):
    """Answers every verdict question of the suite once, although there is a trial of it for each edition."""
    seen = set()
    for line in (folder / "questions.jsonl").open(encoding="utf-8"):
        trial = json.loads(line)
        area, case, _, *member = trial["name"].split("::", 3)
        name = "::".join([area, case, "google-cpp", *member])
        question = trial["question"]
        if question["ask"] == "verdict" and name not in seen:
            seen.add(name)
            octets = body(question, folder)
            allowed, line = observed(octets, question["crawler"], question["url"])
            deciding = f", line: {line}" if line > 0 else ""
            yield f"  {json.dumps(name, ensure_ascii=False)}: {{ verdict: {word(allowed)}{deciding} }}"


def body(question, folder):
    """The octets of the robots.txt of a question. A large robots.txt is a separate file in the folder."""
    if "robots_txt_file" in question:
        return (folder / question["robots_txt_file"]).read_bytes()
    return base64.b64decode(question["robots_txt"], validate=True)


def word(allowed):
    return "allow" if allowed else "disallow"


def triple(octets, tokens, url, allowed, line):
    columns = [octets, "|".join(tokens).encode(), url.encode(), word(allowed).encode()]
    return "\t".join([*map(escaped, columns), str(line)])


def escaped(octets):
    names = {0x09: "\\t", 0x0A: "\\n", 0x0D: "\\r", 0x5C: "\\\\"}
    plain = (chr(o) if 0x20 <= o < 0x7F else f"\\x{o:02X}" for o in octets)
    return "".join(names.get(o, p) for o, p in zip(octets, plain))


def compare(seed, count, command):
    """Asks the subject every question; returns 1 if an answer differs."""
    questions = list(triples(seed, count))
    lines = [json.dumps({"ask": "hello", "protocol": 1})]
    for number, (octets, tokens, url) in enumerate(questions):
        lines.append(json.dumps({
            "id": number, "ask": "verdict", "edition": "google-cpp", "crawler": tokens, "url": url,
            "robots_txt": base64.b64encode(octets).decode(),
        }))
    run = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True)
    answers = {}
    for line in run.stdout.splitlines()[1:]:
        answer = json.loads(line)
        answers[answer["id"]] = answer
    differ = 0
    for number, question in enumerate(questions):
        allowed, line = observed(*question)
        answer = answers.get(number, {"error": f"no answer; {run.stderr.strip()}"})
        same_line = answer.get("line", 0) in (0, line)
        if answer.get("verdict") != word(allowed) or not same_line:
            differ += 1
            print(triple(*question, allowed, line), json.dumps(answer), sep="\t")
    print(f"seed {seed}: {count} questions, {differ} answered otherwise", file=sys.stderr)
    return int(differ > 0)


# The texts from which files are made. There are few such texts, so that a file often names the crawler of its question,
# and a pattern of the file often matches the URL.

TOKENS = ["a"] * 10 + ["A", "bot", "b-c", "b_c", "b", "a1", "a/1", "", "é", "a b", "*"]
AGENTS = [
    "a", "a", "a", "A", "*", "*", "*", "bot", "BOT", "b-c", "b_c", "b", "a1", "a/1.0", "a b", "1a", "",
    "* a", "*\t", "*a", "* ", "**", "*\x0b x", "a*", "a\0x", "\0a", "a\xe9", "-", "_", "a;", "bot9",
    "*/2",
    "*\0", "*\x01", "*\xa0",
]
FIELDS = {
    "user-agent": [
        "user-agent", "User-Agent", "useragent", "user agent", "USER AGENT", "user_agent", "user-agents",
        "user-agent x", "user", "user- agent", "user  agent", "user-agen", "xuser-agent",
    ],
    "allow": ["allow", "Allow", "ALLOW", "allowed", "allow x", "alow", "allow-all", "al low", "xallow",
    "allow\0"],
    "disallow": [
        "disallow", "Disallow", "DISALLOW", "dissallow", "dissalow", "disalow", "diasllow", "disallaw",
        "disallowed", "DisAlowx", "dis allow", "disalllow", "disallow /x", "xdisallow", "disallo",
    ],
    "other": ["sitemap", "Site-Map", "crawl-delay", "noindex", "", " ", "clean-param", "allo",
    "site map"],
}
SEPARATORS = [":"] * 12 + [": "] * 8 + [" : ", " ", " ", "  ", "\t", ":\t", " \t ", "", "::", "\x0b",
    " \x0b", ":\0", "\0:"]
PIECES = [
    "/", "/", "/", "a", "a", "b", "*", "*", "$", "?", "=", "&", ";", "#", "%", "%2", "%2f", "%2F",
    "%61", "%C3%A9",
    "%c3%a9", "\xc3\xa9", "\xff", "%ff", "%FF", "%fF", "index.htm", "index.html", "/index.html",
    "/index.htm", "index.php",
    "robots.txt", ".", "..", "//", ":", "://", " ", "\0", "\x0b", "\x7f", "+", "~", "[", "\\", "%%",
    "%zz", "%e", "A", "B",
    "\t", "'", "\x01", "\x1f", "$$", "**", "%2A", "%24", "%2a", "%00",
]
ENDS = ["\n"] * 12 + ["\r\n"] * 3 + ["\r"] * 2 + ["\n\n", "\n\r", "\r\r\n", "\0\n", "\x0b\n", "\x0c",
    " \n", "\t\r\n", "\x85"]
MARKS = ["\xef\xbb\xbf", "\xef\xbb", "\xef", "\xbb\xbf", "\xef\xbf", "\xef\xef\xbb\xbf",
    "\xef\xbb\xbf\xef\xbb\xbf", "\xfe\xff"]
LONGEST = 16_663


def pointed():
    """Questions that each test one special behaviour of the library, because random questions rarely do."""
    start = b"user-agent: a\n"
    for length in range(LONGEST - 1, LONGEST + 2):
        field = b"disallow: "
        rest = length - len(field)
        yield start + field + b"/" + b"x" * LONGEST, ["a"], "/" + "x" * (rest - 1)
        yield start + field + b"/" + b"x" * (rest - 2) + b"$", ["a"], "/" + "x" * (rest - 1)
    for page in (b"index.htm", b"index.html", b"index.htmx?y", b"Index.html", b"index.ht", b"a/index.html/b"):
        yield start + b"disallow: /\nallow: /f/" + page + b"\n", ["a"], "/f/"
        yield start + b"disallow: /f/$\nallow: /f/" + page + b"\n", ["a"], "/f/"
        yield start + b"allow: /f\ndisallow: /f/" + page + b"\n", ["a"], "/f/"
    for field in ("sitemap: x", "site-map: x", "x: y", "x y", "x", "allow", "allow:", "disallow x", ":", "#"):
        octets = b"user-agent: a\n" + field.encode() + b"\nuser-agent: b\ndisallow: /\n"
        yield octets, ["a"], "/"
    for agent in AGENTS:
        octets = b"user-agent: " + agent.encode("latin-1") + b"\ndisallow: /\n"
        for token in ("a", "b_c", "", "a1", "*"):
            yield octets, [token], "/"
    for names in FIELDS.values():
        for name in names:
            for separator in (b":", b" ", b"x:", b"\x0b:"):
                octets = start + name.encode("latin-1") + separator + b"/x\nuser-agent: b\ndisallow: /\n"
                yield octets, ["a"], "/x"
    for mark in MARKS:
        yield mark.encode("latin-1") + start + b"disallow: /\n", ["a"], "/"
        yield mark.encode("latin-1") + b"\n" + start + b"disallow: /\n", ["a"], "/"


def triples(seed, count):
    """Makes questions: octets of a file, product tokens, a URL."""
    source = random.Random(seed)
    made = 0
    for question in itertools.islice(pointed(), count):
        yield question
        made += 1
    while made < count:
        octets, paths = file(source)
        for _ in range(min(source.choice((1, 1, 2, 3)), count - made)):
            tokens = [source.choice(TOKENS) for _ in range(source.choice((1, 1, 1, 1, 2, 3)))]
            yield octets, tokens, url(source, paths)
            made += 1


def file(source):
    """A file in octets, and the paths from which it was made."""
    parts, paths = [], []
    if source.random() < 0.12:
        parts.append(source.choice(MARKS))
    if source.random() < 0.9:
        parts.append(source.choice(("user-agent: a\n", "user-agent: *\n",
            "user-agent:bot\nuser-agent: a\r\n")))
    for _ in range(source.choice((1, 2, 3, 4, 5, 6, 8, 12))):
        parts.append(line(source, paths))
    if source.random() < 0.02:
        parts.append(long_line(source, paths))
    text = "".join(parts)
    if source.random() < 0.3:
        text = text.rstrip("\r\n")
    # Each character is an octet of the file.
    return text.encode("latin-1"), paths


def line(source, paths):
    kind = source.choices(("user-agent", "allow", "disallow", "other", "noise"), (4, 5, 6, 1, 1))[0]
    if kind == "noise":
        return "".join(source.choices(PIECES, k=source.randrange(6))) + source.choice(ENDS)
    name = FIELDS[kind][0] if source.random() < 0.6 else source.choice(FIELDS[kind])
    separator = ": " if source.random() < 0.5 else source.choice(SEPARATORS)
    if kind == "user-agent":
        value = source.choice(AGENTS)
    else:
        value = path(source)
        paths.append(value)
    indent = source.choice(("", "", "", "", "", " ", "\t", "\x0b", "\x0c "))
    tail = source.choice(("", "", "", "", "", "", " ", "\t", " # c", "#c", " x", " x y", "\x0b", "\0",
        " \0#"))
    end = "\n" if source.random() < 0.7 else source.choice(ENDS)
    return indent + name + separator + value + tail + end


def path(source):
    if source.random() < 0.05:
        return source.choice(("", "*", "$", "/", "/$", "/*", "*$", "/robots.txt", "a", "index.html"))
    start = "/" if source.random() < 0.85 else ""
    pieces = "".join(source.choices(PIECES, k=source.choice((0, 1, 1, 2, 2, 3, 4))))
    end = source.choice(("", "", "", "", "$", "*", "/index.html", "/index.htm?x", "/index.htmlx",
        "index.html"))
    return start + pieces + end


def long_line(source, paths):
    """A line that is about as long as the longest line that the library reads completely."""
    field = source.choice(("disallow: ", "allow:/x/../", "user-agent: a #", "disallow /", "\xef"))
    value = "/" + "x" * (LONGEST - len(field) + source.randrange(-4, 4))
    paths.append(value[: LONGEST - len(field) + source.randrange(-2, 3)])
    tail = source.choice(("", "$", "*", "#", " ", "\0", ":", "y"))
    return field + value + tail + source.choice(("\n", "\nallow: /\n", "\ndisallow: /\n", ""))


def url(source, paths):
    """A URL that a path of the file may match, and that may begin with scheme and host."""
    chosen = source.choice(paths) if paths and source.random() < 0.8 else path(source)
    chosen = chosen.encode("latin-1").decode("utf-8", errors="replace")
    if source.random() < 0.4:
        return source.choice(("", "", "http://e")) + chosen.removesuffix("$").replace("*", "")
    if source.random() < 0.7:
        chosen = chosen.removesuffix("$")
    if source.random() < 0.6:
        chosen = chosen.replace("*", source.choice(("", "a", "/", "*", "x/y", "$")))
    if source.random() < 0.4:
        name = chosen.rfind("/index.htm")
        chosen = chosen[: name + 1] if name >= 0 else chosen
    if source.random() < 0.25:
        for old, new in ((("\ufffd", "%FF")), ("é", "%C3%A9"), ("%c3%a9", "%C3%A9"), ("%2f", "%2F")):
            chosen = chosen.replace(old, new)
    if source.random() < 0.3:
        position = source.randrange(len(chosen) + 1)
        piece = source.choice(PIECES).encode("latin-1").decode("utf-8", errors="replace")
        chosen = chosen[:position] + piece + chosen[position:]
    if source.random() < 0.2:
        chosen += source.choice(("?", "?x", "#", "#x", ";p", "/", "a", "\0", "\0a", "?a=://b", "#/?"))
    if source.random() < 0.4:
        return chosen
    start = (
        "http://example.com", "https://example.com", "http://e:80", "//", "//e", "///", "e", "://",
        "a?://", "a/://", "http:/",
        "http://e?q", "http://e;p", "http://e#", "#", "", "a;b://c", "http://http://", "HTTP://e",
        "é://",
    )
    return source.choice(start) + chosen


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
