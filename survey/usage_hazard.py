#!/usr/bin/env python3
"""Measures how parsers and crawlers read a preference line, for survey/aipref.md. It prints Markdown.

    cargo survey peers && python3 survey/usage_hazard.py parsers [target/peers] [NAME...]
    cargo survey crawlers && python3 survey/usage_hazard.py crawlers [target/crawlers] [NAME...]

The first commands install what survey/peers/peers.toml and survey/crawlers/crawlers.toml list. The adapters ask
the parsers about seven small files. Crawlers crawl file A: a hub on one port links to a site for each field, whose
robots.txt has the line between two user-agent lines, and the access log shows whether the page was fetched. Each file
exists with three fields in the same place (content-usage, which attach-05 makes a rule; content-signal; a field that
nobody defines), and once without the line.
"""

import base64
import http.server
import json
import os
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import tomllib

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / "survey" / "peers"
CRAWLERS = ROOT / "survey" / "crawlers"
LIMIT = 120

FIELDS = {
    "content-usage": "content-usage: train-ai=n",
    "content-signal": "content-signal: search=yes, ai-train=no",
    "unknown": "colour: green",
    "none": None,
}

# Each item has the text of a file, with {} for the tested line, and the answer of RFC 9309 to whether the crawler bar
# may fetch /a, if the field of the line is unknown. Under attach-05, the answer for content-usage in A, B and C is
# "allow". In F and G, the question is about the policy token instead of bar: does the parser find a group whose name
# begins with underscores, and does it fall back to `*` without one?
POLICY = "__usage_ai-training"
FILES = {
    "A": ("user-agent: *\n{}\nuser-agent: foo\ndisallow: /\n", "disallow"),
    "B": ("user-agent: bar\n{}\nuser-agent: *\ndisallow: /\n", "disallow"),
    "C": ("user-agent: *\ndisallow: /\n\nuser-agent: bar\n{}\n", "allow"),
    "D": ("user-agent: bar\n{}\ndisallow: /a\n", "disallow"),
    "E": ("{}\nuser-agent: *\ndisallow: /a\n", "disallow"),
    "F": (f"user-agent: *\nallow: /\n\nuser-agent: {POLICY}\n{{}}\ndisallow: /\n", "disallow"),
    "G": ("user-agent: *\n{}\ndisallow: /\n", "disallow"),
}


def filled(file, line):
    """Returns a file with the line at its place, or without one."""
    return file.replace("{}\n", "" if line is None else f"{line}\n")


def command(manifest, peer, install):
    run = manifest["registry"][peer["registry"]]["run"]
    unstable = f"{ROOT / 'survey' / 'unstable'} run {install.parent / 'unstable'}"
    placeholders = {"peers": PEERS, "install": install, "adapter": peer["adapter"], "unstable": unstable}
    return run.format(**placeholders).split()


def answers(words):
    """Returns the name and version that the parser gives, and its answers by file and field."""
    questions = [{"ask": "hello", "protocol": 1}]
    for name, (file, _) in FILES.items():
        for field, line in FIELDS.items():
            octets = base64.b64encode(filled(file, line).encode()).decode()
            question = {"id": f"{name} {field}", "ask": "verdict", "edition": "rfc9309", "robots_txt": octets}
            questions.append(question | {"crawler": [POLICY if name in "FG" else "bar"], "url": "https://example.com/a"})
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    asked = subprocess.run(words, input=lines, capture_output=True, text=True, timeout=120)
    hello, *given = map(json.loads, asked.stdout.splitlines())
    found = {answer["id"]: answer.get("verdict", "no answer") for answer in given}
    missing = {question["id"] for question in questions[1:]} - set(found)
    if missing:
        sys.exit(f"error: {words}: no answer to {sorted(missing)}\n{asked.stderr}")
    return f"{hello['name']} {hello['version']}", found


def cell(by_field):
    """Returns one word if the three fields have the same answer, otherwise one for each field. If the answer without
    the line is different, the text also has that answer."""
    *fields, (_, without) = by_field.items()
    words = {answer for _, answer in fields}
    text = words.pop() if len(words) == 1 else "; ".join(f"{field}: {answer}" for field, answer in fields)
    return text if text == without else f"{text} (without the line: {without})"


