"""jwm.robotstxt: Google's C++ library itself, through a binding."""

from importlib.metadata import version

from jwm.robotstxt.googlebot import ParseRobotsTxt, RobotsMatcher, RobotsParseHandler

import protocol


class Sitemaps(RobotsParseHandler):
    """Collects the sitemap lines that the parser reports. The binding requires every callback."""

    def __init__(self):
        super().__init__()
        self.urls = []

    def HandleSitemap(self, line_num, value):
        self.urls.append(value)

    def HandleRobotsStart(self): pass
    def HandleRobotsEnd(self): pass
    def HandleUserAgent(self, line_num, value): pass
    def HandleAllow(self, line_num, value): pass
    def HandleDisallow(self, line_num, value): pass
    def HandleUnknownAction(self, line_num, action, value): pass
    def ReportLineMetadata(self, line_num, metadata): pass


def verdict(question):
    matcher = RobotsMatcher()
    allowed = matcher.AllowedByRobots(question.octets, [question.token], question.encoded_url)
    return protocol.verdict(allowed, matcher.matching_line())


def sitemaps(question):
    handler = Sitemaps()
    ParseRobotsTxt(question.octets, handler)
    return {"sitemaps": handler.urls}


protocol.serve(
    "jwm.robotstxt",
    version("jwm.robotstxt"),
    {"verdict": verdict, "sitemaps": sitemaps},
    editions=("rfc9309", "google-2022"),
)
