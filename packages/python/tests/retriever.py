"""The retrieval of this package as a subject of the timelines:
`robots-conformance run --subject 'python retriever.py WHAT'`.

WHAT is the part of the package that answers: `cache`, which this program drives itself; or `client` or `async`, which
get a transport that asks the runner. The runner provides the clock and the network.
"""

import asyncio
import base64
import json
import sys
from importlib.metadata import version

from robots_verdicts import AsyncClient, Cache, Client, Settings, Wait

EDITIONS = ["google-2018", "google-2019", "google-2022", "rfc9309", "aipref-2026-08"]
# The time at which each timeline starts: 2030-01-01 00:00 GMT. Dates in header fields refer to this time.
START = 1_893_456_000
FAILURES = {
    "dns": "dns",
    "refused": "connection",
    "reset": "connection",
    "tls": "connection",
    "timeout": "timeout",
    "invalid-response": "invalid-response",
}


def say(message):
    print(json.dumps(message), flush=True)


class Timeline:
    """The current timeline: its clock, its network, and a store that survives restarts."""

    def __init__(self, question):
        self.id = question["id"]
        self.at = 0
        self.step = 0
        self.store = {}
        self.options = {
            "identification": question.get("identification"),
            "settings": Settings(edition=question["edition"]),
            "store": self.store,
            "clock": lambda: START + self.at,
        }
        self.crawler = question["crawler"]

    def send(self, request, retrieval):
        """Asks the runner instead of a network."""
        fields = dict(request.fields)
        say({"id": self.id, "request": {"step": self.step, "at": self.at, "url": request.url, "fields": fields}})
        reply = json.loads(sys.stdin.readline())["reply"]
        self.at += reply.get("delay", 0)
        if "failure" in reply:
            return retrieval.failed(FAILURES[reply["failure"]], reply["failure"])
        body = base64.b64decode(reply.get("body", ""))
        wants_more = retrieval.head(reply["status"], reply.get("fields", []))
        # The body arrives in parts, as from a network.
        for start in range(0, len(body), 1000):
            if not wants_more:
                break
            wants_more = retrieval.data(body[start : start + 1000])
        if reply.get("cut") and wants_more:
            return retrieval.failed("incomplete", "the body was cut")
        return retrieval.end()


class Driven:
    """The cache. This program drives it."""

    def __init__(self, timeline):
        self.timeline = timeline
        self.cache = Cache(timeline.crawler, **timeline.options)

    def verdict(self, url):
        verdict = self.cache.verdict(url)
        if verdict is not None:
            return verdict
        retrieval = self.cache.retrieval(url)
        while (step := retrieval.step()) is not None:
            assert not isinstance(step, Wait), "no other retrieval is running"
            self.timeline.send(step, retrieval)
        return retrieval.verdict(url)


class Blocking:
    """The client without async."""

    def __init__(self, timeline):
        self.client = Client(timeline.crawler, http=timeline.send, **timeline.options)

    def verdict(self, url):
        return self.client.verdict(url)


class Looped:
    """The client for asyncio."""

    def __init__(self, timeline):
        async def send(request, retrieval):
            timeline.send(request, retrieval)

        self.client = AsyncClient(timeline.crawler, http=send, **timeline.options)

    def verdict(self, url):
        return LOOP.run_until_complete(self.client.verdict(url))


SUBJECTS = {"cache": Driven, "client": Blocking, "async": Looped}


def answer(question, subject):
    timeline = Timeline(question)
    retriever, steps = None, []
    for timeline.step, step in enumerate(question["steps"]):
        timeline.at = step["at"]
        if retriever is None or step.get("restart"):
            retriever = subject(timeline)
        steps.append([written(retriever.verdict(url), step) for url in step["urls"]])
    return steps


def written(verdict, step):
    """Returns a verdict as the protocol has it, with the usage if the step asks for it."""
    fields = {"verdict": "allow" if verdict else "disallow", "because": verdict.basis}
    if step.get("ask") == "usage":
        usage = verdict.usage(header=[base64.b64decode(line) for line in step.get("content_usage", [])])
        applies = usage is not None and usage.preferences is not None
        fields |= {"usage": usage.preferences if applies else "not-applicable", "lines": usage.lines if usage else []}
    return fields


def main(what):
    for line in sys.stdin:
        question = json.loads(line)
        if question["ask"] == "hello":
            hello = {"protocol": 1, "name": f"robots-verdicts-{what}", "language": "python"}
            hello["version"] = version("robots-verdicts")
            say({**hello, "roles": ["retriever"], "answers": ["timeline"], "editions": EDITIONS, "clock": True})
            continue
        try:
            say({"id": question["id"], "timeline": answer(question, SUBJECTS[what])})
        except Exception as error:
            say({"id": question["id"], "error": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    LOOP = asyncio.new_event_loop()
    main(sys.argv[1])
