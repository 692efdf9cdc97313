"""The small retriever of docs/examples/pytest as a subject."""

from retriever import Retriever as SmallRetriever
from robots_conformance import RetrievedVerdict, Retriever, Timeline, serve


def start(timeline: Timeline) -> Retriever:
    robots = SmallRetriever(  # type: ignore[no-untyped-call]
        timeline.token, timeline.identification, timeline.send, timeline.store
    )

    def may_fetch(url: str) -> RetrievedVerdict:
        allowed, because, _ = robots.verdict(url, timeline.now)  # type: ignore[no-untyped-call]
        return allowed, because

    return may_fetch


serve(retriever=start, clock=True, name="small retriever")
