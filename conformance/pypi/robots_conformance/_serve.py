"""Makes a Python function a subject, which ``robots-conformance run --subject`` starts and asks."""

import base64
import json
import sys
from typing import Any, BinaryIO, Callable, Dict, Mapping, Optional, Sequence, Tuple, Union

Verdict = Union[bool, Tuple[bool, Optional[int]]]
"""Whether the URL may be fetched, and maybe the number of the deciding line, from 1."""


class Unsupported(Exception):
    """Raised if a parser has no interface for a question, which counts as unanswered. The text names the interface."""


def serve(
    verdict: Callable[[bytes, str, str], Verdict],
    *,
    name: Optional[str] = None,
    version: Optional[str] = None,
    editions: Sequence[str] = ("rfc9309",),
    sitemaps: Optional[Callable[[bytes], Sequence[str]]] = None,
    several_tokens: Optional[Callable[[bytes, Sequence[str], str], Verdict]] = None,
    answers: Optional[Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]] = None,
) -> None:
    """Answer the suite's questions with functions, until standard input ends.

    This is a complete subject for ``robots-conformance run --subject 'python3 subject.py'``::

        from protego import Protego
        from robots_conformance import serve

        def allowed(robots_txt: bytes, agent: str, url: str) -> bool:
            return Protego.parse(robots_txt.decode(errors="replace")).can_fetch(url, agent)

        serve(allowed, name="Protego")

    If a function raises an exception, that question counts as an error. Printed text goes to standard error.

    Args:
        verdict: receives a file, a product token and a URL, and returns whether the token's crawler may fetch the URL.
        name: the name of the subject in reports; the default is the function's name.
        version: the version of the parser, for readers.
        editions: the editions that the parser implements. The runner asks it about no other edition.
        sitemaps: returns the sitemaps of a file, as written.
        several_tokens: like ``verdict``, for a crawler with several product tokens, most specific first. Without it such
            questions count as unanswered.
        answers: functions for other kinds of question by name, as PROTOCOL.md describes them: each takes the question
            and returns the keys of its answer, or raises `Unsupported`.
    """
    known: Dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]] = {
        "verdict": lambda question: _verdict(verdict, several_tokens, question)
    }
    if sitemaps is not None:
        listed = sitemaps
        known["sitemaps"] = lambda question: {"sitemaps": list(listed(_octets(question)))}
    known.update(answers or {})
    hello = {"protocol": 1, "name": name or getattr(verdict, "__name__", "subject"), "language": "python"}
    if version is not None:
        hello["version"] = version
    hello = {**hello, "answers": list(known), "editions": list(editions)}
    # A parser that prints must not break the protocol.
    out, sys.stdout = sys.stdout, sys.stderr
    try:
        _loop(sys.stdin.buffer, out.buffer, hello, known)
    finally:
        sys.stdout = out


def _loop(
    questions: BinaryIO,
    out: BinaryIO,
    hello: Mapping[str, Any],
    known: Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]],
) -> None:
    for line in questions:
        question = json.loads(line)
        answer = hello if question["ask"] == "hello" else {"id": question["id"], **_answer(known, question)}
        out.write(json.dumps(answer).encode() + b"\n")
        out.flush()


def _answer(
    known: Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]], question: Mapping[str, Any]
) -> Mapping[str, Any]:
    kind = question["ask"]
    if kind not in known:
        return {"unsupported": f"no function answers {kind}"}
    try:
        return known[kind](question)
    except Unsupported as reason:
        return {"unsupported": str(reason)}
    except Exception as error:  # An exception of a parser is its answer to this question.
        return {"error": f"{type(error).__name__}: {error}"[:1000]}


def _octets(question: Mapping[str, Any]) -> bytes:
    return base64.b64decode(question["robots_txt"])


def _verdict(
    one: Callable[[bytes, str, str], Verdict],
    several: Optional[Callable[[bytes, Sequence[str], str], Verdict]],
    question: Mapping[str, Any],
) -> Mapping[str, Any]:
    tokens, url = question["crawler"], question["url"]
    if len(tokens) == 1:
        given = one(_octets(question), tokens[0], url)
    elif several is not None:
        given = several(_octets(question), tokens, url)
    else:
        raise Unsupported("a crawler has one product token here, not a list")
    allowed, line = given if isinstance(given, tuple) else (given, None)
    if not isinstance(allowed, bool):
        raise TypeError(f"a verdict is True or False, not {allowed!r}")
    answer: Dict[str, Any] = {"verdict": "allow" if allowed else "disallow"}
    return answer if line is None else {**answer, "line": line}
