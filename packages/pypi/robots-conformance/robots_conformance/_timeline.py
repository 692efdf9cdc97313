"""Takes a retriever through the steps of a timeline.

Start at `answer`. It calls the factory of the retriever at the first step and at each restart. The retriever gets a
`Timeline`, which contains its network, its clock and its store. The network sends each request to the runner.
"""

import asyncio
import base64
import threading
from typing import Any, Awaitable, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, TypedDict, TypeVar, Union

from ._protocol import Messages, Unsupported

# The start of every timeline: 2030-01-01 00:00 GMT.
START = 1893456000

Some = TypeVar("Some")


class Reply(TypedDict, total=False):
    """The result of a request: either a response, which has ``status``, or a ``failure``."""

    status: int
    fields: List[Tuple[str, str]]
    """The header fields of a response in order, with names in lower case."""
    body: bytes
    """The octets of the body: still in their content coding, but without the marks between chunks."""
    cut: bool
    """Whether the connection ended before the whole body had arrived."""
    failure: str
    """``dns``, ``refused``, ``reset``, ``tls``, ``timeout`` or ``invalid-response``."""
    delay: int
    """The number of seconds until the reply arrived. The clock of the timeline includes them already."""


class Timeline:
    """The parts that a retriever gets from a timeline: the name of the crawler, the network, the clock and the store."""

    tokens: Sequence[str]
    """The crawler's product tokens, most specific first."""
    identification: str
    """The text with which the crawler identifies itself, for example in ``User-Agent``: often only the first token."""
    edition: str
    """The edition of the question, for example ``rfc9309``."""
    now: float
    """The time of the virtual clock, in seconds since 1970. Every timeline starts on 2030-01-01 at 00:00 GMT."""
    store: Dict[Any, Any]
    """The data that a restart does not erase. It is empty at the start of the timeline."""

    def __init__(self, question: Mapping[str, Any], messages: Messages) -> None:
        self.tokens = question["crawler"]
        self.identification = question.get("identification", self.tokens[0])
        self.edition = question["edition"]
        self.now = START
        self.store = {}
        self._id = question["id"]
        self._step: Optional[int] = None
        self._messages = messages
        # A retriever may send requests from several threads, but a reply belongs to the request before it.
        self._lock = threading.Lock()

    @property
    def token(self) -> str:
        """The crawler's product token.

        Raises:
            Unsupported: if there are several. Then the whole timeline counts as unanswered.
        """
        if len(self.tokens) != 1:
            raise Unsupported("a crawler has one product token here, not a list")
        return self.tokens[0]

    def send(self, url: str, fields: Optional[Mapping[str, str]] = None, at: Optional[float] = None) -> Reply:
        """Send a request, and return its result. Redirects are not followed.

        Threads and asynchronous functions may call it too. It does not wait for the delay of the reply, but moves
        the clock of the timeline to the time when the reply arrived.

        Args:
            url: the URL that is requested.
            fields: the header fields of the request.
            at: the time of the request, as in ``now``, which is the default.
        """
        with self._lock:
            if self._step is None:
                raise RuntimeError(f"a request for {url} after the end of the timeline")
            at = self.now if at is None else at
            if at < START:
                raise ValueError(f"`at` is {at}; it is a time in seconds since 1970, as `now` is")
            request = {"step": self._step, "at": int(at - START), "url": url, "fields": dict(fields or {})}
            self._messages.say({"id": self._id, "request": request})
            message = self._messages.hear()
            if message is None:
                raise EOFError("standard input ended before the reply")
            given = message["reply"]
            delay = given.get("delay", 0)
            self.now = max(self.now, at + delay)
        if "failure" in given:
            return {"failure": given["failure"], "delay": delay}
        return {
            "status": given["status"],
            "fields": [(name, value) for name, value in given.get("fields", [])],
            "body": base64.b64decode(given["body"]),
            "cut": given.get("cut", False),
            "delay": delay,
        }

    def _begin(self, step: int, at: int) -> None:
        with self._lock:
            self._step, self.now = step, START + at

    def _end(self) -> None:
        # The lock waits for the reply to a request of another thread, because the main loop must not read this reply.
        with self._lock:
            self._step = None


RetrievedVerdict = Union[bool, Tuple[bool, Optional[str]]]
"""Whether the URL may be fetched, and maybe the reason: a value of ``because`` in PROTOCOL.md."""

Retriever = Callable[[str], Union[RetrievedVerdict, Awaitable[RetrievedVerdict]]]
"""Receives a URL, and returns whether it may be fetched. It may be asynchronous."""

Factory = Callable[[Timeline], Union[Retriever, Awaitable[Retriever]]]
"""Receives the `Timeline`, starts a retriever and returns it. It may be asynchronous."""


def answer(factory: Factory, messages: Messages, question: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the verdicts of a retriever at each step of a timeline."""
    if any("ask" in step for step in question["steps"]):
        raise Unsupported("this retriever answers whether URLs may be fetched, not which uses are allowed")
    timeline = Timeline(question, messages)
    # All asynchronous functions of a timeline share one loop, because connections and locks belong to a loop.
    loop = asyncio.new_event_loop()

    def finished(value: Union[Some, Awaitable[Some]]) -> Some:
        return loop.run_until_complete(value) if isinstance(value, Awaitable) else value

    answers = []
    retriever: Optional[Retriever] = None
    try:
        for index, step in enumerate(question["steps"]):
            timeline._begin(index, step["at"])
            if retriever is None or step.get("restart"):
                retriever = None  # Drops the old retriever, so that its files close before the new one starts.
                retriever = finished(factory(timeline))
            answers.append([_verdict(finished(retriever(url))) for url in step["urls"]])
    finally:
        _close(loop)
        timeline._end()
    return {"timeline": answers}


def _verdict(given: object) -> Mapping[str, str]:
    allowed, because = given if isinstance(given, tuple) else (given, None)
    if not isinstance(allowed, bool):
        raise TypeError(f"a verdict is True or False, not {allowed!r}")
    word = "allow" if allowed else "disallow"
    return {"verdict": word} if because is None else {"verdict": word, "because": because}


def _close(loop: asyncio.AbstractEventLoop) -> None:
    """Close a loop and end its tasks: a task in the background must not send requests in the next timeline."""
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    if tasks:
        loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
    loop.close()
