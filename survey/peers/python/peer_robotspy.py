"""robotspy. Its documented entry point reads octets from a URI and decodes them itself."""

import os
import pathlib
import sys
import tempfile
from importlib.metadata import version

from robots import RobotsParser

import protocol

# If a group names several agents and one of them also has an earlier group, the other agents may get the rules of that
# group too. The result depends on the seed of Python's hashes. With a fixed seed, a run can be repeated.
if os.environ.get("PYTHONHASHSEED") != "0":
    os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "PYTHONHASHSEED": "0"})


def verdict(question):
    return protocol.verdict(parsed(question).can_fetch(question.token, question.url))


def sitemaps(question):
    return {"sitemaps": parsed(question).sitemaps or []}


def parsed(question):
    ROBOTS_TXT.write_bytes(question.octets)
    return RobotsParser.from_uri(ROBOTS_TXT.as_uri())


with tempfile.TemporaryDirectory() as folder:
    ROBOTS_TXT = pathlib.Path(folder).resolve() / "robots.txt"
    protocol.serve("robotspy", version("robotspy"), {"verdict": verdict, "sitemaps": sitemaps})
