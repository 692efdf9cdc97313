"""Robots.txt for the spiders of Scrapling:

    from robots_verdicts.scrapling import ObeysRobotsTxt
    from scrapling.spiders import Spider

    class Shop(ObeysRobotsTxt, Spider):
        robots_txt_agent = "examplebot"

The spider then follows the groups of this product token; those of ``*`` apply only if the file does not name it. If
the text has no product token, the spider follows the groups of ``*``, and a warning says so. A robots.txt that cannot
be fetched allows nothing, copies expire, ports and schemes have a robots.txt each, and redirects, lifetimes and retries
are those of the documents. The requests go through the session of the spider. A browser session shows neither whether a
connection was cut nor whether a coded body was cut, so use a ``FetcherSession`` for robots.txt.
"""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from curl_cffi import CurlHttpVersion, CurlInfo
from curl_cffi.requests import Response as CurlResponse
from scrapling.engines.toolbelt.custom import Response
from scrapling.fetchers import FetcherSession
from scrapling.spiders import Request as SpiderRequest
from scrapling.spiders.robotstxt import RobotsTxtManager

from . import AsyncClient, Request, Retrieval, Settings
from ._adapters import connecting, curl_limit, named, proxy_in_use, watch_pool
from ._attempt import ANY_PROXY, Attempt, Here, Reports, text
from ._connect import governed, permits
from ._ending import check_curl, check_uncoded, uncoded
from .protego import _first, _rate

if TYPE_CHECKING:
    from curl_cffi import Curl
    from curl_cffi.requests import Request as CurlRequest

    from ._native import Agent, Store

__all__ = ["ObeysRobotsTxt"]


class ObeysRobotsTxt:
    """A base class of a spider, before ``Spider``."""

    robots_txt_obey = True
    robots_txt_agent: Agent = "*"
    """The crawler's product token, or several, most specific first. A whole ``User-Agent`` is read for its tokens. A
    spider without this attribute follows the groups of ``*``."""
    robots_txt_identification: str | None = None
    """The text that is sent as ``User-Agent`` for robots.txt. Without it, the product token is sent."""
    robots_txt_settings: Settings | None = None
    """The edition, lifetimes and retries."""
    robots_txt_store: Store | None = None
    """Keeps records outside memory and between runs."""

    async def on_start(self, resuming: bool = False) -> None:
        """Put the manager of robots.txt into the engine. The engine begins afterwards."""
        engine: Any = getattr(self, "_engine")
        if engine._robots_manager is not None:
            engine._robots_manager = _Manager(self, engine.session_manager)
        await super().on_start(resuming)  # type: ignore[misc]


