"""The parser for Scrapy: in the settings of a project,

    ROBOTSTXT_OBEY = True
    ROBOTSTXT_PARSER = "robots_verdicts.scrapy.RobotsVerdictsParser"

Scrapy hands a parser the whole ``USER_AGENT`` unless ``ROBOTSTXT_USER_AGENT`` is set. The groups of its product tokens
are followed, those of ``*`` where the file names none of them. A ``USER_AGENT`` without a product token follows the groups
of ``*``, and a warning says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.robotstxt import RobotParser

from .protego import Protego

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

__all__ = ["RobotsVerdictsParser"]


class RobotsVerdictsParser(RobotParser):
    """A robots.txt for Scrapy."""

    def __init__(self, robotstxt_body: bytes) -> None:
        self._robots = Protego.parse(robotstxt_body)

    @classmethod
    def from_crawler(cls, crawler: Crawler, robotstxt_body: bytes) -> RobotsVerdictsParser:
        """Read the octets as they came: what encoding they have is robots.txt's to say, not the project's."""
        return cls(robotstxt_body)

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        """Return whether a URL may be fetched by the crawler that sends this ``User-Agent``."""
        return self._robots.can_fetch(_text(url), _text(user_agent))

    def crawl_delay(self, user_agent: str | bytes) -> float | None:
        """Return the seconds between two requests that the file asks for."""
        return self._robots.crawl_delay(_text(user_agent))


def _text(given: str | bytes) -> str:
    return given if isinstance(given, str) else given.decode(errors="replace")
