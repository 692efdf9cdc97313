"""Code that the adapters share: it reads a file, finds the product tokens, the identification and the proxy of a
crawler, and watches the pool of curl_cffi.

The settings of a crawler may name no product. Such a crawler follows the groups of ``*``, and a warning says so. No
error is raised, because it would end the crawl."""

from __future__ import annotations

import logging
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from . import Settings
from ._attempt import Attempt, proxy_name
from ._connect import Target, Timeouts, proxy_of
from .protego import Protego, _tokens

if TYPE_CHECKING:
    from ._native import Agent

logger = logging.getLogger(__name__)


def read(body: bytes | None, settings: Settings | None) -> Protego:
    """Read a file as a cache with these settings reads it."""
    settings = settings or Settings()
    return Protego.parse(body or b"", edition=settings.edition, limit=settings.limit)


def tokens(agent: Agent) -> str | list[str]:
    """Return the product tokens of a crawler, or ``*`` if it has none. The crawler is a ``User-Agent`` header, or
    several, most specific first."""
    if isinstance(agent, str):
        return _tokens(agent)
    found = [token for given in agent for token in _tokens(given) if token != "*"]
    return list(dict.fromkeys(found)) or "*"


def named(agent: Agent, given: str | None, *, prefix: str, default: str) -> tuple[str | list[str], str | None]:
    """Return the product tokens of a crawler, and the text that identifies it. The text is `None` if the first token
    identifies it.

    A warning names one of two settings, whose names begin with `prefix`. `default` identifies a crawler without a
    product token.
    """
    found = tokens(agent)
    if found != "*":
        default = found if isinstance(found, str) else found[0]
    elif given is None:
        # A crawler without a product token needs a separate text for the User-Agent field.
        text = agent if isinstance(agent, str) else " ".join(agent)
        if text.strip() == "*":
            return found, default
        return found, identification(text, setting=f"{prefix}agent", default=default)
    if given is not None:
        given = identification(given, setting=f"{prefix}identification", default=default)
    return found, given


def proxy_in_use(url: str, given: object) -> str | None:
    """Return the name of the `given` proxy of an HTTP client, without credentials. If no proxy is given, return the
    name of the proxy of the environment for the URL."""
    if given:
        return proxy_name(given) if isinstance(given, str) else "of the settings"
    found = proxy_of(Target(url))
    return None if found is None else found.name


def watch_pool(session: Any) -> None:
    """Make an ``AsyncSession`` of curl_cffi report when a request has a place in its pool, which has ten places by
    default. The task that sends the request sets `connecting` first."""
    if "pop_curl" in vars(session):
        return
    pop = session.pop_curl

    async def pop_curl() -> Any:
        curl = await pop()
        attempt = connecting.get(None)
        if attempt is not None:
            attempt.connects()
        return curl

    session.pop_curl = pop_curl


def curl_limit(timeouts: Timeouts) -> int:
    """Return the milliseconds after which curl itself ends a request: before the client cancels it. If a request is
    cancelled, curl_cffi 0.16 ends the process, or keeps the place in its pool until the site closes the connection."""
    return int(timeouts.total * 900)


connecting: ContextVar[Attempt] = ContextVar("robots_verdicts_connecting")
"""The request for a robots.txt that a task sends with curl_cffi."""


def identification(given: str | None, *, setting: str, default: str) -> str:
    """Return the text that identifies a crawler, or the default if the text of this setting cannot be sent."""
    if given and given.strip() and all(" " <= character <= "~" for character in given):
        return given
    logger.warning(
        "%s = %.200r is empty or not visible ASCII text, so sites cannot recognise the crawler. Give it a name, "
        "for example 'examplebot/1.0 (+https://example.com/bot)'",
        setting,
        given,
    )
    return default
