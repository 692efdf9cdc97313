"""robotexclusionrulesparser, with its default syntax (wildcards).

It reads octets as ISO-8859-1, so it gets text, as it does from its own fetch if the response names a charset.
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
