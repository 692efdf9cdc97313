"""robotexclusionrulesparser, with its default syntax (wildcards).

The parser reads octets as ISO-8859-1, so the adapter passes text. The parser's own `fetch` also passes text if the
response names a charset.
"""

from importlib.metadata import version

from robotexclusionrulesparser import RobotExclusionRulesParser

import protocol


def verdict(question):
    return protocol.verdict(parsed(question).is_allowed(question.token, question.url))


def sitemaps(question):
    return {"sitemaps": parsed(question).sitemaps}


def parsed(question):
    parser = RobotExclusionRulesParser()
    parser.parse(question.text)
    return parser


protocol.serve(
    "robotexclusionrulesparser",
    version("robotexclusionrulesparser"),
    {"verdict": verdict, "sitemaps": sitemaps},
)