class _Manager(RobotsTxtManager):
    """Decides about URLs instead of Scrapling's own manager."""

    def __init__(self, spider: ObeysRobotsTxt, sessions: Any) -> None:
        self._sessions = sessions
        self._agent, identification = named(
            spider.robots_txt_agent, spider.robots_txt_identification, prefix="robots_txt_", default="scrapling"
        )
        # A session's robots.txt is fetched through that session, so each session has a client.
        self._clients: dict[str, AsyncClient] = {}
        self._options: dict[str, Any] = {
            "identification": identification,
            "settings": spider.robots_txt_settings,
            "store": spider.robots_txt_store,
        }

    def _client(self, sid: str) -> AsyncClient:
        sid = sid or self._sessions.default_session_id
        client = self._clients.get(sid)
        if client is None:

            async def send(request: Request, retrieval: Retrieval, attempt: Attempt) -> None:
                await self._send(sid, request, retrieval, attempt)

            client = self._clients[sid] = AsyncClient(self._agent, http=Reports(send), **self._options)
        return client

    async def _send(self, sid: str, request: Request, retrieval: Retrieval, attempt: Attempt) -> None:
        session = self._sessions.get(sid)
        if not isinstance(session, FetcherSession):
            # A browser follows redirects itself, sends its own fields and decodes the body. The browser does not report
            # whether it uses a proxy.
            attempt.proxy = ANY_PROXY
            try:
                response: Response = await self._sessions.fetch(SpiderRequest(request.url, sid=sid))
            except TimeoutError as error:
                # If a page does not load in time, Playwright raises an error of its own.
                raise Here(f"the browser session had no free page: {text(error)}") from error
            attempt.begins(response.status)
            return retrieval.answered(response.status, response.headers.items(), _octets(response), decoded=True)
        # The retrieval decides about each redirect, so the client must not follow redirects. curl decodes the body.
        options: dict[str, Any] = {"headers": uncoded(request), "follow_redirects": False, "stealthy_headers": False}
        # The retrieval also decides when to ask again.
        limit = curl_limit(self._clients[sid]._timeouts) / 1000
        options |= {"retries": 1, "timeout": min(session._default_timeout or limit, limit)}
        given = session._proxy_rotator or session._default_proxy or session._default_proxies
        attempt.proxy = proxy_in_use(request.url, given)
        await _observe(session, attempt, sid in self._sessions._lazy_sessions)
        # Each task has its own list of answers.
        answers: list[_Answer] = []
        _answers.set(answers)
        response = await self._sessions.fetch(SpiderRequest(request.url, sid=sid, **options))
        # The list also has an answer for each failed attempt. If the list is empty, the stricter rules of HTTP/1.1
        # apply.
        number = answers[-1].http_version if answers else CurlHttpVersion.V1_1
        is_old = number == CurlHttpVersion.V1_0
        version = "HTTP/2" if number >= CurlHttpVersion.V2_0 else "HTTP/1.0" if is_old else "HTTP/1.1"
        if attempt.proxy is None and (not answers or answers[-1].is_proxied):
            attempt.proxy = ANY_PROXY
        fields, body = list(response.headers.items()), _octets(response)
        attempt.begins(response.status, version, fields)
        # Because curl is used, only an octet of the body shows that the whole head has arrived.
        attempt.has_head = bool(body)
        if wanted := retrieval.head(response.status, fields):
            check_uncoded(fields)
            wanted = retrieval.data(body)
        check_curl(response.status, version, fields, begins=bool(body), wanted=wanted)
        return retrieval.end()

    async def can_fetch(self, url: str, sid: str) -> bool:
        """Return whether the spider may fetch a URL."""
        try:
            asked = governed(url)
        except ValueError:
            return False
        # No robots.txt governs a link such as `mailto:`.
        return asked is None or permits(await self._client(sid).verdict(asked), asked)

    async def get_delay_directives(self, url: str, sid: str) -> tuple[float | None, tuple[int, int] | None]:
        """Return the ``crawl-delay`` and the ``request-rate`` of the file."""
        try:
            asked = governed(url)
        except ValueError:
            asked = None
        if asked is None:
            # Scrapling's engine does not handle an error from this method, so an error about one link would end the
            # whole crawl.
            return None, None
        verdict = await self._client(sid).verdict(asked)
        rate = _first(_rate, verdict.values("request-rate"))
        return verdict.crawl_delay, None if rate is None else (rate.requests, rate.seconds)

    async def prefetch(self, urls: list[str], sid: str) -> None:
        """Fetch the files of several sites at the same time."""
        await asyncio.gather(*(self.can_fetch(url, sid) for url in urls))


class _Answer(CurlResponse):
    """An answer of curl. Scrapling's own answer reports neither its version nor whether it came through a proxy."""

    is_proxied = False

    def __init__(self, curl: Curl | None = None, request: CurlRequest | None = None) -> None:
        super().__init__(curl, request)
        answers = _answers.get(None)
        # If a redirect replaced an answer, the answer has no `curl`.
        if answers is not None and curl is not None:
            self.is_proxied = bool(curl.getinfo(CurlInfo.USED_PROXY))
            answers.append(self)


_answers: ContextVar[list[_Answer]] = ContextVar("robots_verdicts_answers")


async def _observe(session: Any, attempt: Attempt, is_lazy: bool) -> None:
    """Make the connections of a session report their answers, and their places in the pool, to the task that sends the
    request."""
    if session._client is None and is_lazy:
        # Scrapling starts a lazy session with its first request, which is too late for this function, so this function
        # starts the session. The start does not wait for anything, so no other task can start the same session at the
        # same time.
        await session.__aenter__()
    curl = getattr(session._client, "_async_curl_session", None)
    # A closed session has no connections. Scrapling reports this when the request is sent.
    if curl is None:
        return attempt.connects()
    connecting.set(attempt)
    watch_pool(curl)
    if curl.response_class is CurlResponse:
        curl.response_class = _Answer


def _octets(response: Response) -> bytes:
    body = response.body
    return body if isinstance(body, bytes) else body.encode()
