"""robots.txt conformance: the suite as data, and a parser or retriever in Python as its subject.

`vectors` returns the questions to which an edition gives one answer, for pytest or another tool, and `Known` reads the
list of known failures. `serve` lets the command ``robots-conformance run`` ask a parser or a retriever in Python.
``python -m robots_conformance`` runs the command ``robots-conformance``.
"""

from ._command import command
from ._known import Failure, Known
from ._protocol import Unsupported
from ._serve import Verdict, serve
from ._timeline import Reply, RetrievedVerdict, Retriever, Timeline
from ._vectors import DRAFTS, EDITIONS, Expected, Group, Vector, vectors

__all__ = [
    "DRAFTS",
    "EDITIONS",
    "Expected",
    "Failure",
    "Group",
    "Known",
    "Reply",
    "RetrievedVerdict",
    "Retriever",
    "Timeline",
    "Unsupported",
    "Vector",
    "Verdict",
    "command",
    "serve",
    "vectors",
]
