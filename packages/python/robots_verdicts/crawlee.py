"""Robots.txt for Crawlee: after a crawler is made with ``respect_robots_txt_file=True``,

    from robots_verdicts.crawlee import obey

    obey(crawler, "examplebot", identification="examplebot/1.0 (+https://example.com/bot)")

Crawlee then follows the groups of this product token; those of ``*`` apply only if the file does not name it. A
robots.txt that cannot be fetched allows nothing, copies expire, and redirects, lifetimes and retries are those of the
documents. A slow robots.txt delays only its own site. As before, Crawlee itself skips the forbidden links, and counts
and reports them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crawlee._utils.robots import RobotsTxtFile
from crawlee.http_clients import ImpitHttpClient
from yarl import URL

from . import AsyncClient, Cache, FetchVerdict, Request, Retrieval, Settings
from ._adapters import connecting, curl_limit, named, proxy_in_use, watch_pool
from ._attempt import ANY_PROXY, Attempt, Reports
from ._connect import governed, permits
from ._ending import check_curl, check_tls_end, check_uncoded, uncoded
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
        agent: the crawler's product token, or several, most specific first. A whole ``User-Agent`` is read for its
            tokens. A crawler without a token follows the groups of ``*``, and a warning says so.
        identification: the text that is sent as ``User-Agent`` for robots.txt. Without it, the product token is sent.
        http_client: a client of Crawlee that follows no redirect, because the retrieval decides about each one. The
            default is an ``ImpitHttpClient(follow_redirects=False, browser=None)``. Give it the proxies and the TLS
            settings that the requests for robots.txt need, because those of the crawler's own client do not apply to
            them. If the crawler or its own client has a proxy, this argument is required.
        settings: the edition, lifetimes and retries.
        store: keeps records outside memory and between runs.

    Raises:
        ValueError: the crawler does not respect robots.txt, or it uses a proxy and `http_client` is missing.
    """
    if not crawler._respect_robots_txt_file:
        raise ValueError("make the crawler with respect_robots_txt_file=True")
    if http_client is None and (crawler._proxy_configuration or _given_proxy(crawler._http_client)):
        # Without a proxy, the requests for robots.txt would show the address of this machine.
        raise ValueError("the crawler uses a proxy: give obey() an http_client for robots.txt, with a proxy if needed")
    http = http_client or ImpitHttpClient(follow_redirects=False, browser=None)

    kinds = {kind.__name__ for kind in type(http).__mro__}
    is_curl = "CurlImpersonateHttpClient" in kinds

    async def send(request: Request, retrieval: Retrieval, attempt: Attempt) -> None:
        attempt.proxy = _proxy(http, request.url)
        if is_curl:
            connecting.set(attempt)
            from curl_cffi import CurlOpt

            session = http._get_client(None)  # type: ignore[attr-defined]
            watch_pool(session)
            session.curl_options = {**(session.curl_options or {}), CurlOpt.TIMEOUT_MS: curl_limit(client._timeouts)}
        else:
            # Impit has no limit, and Crawlee's limit for httpx, 1,000, is more than the requests of an `AsyncClient`.
            attempt.connects()
        # Crawlee's clients decode the body.
        async with http.stream(request.url, headers=uncoded(request)) as response:
            status, version, fields = response.status_code, response.http_version, list(response.headers.items())
            attempt.begins(status, version, fields)
            # If curl is used, only an octet of the body shows that the whole head has arrived.
            attempt.has_head = not is_curl
            if wanted := retrieval.head(status, fields):
                check_uncoded(fields)
            begins = is_enough = False
            if wanted or is_curl:
                async for part in response.read_stream():
                    begins = attempt.has_head = True
                    is_enough = not (wanted and retrieval.data(part))
                    if is_enough:
                        break
            if is_curl:
                check_curl(status, version, fields, begins=begins, wanted=wanted and not is_enough)
            elif "HttpxHttpClient" in kinds and wanted and not is_enough:
                # Crawlee's client with httpx does not notice that a TLS connection ended without `close_notify`.
                check_tls_end(request.url.partition(":")[0], status, version, fields)
        retrieval.end()

    agent, identification = named(agent, identification, prefix="", default="crawlee")
    client = AsyncClient(agent, identification=identification, http=Reports(send), settings=settings, store=store)

    async def file_for(url: str) -> RobotsTxtFile | None:
        try:
            asked = governed(url)
        except ValueError:
            return _Forbidden()
        if asked is None:
            return None
        return _File(client, await client.verdict(asked), http)

    # Crawlee calls this method before each request, and for the links of each page.
    crawler._get_robots_txt_file_for_url = file_for  # type: ignore[method-assign]
    return client


def _proxy(http: HttpClient, url: str) -> str:
    """Return the proxy with which a client of Crawlee was made, or the proxy of the environment. If there is neither,
    return `ANY_PROXY`, because a client does not report whether it uses a proxy."""
    return proxy_in_use(url, _given_proxy(http)) or ANY_PROXY


def _given_proxy(http: HttpClient) -> object:
    """Return the proxy with which a client of Crawlee was made."""
    options = {**getattr(http, "_async_client_kwargs", {}), **getattr(http, "_async_session_kwargs", {})}
    return getattr(http, "_proxy", None) or options.get("proxy") or options.get("proxies")


class _Forbidden(RobotsTxtFile):
    """The rules for a URL whose origin is unclear: HTTP clients do not agree about it."""

    def __init__(self) -> None:
        """Have no rules and no sitemaps."""
        super().__init__("http://unclear.invalid", Protego())  # type: ignore[arg-type]

    def is_allowed(self, url: str, user_agent: str = "*") -> bool:
        """Return that the URL may not be fetched."""
        return False


class _File(RobotsTxtFile):
    """The rules of an origin, with the interface that Crawlee expects."""

    def __init__(self, client: AsyncClient, verdict: FetchVerdict, http: HttpClient) -> None:
        self._client = client
        self._verdict = verdict
        # Crawlee reads only the sitemaps of this object.
        self._robots = verdict  # type: ignore[assignment]
        self._original_url = URL(verdict.url).origin()
        self._http_client = http
        self._proxy_info = None

    def is_allowed(self, url: str, user_agent: str = "*") -> bool:
        """Return whether the crawler may fetch a URL. A URL of another origin is allowed if the file of that origin is
        not known yet, because Crawlee asks again before it requests the URL."""
        try:
            asked = governed(url)
        except ValueError:
            return False
        if asked is None:
            return True
        verdict = self._client.cache.verdict(asked)
        if verdict is None:
            if Cache.key(asked) != Cache.key(self._verdict.url):
                return True
            verdict = self._verdict.beside(asked)
        return permits(verdict, asked)

    def get_crawl_delay(self, user_agent: str = "*") -> int | None:
        """Return the seconds that the file asks a crawler to wait between two requests."""
        delay = self._verdict.crawl_delay
        return None if delay is None else int(delay)
