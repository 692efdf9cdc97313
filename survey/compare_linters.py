#!/usr/bin/env python3
"""Lints the same files with robots, ai-crawler-robots and Lighthouse; prints the tables of survey/linters.md.

    survey/compare_linters.py FOLDER     installs the other two in FOLDER, and prints the tables, and up to five findings of
                                       each tool for each file

Needs Python, npm, Node and Chromium, and `cargo build -p robots-cli`.
"""

import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import venv
from pathlib import Path

AI_CRAWLER_ROBOTS = "1.0.10"
LIGHTHOUSE = "13.5.0"
HERE = Path(__file__).resolve().parent

# Files with a problem. Each item has the name of the problem, the text of the file, the numbers of the lines with the
# problem (none if the whole file has it), and a pattern. If the text of a finding matches the pattern, the tool knows
# the cause of the problem.
BROKEN = [
    ("typo `Disalow`", b"User-agent: *\nDisalow: /x\n", {2}, "Disalow|directive"),
    ("no colons", b"User-agent *\nDisallow /x\n", {1, 2}, ":|colon|syntax"),
    ("rule before any user-agent", b"Disallow: /x\nUser-agent: *\nDisallow: /y\n", {1}, "user-agent"),
    ("byte order mark", b"\xef\xbb\xbfUser-agent: *\nDisallow: /x\n", set(), "byte.order"),
    ("UTF-16", "\ufeffUser-agent: *\r\nDisallow: /x\r\n".encode("utf-16-le"), set(), "UTF-?16|encod"),
    ("HTML page", b"<!DOCTYPE html>\n<html><body><p>Not found</p></body></html>\n", set(), "HTML|markup"),
    ("relative sitemap", b"User-agent: *\nDisallow: /x\nSitemap: /sitemap.xml\n", {3}, "sitemap"),
    ("`Noindex`", b"User-agent: *\nNoindex: /x\nDisallow: /y\n", {2}, "noindex"),
    ("`Crawl-delay`", b"User-agent: *\nCrawl-delay: 5\nDisallow: /y\n", {2}, "crawl-delay"),
    (
        "more than 500 KiB",
        b"User-agent: *\n" + b"".join(b"Disallow: /%07d\n" % n for n in range(40000)),
        set(),
        "limit|KiB|size|large",
    ),
    ("path outside ASCII", "User-agent: *\nDisallow: /café\n".encode(), {2}, "ASCII|encod"),
    ("`Disallow: *.pdf`", b"User-agent: *\nDisallow: *.pdf\n", {2}, "begins|start"),
    ("`User-agent: Googlebot, Bingbot`", b"User-agent: Googlebot, Bingbot\nDisallow: /x\n", {1}, "one line|comma|several"),
    ("whole URL in a rule", b"User-agent: *\nDisallow: https://example.com/x\n", {2}, "URL|start"),
    ("path without slash", b"User-agent: *\nDisallow: private\n", {2}, "begins|start"),
    ("whole header as user-agent", b"User-agent: Mozilla/5.0 (compatible; ExampleBot/1.0)\nDisallow: /x\n", {1}, "header|string"),
    ("two rules in a line", b"User-agent: *\nDisallow: /a Disallow: /b\n", {2}, "same line|two|several"),
    ("space in a path", b"User-agent: *\nDisallow: /a b\n", {2}, "space"),
    ("`$` inside a path", b"User-agent: *\nDisallow: /a$b\n", {2}, r"\$"),
    ("allow of the same path", b"User-agent: *\nDisallow: /a\nAllow: /a\n", {2}, "allow wins|never"),
    ("a crawler's group twice", b"User-agent: Googlebot\nDisallow: /a\n\nUser-agent: Googlebot\nDisallow: /b\n", {4}, "group"),
]

# Files without a problem.
FINE = [
    ("plain", b"User-agent: *\nDisallow: /x\n\nSitemap: https://example.com/sitemap.xml\n"),
    ("`*` and `$`", b"User-agent: *\nDisallow: /*.pdf$\nAllow: /a/*/b.pdf$\n"),
    ("two crawlers in one group", b"User-agent: Googlebot\nUser-agent: Bingbot\nDisallow: /x\n"),
    ("lines that end in CR", b"User-agent: *\rDisallow: /x\r"),
    ("comments, odd case", b"USER-AGENT: * # all\nDISALLOW: /x # this: that\n"),
    ("allow within disallow", b"User-agent: *\nDisallow: /a/\nAllow: /a/b/\n"),
    ("everything allowed", b"User-agent: *\nDisallow:\n"),
    ("sitemap before the groups", b"Sitemap: https://example.com/s.xml\nUser-agent: *\nDisallow: /x\n"),
]

# Fields that other documents define. The third table shows the level of the finding that each tool reports for them.
OTHERS = [
    ("`Content-Signal`", b"User-agent: *\nContent-Signal: search=yes\nDisallow: /x\n"),
    ("`Content-Usage`", b"User-agent: *\nContent-Usage: train-ai=n\nDisallow: /x\n"),
    ("`License`", b"License: https://example.com/license.xml\nUser-agent: *\nDisallow: /x\n"),
    ("`Host`", b"User-agent: *\nDisallow: /x\nHost: example.com\n"),
]

