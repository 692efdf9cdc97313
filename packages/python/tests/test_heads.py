"""Malformed heads. The tests of robots-fetch use the same table, which describes itself. Start at `rows`."""

import contextlib
import json
from pathlib import Path

import pytest
from robots_verdicts import Timeouts
from sites import Site, answer
from test_clients import KINDS, ask
from test_scrapy import run

TABLE = json.loads((Path(__file__).parent / "heads.json").read_text(encoding="utf-8"))
RULES, FAILURE = (False, True), (False, False)
"""Whether a client may fetch ``/x`` and ``/open``: by the rules of the file, and after a failure."""


def octets(parts):
    parts = [parts] if isinstance(parts, str) else parts
    return "".join(part if isinstance(part, str) else part[0] * part[1] for part in parts).encode("latin-1")


def rows():
    """Returns the names of all answers, with what a client may do, and the octets."""
    for ending in TABLE["endings"]:
        for row in TABLE["heads"]:
            accept = ending["accept"] if ending["accept"] == "failure" else row["accept"]
            head = octets(row["octets"]).replace(b"{code}", ending["code"].encode())
            yield f"{row['name']}: {ending['name']}", accept, head + octets(ending["octets"])
    for row in TABLE["answers"]:
        yield row["name"], row["accept"], octets(row["octets"])


class Web(Site):
    """A site that answers the request for robots.txt with octets. It has pages, and the file at another URL."""

    def __init__(self, given):
        super().__init__(self.respond)
        self.given = given

    def respond(self, connection):
        path = self.requests[-1].split()[1]
        given = {"/robots.txt": self.given, "/moved": answer(200, TABLE["file"].encode())}
        # A client that refuses the head closes its connection.
        with contextlib.suppress(OSError):
            connection.sendall(given.get(path, answer(200, b"page")))


@pytest.mark.parametrize("kind", [*KINDS, "scrapy"])
def test_no_malformed_head_allows_what_the_file_forbids(kind):
    wrong = []
    with contextlib.ExitStack() as stack:
        sites = [(name, accept, stack.enter_context(Web(given))) for name, accept, given in rows()]
        urls = [f"{site.origin}{path}" for _, _, site in sites for path in ("/x", "/open")]
        if kind == "scrapy":
            run(sites[0][2], urls, {"LOG_ENABLED": False})
            asked = {f"{site.origin}{request.split()[1]}" for _, _, site in sites for request in site.requests}
            allowed = [url in asked for url in urls]
        else:
            limits = Timeouts(connect=10, answer=10, idle=10, total=10)
            allowed = [verdict.allowed for verdict in ask(kind, urls, timeouts=limits)]
        seen = list(zip(allowed[::2], allowed[1::2]))
    permitted = {"rules": [RULES], "failure": [FAILURE], "either": [RULES, FAILURE]}
    for (name, accept, _), verdicts in zip(sites, seen):
        if verdicts not in permitted[accept]:
            wrong.append((name, accept, verdicts))
    assert wrong == []
