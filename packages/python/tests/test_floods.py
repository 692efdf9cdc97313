"""Sites that send octets without end. Every client ends the exchange within its limits. It is a failure, so it allows
nothing. The tests of robots-fetch use the same table. Start at `FLOODS`."""

import contextlib
import json
import time
from pathlib import Path

import pytest
from robots_verdicts import Timeouts
from sites import Site, answer
from test_clients import KINDS, ask
from test_malformed import octets
from test_scrapy import run

TABLE = json.loads((Path(__file__).parent / "floods.json").read_text(encoding="utf-8"))
FLOODS = {row["name"]: (octets(row["first"]), octets(row["repeated"]), row["pause"]) for row in TABLE["floods"]}
"""The octets that come first, those that are repeated, and the seconds between them."""
LIMIT = 1
LIMITS = Timeouts(connect=LIMIT, answer=0.5, idle=0.5, total=LIMIT)


class Flood(Site):
    """A site that measures how long each client keeps a connection. It gives up after ten times the limit."""

    def __init__(self, first, repeated, pause):
        super().__init__(self.respond)
        self.sends = first, repeated, pause
        self.seconds = []

    def respond(self, connection):
        first, repeated, pause = self.sends
        begin = time.monotonic()
        connection.settimeout(10 * LIMIT)
        with contextlib.suppress(OSError):
            connection.sendall(first)
            while time.monotonic() < begin + 10 * LIMIT:
                connection.sendall(repeated)
                time.sleep(pause)
        self.seconds.append(time.monotonic() - begin)


@pytest.mark.parametrize("kind", [*KINDS, "scrapy"])
@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_ends_within_the_limit_and_allows_nothing(name, kind):
    with Flood(*FLOODS[name]) as site:
        if kind == "scrapy":
            run(site, ["/x"], {"DOWNLOAD_TIMEOUT": LIMIT, "LOG_ENABLED": False})
        else:
            (verdict,) = ask(kind, [f"{site.origin}/x"], timeouts=LIMITS)
            assert (verdict.allowed, verdict.basis) == (False, "unreachable"), str(verdict)
    assert {request.split()[1] for request in site.requests} == {"/robots.txt"}
    while len(site.seconds) < len(site.requests):
        time.sleep(0.05)
    # A busy machine needs more time than the limit.
    assert max(site.seconds) < 5 * LIMIT


@pytest.mark.parametrize(
    ("kind", "interim", "basis"),
    [
        *((kind, 32, "rules") for kind in KINDS),
        ("standard", 33, "unreachable"),
        ("async aiohttp", 33, "unreachable"),
        # 65,538 octets, which count as parts of the head.
        ("httpx", 3641, "unreachable"),
        ("async httpx", 3641, "unreachable"),
    ],
)
def test_the_number_of_interim_answers_is_bounded(kind, interim, basis):
    file = answer(200, b"user-agent: *\ndisallow: /\n")
    with Site(b"HTTP/1.1 103 x\r\n\r\n" * interim + file) as site:
        (verdict,) = ask(kind, [f"{site.origin}/x"])
    assert (verdict.allowed, verdict.basis) == (False, basis), str(verdict)
