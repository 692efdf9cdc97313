"""gpyrobotstxt: a port of Google's C++ library to Python."""

from importlib.metadata import version

from gpyrobotstxt.robots_cc import RobotsMatcher
from gpyrobotstxt.robotstxtparser import RobotsTxtParser

import protocol


class Sitemaps(RobotsMatcher):
    """Collects the sitemap lines that the parser reports."""

    def __init__(self):
        super().__init__()
        self.init_user_agents_and_path([], "/")
        self.urls = []

    def handle_sitemap(self, line_num, value):
        self.urls.append(value)


def verdict(question):
    matcher = RobotsMatcher()
    return protocol.verdict(
        matcher.allowed_by_robots(question.octets, [question.token], question.encoded_url)
    )


def sitemaps(question):
    handler = Sitemaps()
    RobotsTxtParser(question.octets, handler).parse()
    return {"sitemaps": handler.urls}


protocol.serve(
    "gpyrobotstxt",
    version("gpyrobotstxt"),
    {"verdict": verdict, "sitemaps": sitemaps},
    editions=("rfc9309", "google-2022"),
)
