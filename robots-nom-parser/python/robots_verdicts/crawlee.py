"""Robots.txt for Crawlee: after a crawler is made with ``respect_robots_txt_file=True``,

    from robots_verdicts.crawlee import obey

    obey(crawler, "examplebot", identification="examplebot/1.0 (+https://example.com/bot)")

Crawlee then follows the groups of this product token, and not those of ``*``. A robots.txt that cannot be fetched allows
nothing, copies expire, and redirects, lifetimes and retries are those of the documents. A slow robots.txt delays only its
own site. Crawlee skips links, counts and reports as before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crawlee._utils.robots import RobotsTxtFile
from crawlee.http_clients import ImpitHttpClient
from yarl import URL

from . import AsyncClient, Cache, FetchVerdict, Request, Retrieval, Settings
from ._connect import sent
from .protego import Protego

if TYPE_CHECKING:
    from crawlee.crawlers import BasicCrawler
    from crawlee.http_clients import HttpClient

    from ._native import Agent, Store

__all__ = ["obey"]


def obey(
    crawler: BasicCrawler[Any, Any],
    agent: Agent,
    *,
    identification: str | None = None,
    http_client: HttpClient | None = None,
    settings: Settings | None = None,
    store: Store | None = None,
) -> AsyncClient:
    """Make a crawler obey robots.txt, and return the client that it asks.

    Args:
        crawler: any crawler that was made with ``respect_robots_txt_file=True``.
        agent: the crawler's product token, or several, most specific first.
        identification: the text that is sent as ``User-Agent`` for robots.txt. Without it, the product token is sent.
        http_client: a client of Crawlee that follows no redirect, because each of them is a decision here. The
            default is an ``ImpitHttpClient(follow_redirects=False)``.
        settings: the edition, lifetimes and retries.
        store: keeps records outside memory and between runs.

    Raises:
        ValueError: the agent is not a product token, or the crawler does not respect robots.txt.
    """
    if not crawler._respect_robots_txt_file:
        raise ValueError("make the crawler with respect_robots_txt_file=True")
    http = http_client or ImpitHttpClient(follow_redirects=False, browser=None)

    async def send(request: Request, retrieval: Retrieval) -> None:
        async with http.stream(request.url, headers=request.headers) as response:
            # Crawlee's clients decode the body.
            if retrieval.head(response.status_code, response.headers.items(), decoded=True):
                async for part in response.read_stream():
                    if not retrieval.data(part):
                        break
        retrieval.end()

    client = AsyncClient(agent, identification=identification, http=send, settings=settings, store=store)

    parsed: dict[str, tuple[float, Protego]] = {}

    async def file_for(url: str) -> RobotsTxtFile:
        return _File(client, agent, await client.verdict(sent(url)), http, parsed)

    # Crawlee asks this method before each request, and for the links of each page.
    crawler._get_robots_txt_file_for_url = file_for  # type: ignore[method-assign]
    return client


class _File(RobotsTxtFile):
    """The rules of an origin, with the interface that Crawlee expects."""

    def __init__(
        self,
        client: AsyncClient,
        agent: Agent,
        verdict: FetchVerdict,
        http: HttpClient,
        parsed: dict[str, tuple[float, Protego]],
    ) -> None:
        self._client = client
        self._agent = agent
        self._verdict = verdict
        self._parsed = parsed
        self._original_url = URL(verdict.url).origin()
        self._http_client = http
        self._proxy_info = None

    @property
    def _robots(self) -> Protego:  # type: ignore[override]
        """The file itself, for its sitemaps and delays. It is read once for each answer of the site."""
        key, until = Cache.key(self._verdict.url), self._verdict.until
        known = self._parsed.get(key)
        if known is None or known[0] != until:
            known = self._parsed[key] = (until, Protego.parse(self._verdict.record.body or b""))
        return known[1]

    def is_allowed(self, url: str, user_agent: str = "*") -> bool:
        """Return whether the crawler may fetch a URL. Crawlee asks about another origin again when its file is
        known."""
        try:
            url = sent(url)
            known = self._client.cache.allows(url)
            return self._verdict.beside(url).allowed if known is None else known
        except ValueError:
            return True

    def get_crawl_delay(self, user_agent: str = "*") -> int | None:
        """Return the number of seconds between two requests that the file requests."""
        delay = self._robots.crawl_delay(self._agent if isinstance(self._agent, str) else self._agent[0])
        return None if delay is None else int(delay)
