"""urllib.robotparser of the standard library; its version is that of Python. Its `read` decodes and splits the octets."""

import pathlib
import platform
import tempfile
from urllib.robotparser import RobotFileParser

import protocol


def verdict(question):
    return protocol.verdict(parsed(question).can_fetch(question.token, question.url))


def sitemaps(question):
    return {"sitemaps": parsed(question).site_maps() or []}


def parsed(question):
    ROBOTS_TXT.write_bytes(question.octets)
    parser = RobotFileParser(ROBOTS_TXT.as_uri())
    parser.read()
    return parser


with tempfile.TemporaryDirectory() as folder:
    ROBOTS_TXT = pathlib.Path(folder).resolve() / "robots.txt"
    answers = {"verdict": verdict, "sitemaps": sitemaps}
    protocol.serve("urllib.robotparser", platform.python_version(), answers)
