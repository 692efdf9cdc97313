"""robots.txt conformance: the suite as data, and a Python parser as its subject.

`vectors` gives the questions to which an edition has one answer, for pytest or anything else. `serve` lets the command
``robots-conformance run`` ask a Python function. ``python -m robots_conformance`` is that command.
"""

from ._command import command
from ._serve import Unsupported, Verdict, serve
from ._vectors import EDITIONS, Expected, Group, Vector, vectors

__all__ = [
    "EDITIONS",
    "Expected",
    "Group",
    "Unsupported",
    "Vector",
    "Verdict",
    "command",
    "serve",
    "vectors",
]
