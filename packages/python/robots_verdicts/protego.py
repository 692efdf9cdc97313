"""The interface of Protego, with the verdicts of this package: instead of ``from protego import Protego``,

    from robots_verdicts.protego import Protego

    robots = Protego.parse("user-agent: *\\ndisallow: /private\\n")
    robots.can_fetch("https://example.com/private/x", "examplebot")  # False

A user agent is a product token, a whole ``User-Agent`` header, or ``*``. The documentation lists what differs from
Protego.
"""

from __future__ import annotations

import functools
import logging
import re
from collections.abc import Callable, Iterator
from datetime import time
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from . import RobotsTxt, RuleSet, parse, product_tokens

if TYPE_CHECKING:
    from ._native import Edition

__all__ = ["Protego", "RequestRate", "VisitTime"]

logger = logging.getLogger(__name__)

T = TypeVar("T")


class RequestRate(NamedTuple):
    """At most ``requests`` in ``seconds``, from ``start_time`` to ``end_time`` (UTC) if these are given."""

    requests: int
    seconds: int
    start_time: time | None
    end_time: time | None


class VisitTime(NamedTuple):
    """The hours in which a site wants to be crawled, in UTC."""

    start_time: time
    end_time: time


class Protego:
    """A parsed robots.txt. Threads may share it, and it can be pickled."""

    def __init__(self) -> None:
        """Make an object for an empty file, as Protego does. To read a file, use :meth:`parse`."""
        self._robots: RobotsTxt = parse(b"")
        self._rules: dict[str, RuleSet] = {}

    @classmethod
    def parse(cls, content: str | bytes, *, edition: Edition = "google-2022", limit: int | None = None) -> Protego:
        """Read a robots.txt, as octets or as text. The parser accepts any content except text with a lone surrogate.

        ``limit`` is the number of octets that are read; by default it is 500 KiB. Protego has no such arguments.

        Raises:
            ValueError: there is no such edition, or the limit is out of range.
        """
        protego = cls()
        protego._robots = parse(content, edition=edition, limit=limit)
        return protego

    def can_fetch(self, url: str, user_agent: str) -> bool:
        """Return whether a crawler may fetch a URL.

        Raises:
            ValueError: the URL begins neither with a scheme and ``://`` nor with ``/`` or ``?``.
        """
        rules = self._rules.get(user_agent)
        if rules is None:
            rules = self._rules[user_agent] = self._robots.rules_for(_tokens(user_agent))
        return rules.allows(url)

    def crawl_delay(self, user_agent: str) -> float | None:
        """Return the seconds that the file asks a crawler to wait between two requests."""
        return self._robots.crawl_delay(_tokens(user_agent))

    def request_rate(self, user_agent: str) -> RequestRate | None:
        """Return the first valid ``request-rate`` for a crawler."""
        return _first(_rate, self._robots.values("request-rate", _tokens(user_agent)))

    def visit_time(self, user_agent: str) -> VisitTime | None:
        """Return the first valid ``visit-time`` for a crawler."""
        return _first(_visit, self._robots.values("visit-time", _tokens(user_agent)))

    @property
    def sitemaps(self) -> Iterator[str]:
        """The sitemaps as written, in the order of the file."""
        return iter(self._robots.sitemaps)

    @property
    def preferred_host(self) -> str | None:
        """The value of the last ``host`` line that has one."""
        hosts = [host for host in self._robots.values("host") if host]
        return hosts[-1] if hosts else None


@functools.lru_cache(maxsize=1024)
def _tokens(user_agent: str) -> str | list[str]:
    """Return the product tokens of a user agent, or ``*`` if it names no product. Because of the cache, the same user
    agent seldom causes a second warning."""
    if user_agent.strip() == "*":
        return "*"
    try:
        return product_tokens(user_agent)
    except ValueError as error:
        logger.warning("%s; the groups of * are followed. Give it a name, for example 'examplebot'", error)
        return "*"


_RATE = re.compile(r"([0-9]+)/([0-9]+)([smhd]?)", re.IGNORECASE)
_PERIOD = re.compile(r"([0-9]{3,4})\s*[-\s]\s*([0-9]{3,4})")
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


def _first(read: Callable[[str], T | None], values: list[str]) -> T | None:
    return next((valid for valid in map(read, values) if valid is not None), None)


def _rate(value: str) -> RequestRate | None:
    """Read ``1/5``, ``10/1m`` or ``1/10s 0400-0845``."""
    rate, _, rest = value.partition(" ")
    given = _RATE.fullmatch(rate)
    period = _visit(rest.strip()) if rest else None
    if given is None or (rest and period is None):
        return None
    requests, seconds = int(given[1]), int(given[2]) * _SECONDS[given[3].lower()]
    if requests == 0 or seconds == 0:
        return None
    return RequestRate(requests, seconds, *(period or (None, None)))


def _visit(value: str) -> VisitTime | None:
    """Read ``0400-0845`` or ``0400 0845``."""
    given = _PERIOD.fullmatch(value)
    try:
        return VisitTime(*(time(int(word[:-2]), int(word[-2:])) for word in given.groups())) if given else None
    except ValueError:
        # The hour or the minute is too great for a time of day.
        return None
