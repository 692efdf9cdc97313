"""Makes a parser or a retriever in Python a subject, which ``robots-conformance run --subject`` starts and asks."""

import base64
import sys
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Tuple, Union

from . import _timeline
from ._protocol import Messages, Unsupported

Verdict = Union[bool, Tuple[bool, Optional[int]]]
"""Whether the URL may be fetched, and maybe the number of the deciding line, from 1."""


def serve(
    verdict: Optional[Callable[[bytes, str, str], Verdict]] = None,
    *,
    name: Optional[str] = None,
    version: Optional[str] = None,
    editions: Sequence[str] = ("rfc9309",),
    sitemaps: Optional[Callable[[bytes], Sequence[str]]] = None,
    several_tokens: Optional[Callable[[bytes, Sequence[str], str], Verdict]] = None,
    answers: Optional[Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]] = None,
    retriever: Optional[_timeline.Factory] = None,
    clock: bool = False,
) -> None:
    """Answer the suite's questions with functions, until standard input ends.

    This is a complete subject for ``robots-conformance run --subject 'python3 subject.py'``::

        from protego import Protego
        from robots_conformance import serve

        def allowed(robots_txt: bytes, agent: str, url: str) -> bool:
            return Protego.parse(robots_txt.decode(errors="replace")).can_fetch(url, agent)

        serve(allowed, name="Protego")

    A retriever sends its requests through a `Timeline`::

        from robots_conformance import Timeline, serve

        def start(timeline: Timeline):
            robots = MyRobots(timeline.token, timeline.send, clock=lambda: timeline.now, store=timeline.store)
            return robots.may_fetch  # receives a URL

        serve(retriever=start, clock=True, name="MyRobots")

    If a function raises an exception, that question counts as an error. Printed text goes to standard error.

    Args:
        verdict: receives a file, a product token and a URL, and returns whether the token's crawler may fetch the URL.
        name: the name of the subject in reports; the default is the name of the function that is served.
        version: the version of the parser or retriever, for readers.
        editions: the editions that the subject implements. The runner asks about another edition only if
            ``--edition`` names it.
        sitemaps: returns the sitemaps of a file, as written.
        several_tokens: like ``verdict``, for a crawler with several product tokens, most specific first. Without this
            function, such questions count as unanswered.
        answers: functions for other kinds of question by name, as PROTOCOL.md describes them: each takes the question
            and returns the keys of its answer, or raises `Unsupported`.
        retriever: receives a `Timeline`, and returns a function that receives a URL and returns whether it may be
            fetched, maybe with the reason. It is called at the start of each timeline, and again at each restart, with
            the same `Timeline`. Both functions may be asynchronous.
        clock: whether the retriever takes its time from ``Timeline.now`` and keeps its data in ``Timeline.store``.
            If it does not, timelines in which time passes or the retriever restarts are not asked.
    """
    messages = Messages(sys.stdin.buffer, sys.stdout.buffer)
    known: Dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]] = {}
    if verdict is not None:
        one = verdict
        known["verdict"] = lambda question: _verdict(one, several_tokens, question)
    if sitemaps is not None:
        listed = sitemaps
        known["sitemaps"] = lambda question: {"sitemaps": list(listed(_octets(question)))}
    known.update(answers or {})
    if retriever is not None:
        start = retriever
        known["timeline"] = lambda question: _timeline.answer(start, messages, question)
    if not known:
        raise TypeError("serve() has no function; pass `verdict` or `retriever`")
    named = getattr(verdict or retriever, "__name__", "subject")
    hello: Dict[str, Any] = {"protocol": 1, "name": name or named, "language": "python"}
    if version is not None:
        hello["version"] = version
    hello.update(answers=list(known), editions=list(editions))
    if retriever is not None:
        parser = [] if list(known) == ["timeline"] else ["parser"]
        hello.update(roles=[*parser, "retriever"], clock=clock)
    # The runner reads standard output as messages of the protocol, so the text that a parser prints goes to standard
    # error.
    out, sys.stdout = sys.stdout, sys.stderr
    try:
        while (question := messages.hear()) is not None:
            is_hello = question["ask"] == "hello"
            messages.say(hello if is_hello else {"id": question["id"], **_answer(known, question)})
    finally:
        sys.stdout = out


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
    except Exception as error:  # An exception of the subject is its answer to this question.
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
