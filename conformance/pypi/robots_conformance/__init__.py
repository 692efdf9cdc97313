"""robots.txt conformance: the suite as data, and a Python parser as its subject.

`vectors` returns the questions to which an edition gives one answer, for pytest or another tool. `serve` lets the command
``robots-conformance run`` ask a Python function. ``assert_robots_txt`` checks that the robots.txt of a site meets its
expectations. ``python -m robots_conformance`` runs the command ``robots-conformance``.
"""

from ._check import Checked, assert_robots_txt, check
from ._command import command
from ._serve import Unsupported, Verdict, serve
from ._vectors import DRAFTS, EDITIONS, Expected, Group, Vector, vectors

__all__ = [
    "DRAFTS",
    "EDITIONS",
    "Checked",
    "Expected",
    "Group",
    "Unsupported",
    "Vector",
    "Verdict",
    "assert_robots_txt",
    "check",
    "command",
    "serve",
    "vectors",
]
