"""May this crawler fetch this URL? Verdicts of robots.txt, exact, fast, and with the rule behind them.

    >>> robots = parse("user-agent: *\\ndisallow: /private\\n")
    >>> robots.allows("examplebot", "https://example.com/private/x")
    False
    >>> str(robots.verdict("examplebot", "/private/x"))
    'disallow: the longest matching rule is line 2, `disallow: /private`, for `user-agent: *` in line 1'
"""

from ._native import RobotsTxt, RuleSet, Usage, Verdict, __version__, parse, product_tokens

__all__ = ["RobotsTxt", "RuleSet", "Usage", "Verdict", "__version__", "parse", "product_tokens"]