# Each item has some words of a wrong statement of a tool, and the footnote that corrects the statement.
FALSE = [
    ("a blank line inside", "At level info, the tool reports a blank line within the group, although the group has no blank line."),
    ("every rule under it is ignored", "The tool says that all rules below the misspelt line are ignored, but only this line is ignored."),
]


def ours(body, _):
    command = [HERE.parent / "target/debug/robots", "lint", "-", "--format", "json", "--fail-on", "never"]
    output = subprocess.run(command, input=body, stdout=subprocess.PIPE, check=True).stdout
    for found in json.loads(output)["files"][0]["findings"]:
        yield found["line"], found["level"], found["cause"]


def ai_crawler_robots(body, folder):
    path = folder / "robots.txt"
    path.write_bytes(body)
    command = [folder / "venv/bin/ai-crawler-robots", "lint", "--json", path]
    output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
    try:
        findings = json.loads(output)["findings"]
    except ValueError:
        yield None, "error", "ends with: " + output.decode(errors="replace").strip().splitlines()[-1]
        return
    for found in findings:
        # The finding `no_sitemap` suggests a sitemap to a file without one. That is no mistake of the tool.
        if found["code"] != "no_sitemap":
            yield found.get("line"), found["level"], found["message"]


def lighthouse(body, folder):
    class Site(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            is_file = self.path == "/robots.txt"
            kind = "text/plain" if is_file else "text/html"
            page = b"<!doctype html><html lang=en><title>A page</title><p>A page."
            self.send_response(200)
            self.send_header("content-type", kind)
            self.end_headers()
            self.wfile.write(body if is_file else page)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    command = ["node", folder / "node_modules/lighthouse/cli/index.js"]
    command += [f"http://127.0.0.1:{server.server_port}/", "--only-audits=robots-txt", "--output=json", "--quiet"]
    command += ["--chrome-flags=--headless --no-sandbox --disable-gpu"]
    environment = dict(os.environ, CHROME_PATH=shutil.which("chromium") or shutil.which("google-chrome") or "")
    output = subprocess.run(command, stdout=subprocess.PIPE, env=environment, check=True).stdout
    server.shutdown()
    audit = json.loads(output)["audits"]["robots-txt"]
    if audit["scoreDisplayMode"] == "error":
        yield None, "error", audit["errorMessage"]
    if audit.get("explanation"):
        yield None, "error", audit["explanation"]
    for item in audit.get("details", {}).get("items", []):
        yield int(item["index"]), "error", item["message"]


TOOLS = [("robots lint", ours), ("ai-crawler-robots", ai_crawler_robots), ("Lighthouse", lighthouse)]


def footnotes(findings):
    """Returns the numbers of the footnotes for the wrong statements among the findings of a tool."""
    false = [n for n, (words, _) in enumerate(FALSE, 1) if any(words in text for _, _, text in findings)]
    return "".join(f"<sup>{n}</sup>" for n in false)


def of_broken(findings, lines, cause):
    notes = footnotes(findings)
    findings = [found for found in findings if FALSE[0][0] not in found[2]]
    there = [text for line, _, text in findings if not lines or line in lines]
    if not lines <= {line for line, _, _ in findings} or not there:
        return "misses" + notes
    knows = any(re.search(cause, text, re.IGNORECASE) for text in there)
    return ("finds" if knows else "reports the line, not the cause") + notes


def of_fine(findings):
    other = [f"claims “{text}”" for _, _, text in findings if all(words not in text for words, _ in FALSE)]
    return "; ".join(other + [f"claims{footnotes(findings)}"] * bool(footnotes(findings))) or "silent"


def of_others(findings):
    levels = [f"{level}: “{text}”" for _, level, text in findings if FALSE[0][0] not in text]
    return (levels[0] if levels else "silent") + footnotes(findings)


def install(folder):
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "venv/bin/ai-crawler-robots").exists():
        venv.create(folder / "venv", with_pip=True)
        subprocess.run([folder / "venv/bin/pip", "install", "-q", f"ai-crawler-robots=={AI_CRAWLER_ROBOTS}"], check=True)
    if not (folder / "node_modules/lighthouse").exists():
        subprocess.run(["npm", "install", "--silent", "--prefix", folder, f"lighthouse@{LIGHTHOUSE}"], check=True)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1]).resolve()
    install(folder)
    head = " | ".join(name for name, _ in TOOLS)

    def table(title, files, cell):
        print(f"| {title} | {head} |\n|---|{'---|' * len(TOOLS)}")
        for name, body, *expected in files:
            cells = []
            for tool, lint in TOOLS:
                findings = list(lint(body, folder))
                for line, level, text in findings[:5]:
                    print(f"{name} | {tool} | {line} {level}: {text}", file=sys.stderr)
                cells.append(cell(findings, *expected))
            print(f"| {name} | {' | '.join(cells)} |", flush=True)
        print()

    table("file with a problem", BROKEN, of_broken)
    table("file without a problem", FINE, of_fine)
    table("a field of others", OTHERS, of_others)
    for n, (_, so) in enumerate(FALSE, 1):
        print(f"{n}. {so}")


if __name__ == "__main__":
    main()