def parsers(install, wanted):
    manifest = tomllib.loads((PEERS / "peers.toml").read_text())
    print("| parser | language |", " | ".join(FILES), "|")
    print("|---|---|" + "---|" * len(FILES))
    for peer in manifest["peer"]:
        if wanted and peer["name"] not in wanted:
            continue
        name, found = answers(command(manifest, peer, install))
        cells = [cell({field: found[f"{file} {field}"] for field in FIELDS}) for file in FILES]
        print(f"| {name} | {peer['language']} |", " | ".join(cells), "|", flush=True)


class Site(http.server.BaseHTTPRequestHandler):
    """A site that answers with the `pages` of its server, and records the requests."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        kind, body = self.server.pages.get(self.path, ("text/html", None))
        self.server.fetched.add(self.path)
        octets = (body or "").encode()
        self.send_response(200 if body is not None else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(octets)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(octets)

    do_HEAD = do_GET

    def log_message(self, *_):
        pass


def serve(pages):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.pages, server.fetched = pages, set()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def crawled(words, token):
    """Lets a crawler crawl file A with each field; returns whether it fetched the page, by field."""
    sites = {}
    for field, line in FIELDS.items():
        robots = filled(f"user-agent: {token}\n{{}}\nuser-agent: otherbot\ndisallow: /shared\n", line)
        page = ("text/html", "<!DOCTYPE html><title>page</title>")
        sites[field] = serve({"/robots.txt": ("text/plain", robots), "/shared": page, "/open": page})
    urls = [f"http://127.0.0.1:{site.server_port}/{page}" for site in sites.values() for page in ("open", "shared")]
    links = "".join(f'<p><a href="{url}">{url}</a>' for url in urls)
    hub = serve({"/": ("text/html", f"<!DOCTYPE html><title>hub</title>{links}")})
    seed = f"http://127.0.0.1:{hub.server_port}/"
    with tempfile.TemporaryDirectory() as folder:
        seeds = Path(folder) / "seeds.txt"
        seeds.write_text("\n".join([seed, *urls]) + "\n")
        inner = Path(folder) / "crawl"
        inner.mkdir()
        # No page is served over https. Some commands need a file of certificate authorities, so {ca} is the file of the
        # system.
        authority = ssl.get_default_verify_paths().openssl_cafile
        fill = {"seed": seed, "seeds": seeds, "agent": token, "dir": inner, "ca": authority}
        words = [word if "{" not in word else word.format(**fill) for word in words]
        environment = os.environ | {"HOME": str(inner), "TMPDIR": str(inner)}
        crawl = subprocess.Popen(
            words, cwd=inner, env=environment, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            crawl.wait(LIMIT)
        except subprocess.TimeoutExpired:
            pass
        finally:
            try:
                os.killpg(crawl.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            crawl.wait()
    found = {}
    for field, site in sites.items():
        site.shutdown()
        if "/open" not in site.fetched:
            found[field] = "undecided"
        else:
            found[field] = "allow" if "/shared" in site.fetched else "disallow"
    hub.shutdown()
    return found


def crawlers(install, wanted):
    manifest = tomllib.loads((CRAWLERS / "crawlers.toml").read_text())
    print("| crawler | language | A |")
    print("|---|---|---|")
    for crawler in manifest["crawler"]:
        if wanted and crawler["name"] not in wanted:
            continue
        fill = {"crawlers": str(CRAWLERS), "install": str(install)}
        words = crawler["exec"].split(" ")
        for name, text in fill.items():
            words = [word.replace(f"{{{name}}}", text) for word in words]
        try:
            answer = cell(crawled(words, crawler["token"]))
        except OSError as error:
            answer = f"not run: {error.strerror}"
        print(f"| {crawler['name']} | {crawler['language']} | {answer} |", flush=True)


def main():
    match sys.argv[1:]:
        case ["parsers", *rest]:
            parsers(Path(rest[0] if rest else ROOT / "target" / "peers").resolve(), rest[1:])
        case ["crawlers", *rest]:
            crawlers(Path(rest[0] if rest else ROOT / "target" / "crawlers").resolve(), rest[1:])
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
