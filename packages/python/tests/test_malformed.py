"""Malformed heads and faulty bodies. The tests of robots-fetch use the same tables, which describe themselves. Start at
`rows`."""

import contextlib
import json
from pathlib import Path

import pytest
from robots_verdicts import Timeouts
from sites import Site, answer
from test_clients import KINDS, ask
from test_scrapy import run

RULES, FAILURE = (False, True), (False, False)
"""Whether a client may fetch ``/x`` and ``/open``: by the rules of the file, and after a failure."""


def octets(parts):
    parts = [parts] if isinstance(parts, str) else parts
    return "".join(part if isinstance(part, str) else part[0] * part[1] for part in parts).encode("latin-1")


def rows(table):
    """Returns the names of all answers, with what a client may do, and the octets."""
    for ending in table.get("endings", []):
        for row in table["heads"]:
            accept = ending["accept"] if ending["accept"] == "failure" else row["accept"]
            head = octets(row["octets"]).replace(b"{code}", ending["code"].encode())
            yield f"{row['name']}: {ending['name']}", accept, head + octets(ending["octets"])
    for row in table["answers"]:
        whole = octets(row["octets"])
        yield row["name"], row["accept"], whole
        if row.get("cut"):
            yield from ((f"{row['name']}: {end} octets", "either", whole[:end]) for end in range(len(whole)))


class Web(Site):
    """A site that answers the request for robots.txt with octets. It has pages, and the file at another URL."""

    def __init__(self, given, file):
        super().__init__(self.respond)
        self.given = {"/robots.txt": given, "/moved": answer(200, file)}

    def respond(self, connection):
        # A client that refuses the answer closes its connection.
        with contextlib.suppress(OSError):
            connection.sendall(self.given.get(self.requests[-1].split()[1], answer(200, b"page")))


def seen(kind, answers, file):
    """Returns for each answer whether a client may fetch ``/x`` and ``/open``."""
    with contextlib.ExitStack() as stack:
        sites = [stack.enter_context(Web(given, file)) for given in answers]
        urls = [f"{site.origin}{path}" for site in sites for path in ("/x", "/open")]
        if kind == "scrapy":
            run(sites[0], urls, {"LOG_ENABLED": False})
            asked = {f"{site.origin}{request.split()[1]}" for site in sites for request in site.requests}
            allowed = [url in asked for url in urls]
        else:
            limits = Timeouts(connect=10, answer=10, idle=10, total=10)
            allowed = [verdict.allowed for verdict in ask(kind, urls, timeouts=limits)]
    return list(zip(allowed[::2], allowed[1::2]))


AT_ONCE = 150
"""The number of sites at once, because many systems permit a process only 1,024 open files."""


@pytest.mark.parametrize("kind", [*KINDS, "scrapy"])
@pytest.mark.parametrize("name", ["heads", "bodies"])
def test_no_malformed_answer_allows_what_the_file_forbids(name, kind):
    table = json.loads((Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8"))
    permitted = {"rules": [RULES], "failure": [FAILURE], "either": [RULES, FAILURE]}
    answers, wrong = list(rows(table)), []
    assert len(answers) > 500
    for start in range(0, len(answers), AT_ONCE):
        part = answers[start : start + AT_ONCE]
        pairs = seen(kind, [given for _, _, given in part], table["file"].encode())
        for (what, accept, _), pair in zip(part, pairs, strict=True):
            if pair not in permitted[accept]:
                wrong.append((what, accept, pair))
    assert wrong == []
