"""urllib.robotparser of the standard library; its version is the interpreter's."""

import platform
from urllib.robotparser import RobotFileParser

import protocol


def verdict(question):
    return protocol.verdict(parsed(question).can_fetch(question.token, question.url))


def sitemaps(question):
    return {"sitemaps": parsed(question).site_maps() or []}


def parsed(question):
    parser = RobotFileParser()
    parser.parse(question.text.splitlines())
    return parser


protocol.serve(
    "urllib.robotparser",
    platform.python_version(),
    {"verdict": verdict, "sitemaps": sitemaps},
)
