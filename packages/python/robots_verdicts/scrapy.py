"""Robots.txt for Scrapy: in the settings of a project,

    ROBOTSTXT_OBEY = True
    DOWNLOADER_MIDDLEWARES = {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "robots_verdicts.scrapy.RobotsTxtMiddleware": 100,
    }

or, for the parser alone, with the retrieval of Scrapy,

    ROBOTSTXT_OBEY = True
    ROBOTSTXT_PARSER = "robots_verdicts.scrapy.RobotsVerdictsParser"

Scrapy uses the whole ``USER_AGENT`` unless ``ROBOTSTXT_USER_AGENT`` is set. Both classes follow the groups of the
product tokens in this text, or those of ``*`` if the file names none of them. A ``USER_AGENT`` without a product token
follows the groups of ``*``, and a warning says so.
"""

from __future__ import annotations

import ast
import logging
import os
import threading
import weakref
from http.client import HTTPException
from typing import TYPE_CHECKING

from scrapy import Request, exceptions, signals
from scrapy.downloadermiddlewares import robotstxt
from scrapy.exceptions import IgnoreRequest
from scrapy.http.request import NO_CALLBACK
from scrapy.robotstxt import RobotParser
from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from . import Cache, FetchVerdict, FileStore, MemoryStore, Retrieval, Settings, Wait
from . import Request as RobotsRequest
from ._adapters import identification, read, tokens
from ._attempt import ANY_PROXY, Attempt, Here, proxy_name, text
from ._connect import governed, permits
from ._ending import Coded, UnknownEnd, check_plain, shows_its_end
from ._native import _ftp_refusal

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from ._native import Failure, Store

__all__ = ["RobotsTxtMiddleware", "RobotsVerdictsParser"]

logger = logging.getLogger(__name__)


class RobotsVerdictsParser(RobotParser):
    """A robots.txt for Scrapy."""

    def __init__(self, robotstxt_body: bytes, settings: Settings | None = None) -> None:
        self._robots = read(robotstxt_body, settings)

    @classmethod
    def from_crawler(cls, crawler: Crawler | None, robotstxt_body: bytes) -> RobotsVerdictsParser:
        """Read the octets as they arrived: the documents decide their encoding, not the settings of the project. Edition
        and limit are those of ``ROBOTSTXT_SETTINGS``."""
        return cls(robotstxt_body, None if crawler is None else _settings(crawler))

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        """Return whether a URL may be fetched by the crawler that sends this ``User-Agent``."""
        return self._robots.can_fetch(_text(url), _text(user_agent))

    def crawl_delay(self, user_agent: str | bytes) -> float | None:
        """Return the seconds that the file asks a crawler to wait between two requests."""
        return self._robots.crawl_delay(_text(user_agent))


class RobotsTxtMiddleware(robotstxt.RobotsTxtMiddleware):
    """Obeys robots.txt in the place of Scrapy's middleware of the same name.

    Requests to a host wait until its robots.txt has arrived. A robots.txt that cannot be fetched allows nothing, copies
    expire, and redirects, lifetimes and retries are those of the documents. The requests for robots.txt go through
    Scrapy's downloader, with its proxies, delays and statistics.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        # Scrapy's own class has the attribute `_stats` only from version 2.18 on.
        self._stats = crawler.stats
        path = crawler.settings.get("ROBOTSTXT_STORE")
        # The caches of this object use one store and share its records, so that each robots.txt is fetched once.
        self._store: Store = _file_store(path) if path else MemoryStore()
        self._settings = _settings(crawler)
        # The cache needs an identification, but does not send it: requests for robots.txt have Scrapy's User-Agent.
        self._identification = identification(self._default_useragent, setting="USER_AGENT", default="scrapy")
        self._caches: dict[tuple[str, ...], Cache] = {}
        self._waiting: dict[tuple[int, str], list[Deferred[Retrieval]]] = {}
        self._announced: dict[str, float] = {}
        """For each origin, the end of validity of the file that the last signal was about."""
        crawler.signals.connect(self._reached_downloader, signals.request_reached_downloader)
        crawler.signals.connect(self._headers_received, signals.headers_received)
        crawler.signals.connect(self._response_downloaded, signals.response_downloaded)

    async def robot_parser(self, request: Request) -> RobotParser | None:
        """Return the verdict that decides about a request. Scrapy's own middleware does the rest."""
        agent = self._robotstxt_useragent or request.headers.get("User-Agent", self._default_useragent)
        # A User-Agent field without a value names no crawler, so the name in Scrapy's settings is used instead.
        cache = self._cache(tokens(_text(self._default_useragent if agent is None else agent)))
        try:
            url = governed(request.url)
        except ValueError as error:
            # The error means that HTTP clients do not agree about the origin of this URL.
            raise IgnoreRequest(str(error)) from error
        if url is None:
            return None
        verdict = cache.verdict(url)
        if verdict is None:
            retrieval = await self._retrieved(cache, url, request)
            verdict = retrieval.verdict(url)
            await self._announce(verdict, request)
        return _Decided(verdict, url)

    async def _announce(self, verdict: FetchVerdict, request: Request) -> None:
        """Send the signal `robots_parsed` with the file that decides, also if the file comes from the store. Requests
        that waited for the same file cause one signal."""
        key, body = Cache.key(verdict.url), verdict.record.body
        # Scrapy has the signal from 2.18 on.
        if body is None or verdict.evidence is None or not hasattr(signals, "robots_parsed"):
            return
        if self._announced.get(key) == verdict.until:
            return
        self._announced[key] = verdict.until
        await self.crawler.signals.send_catch_log_async(
            signal=signals.robots_parsed,
            robotparser=self._parserimpl.from_crawler(self.crawler, body),
            request=request,
        )

    def _cache(self, agent: str | list[str]) -> Cache:
        key = (agent,) if isinstance(agent, str) else tuple(agent)
        cache = self._caches.get(key)
        if cache is None:
            cache = self._caches[key] = Cache(
                agent, identification=self._identification, settings=self._settings, store=self._store
            )
        return cache

    async def _retrieved(self, cache: Cache, url: str, request: Request) -> Retrieval:
        """Retrieve a robots.txt. The first request to an origin does that, and the others wait for it."""
        key = (id(cache), Cache.key(url))
        waiting = self._waiting.get(key)
        if waiting is not None:
            # Each request gets its own `Deferred`. With a shared `Deferred`, each callback would get the result of the
            # callback before it.
            deferred: Deferred[Retrieval] = Deferred()
            waiting.append(deferred)
            return await maybe_deferred_to_future(deferred)
        waiting = self._waiting[key] = []
        retrieval = cache.retrieval(url)
        try:
            await self._drive(retrieval, request)
        except BaseException as error:
            del self._waiting[key]
            # The retrieval has no verdict. If Scrapy cancelled the request for robots.txt, the requests that wait for
            # it are ignored.
            if not isinstance(error, Exception):
                passed: Exception = IgnoreRequest("The request for robots.txt was cancelled")
            else:
                passed = error
            for deferred in waiting:
                deferred.errback(passed)
            raise
        del self._waiting[key]
        for deferred in waiting:
            deferred.callback(retrieval)
        return retrieval

    async def _drive(self, retrieval: Retrieval, request: Request) -> None:
        while (step := retrieval.step()) is not None:
            if isinstance(step, Wait):
                # Another retrieval of the same origin has the turn. If it was cancelled, its turn ends when Python
                # deletes it.
                turn: Deferred[None] = Deferred()
                call_later(step.seconds, turn.callback, None)
                await maybe_deferred_to_future(turn)
                continue
            try:
                await self._send(step, retrieval, request)
            except Exception as error:
                logger.exception("Error obtaining %s", step.url, extra={"spider": self.crawler.spider})
                if retrieval.open:
                    retrieval.failed("connection", str(error) or type(error).__name__, here=True)

    async def _send(self, step: RobotsRequest, retrieval: Retrieval, request: Request) -> None:
        answer = _Answer()
        # Scrapy sets the User-Agent field itself, and the middlewares of the project may change it.
        fields = {name: value for name, value in step.fields if name != "user-agent"}
        robots = Request(
            step.url,
            headers=fields,
            priority=self.DOWNLOAD_PRIORITY,
            callback=NO_CALLBACK,
            meta={
                "allow_offsite": True,
                "dont_cache": True,
                "dont_merge_cookies": True,
                "dont_obey_robotstxt": True,
                "dont_redirect": True,
                "download_fail_on_dataloss": True,
                _ANSWER: answer,
            },
        )
        self._stats.inc_value("robotstxt/request_count")
        try:
            assert self.crawler.engine is not None
            response = await self.crawler.engine.download_async(robots)
        except Exception as error:
            if not isinstance(error, IgnoreRequest):
                self._stats.inc_value(f"robotstxt/exception_count/{type(error)}")
            logger.warning("Error downloading %s: %s", robots, error, extra={"spider": self.crawler.spider})
            attempt = Attempt(self._proxy(answer.request or robots), answer.has_head, _failure)
            return attempt.fail(retrieval, error)
        self._stats.inc_value("robotstxt/response_count")
        self._stats.inc_value(f"robotstxt/response_status_count/{response.status}")
        arrived, body = answer.of(response)
        if step.url.startswith("ftp:"):
            # FTP has no fields. Scrapy's handler adds two, and the name of one contains a space.
            arrived = []
        attempt = Attempt(self._proxy(answer.request or robots))
        is_file = 200 <= response.status < 300
        try:
            attempt.begins(response.status, response.protocol or "HTTP/1.1", arrived)
            self._check_head(response)
            if is_file and self._may_be_cut(response, arrived):
                raise UnknownEnd
            if is_file:
                # Twisted hides the Transfer-Encoding fields, and reads only the first of them.
                check_plain(arrived, body)
        except (Here, HTTPException, UnknownEnd, Coded) as error:
            return attempt.fail(retrieval, error)
        if step.url.startswith("ftp:") and response.status == 404:
            return _refused(retrieval, _reply_of(body))
        retrieval.answered(response.status, arrived, body)
        return None

    def _check_head(self, response: Response) -> None:
        """Check the head of an answer that Twisted read. Twisted accepts any protocol and hides the Transfer-Encoding
        fields. If a line contains CR, Twisted replaces it by a space, so a field after it is a part of another field.

        Raises:
            HTTPException: the head is malformed.
        """
        # An answer of a middleware has no protocol.
        if not self._is_twisted(response.url) or response.protocol is None:
            return
        if response.protocol not in ("HTTP/1.0", "HTTP/1.1", "h2"):
            raise HTTPException(f"the protocol is {response.protocol!r}")
        # A body that has no length and does not end with its connection has chunks, which HTTP/1.0 does not have.
        if response.protocol == "HTTP/1.0" and "Content-Length" not in response.headers and not response.flags:
            raise HTTPException("HTTP/1.0 has no transfer codings")
        if 300 <= response.status < 400 and response.status != 304 and "Location" not in response.headers:
            raise HTTPException("the redirect has no Location, or it is a part of another line")

    def _may_be_cut(self, response: Response, fields: list[tuple[bytes, bytes]]) -> bool:
        """Return whether a body may lack its end.

        The flag *partial* means that the body ended with its connection. Twisted does not report whether the connection
        was closed or reset, or whether its TLS was cut. A handler that uses another library does not set this flag.
        """
        if response.status != 204 and {"partial", "dataloss", "download_stopped"} & set(response.flags):
            return True
        shows = shows_its_end(response.status, response.protocol or "HTTP/1.1", fields)
        return not self._is_twisted(response.url) and not shows

    def _proxy(self, robots: Request) -> str | None:
        """Return the proxy of a request, which the middlewares of the project choose. A handler of another package may
        also use a proxy of its own."""
        proxy = robots.meta.get("proxy")
        if proxy:
            return proxy_name(proxy)
        return None if self._handler(robots.url).startswith("scrapy.") else ANY_PROXY

    def _is_twisted(self, url: str) -> bool:
        name = self._handler(url)
        return name.startswith("scrapy.") and "._" not in name

    def _handler(self, url: str) -> str:
        """Return the name of the download handler of a URL, or of its module."""
        handlers = self.crawler.settings.getwithbase("DOWNLOAD_HANDLERS")
        handler = handlers.get(url.partition(":")[0])
        return handler if isinstance(handler, str) else f"{getattr(handler, '__module__', '')}."

    def _reached_downloader(self, request: Request) -> None:
        answer = request.meta.get(_ANSWER)
        if answer is not None:
            answer.request = request

    def _headers_received(self, request: Request) -> None:
        answer = request.meta.get(_ANSWER)
        if answer is not None:
            answer.has_head = True

    def _response_downloaded(self, response: Response, request: Request) -> None:
        answer = request.meta.get(_ANSWER)
        if answer is not None:
            answer.arrives(response)


_ANSWER = "robots_verdicts_answer"


class _Answer:
    """An answer as it arrived, before the middlewares. Scrapy also decodes a body whose coding ends early, and the
    decoded part then looks like a whole file."""

    def __init__(self) -> None:
        self.has_head = False
        """Whether the head of an answer has arrived. Not every download handler reports that before the body."""
        self.request: Request | None = None
        """The request that was sent last. A middleware may send it again with another proxy."""
        self._arrived: tuple[int, list[tuple[bytes, bytes]], bytes] | None = None

    def arrives(self, response: Response) -> None:
        """Take status, fields and body. If a request is sent again, its last answer counts."""
        # The fields are copied, because the middlewares change the fields of this response.
        self._arrived = response.status, _fields(response), response.body

    def of(self, response: Response) -> tuple[list[tuple[bytes, bytes]], bytes]:
        """Return fields and body as they arrived. If a middleware made or replaced the answer, return those of
        `response`."""
        if self._arrived is not None:
            status, fields, body = self._arrived
            is_coded = any(name.lower() == b"content-encoding" for name, _ in fields)
            # Scrapy changes a body only if it decodes it, so any other change comes from a middleware.
            if status == response.status and (is_coded or body == response.body):
                return fields, body
        return _fields(response), response.body


def _fields(response: Response) -> list[tuple[bytes, bytes]]:
    return [(name, value) for name, values in response.headers.items() for value in values]


class _Decided(RobotParser):
    """A verdict with the interface that Scrapy expects."""

    def __init__(self, verdict: FetchVerdict, url: str) -> None:
        # Scrapy's default handler sends dot segments as they are, and other handlers remove them.
        self._allowed = permits(verdict, url, keeps_dots=True)

    @classmethod
    def from_crawler(cls, crawler: Crawler, robotstxt_body: bytes) -> _Decided:
        """Raise an error, because a verdict is not read from a file."""
        raise NotImplementedError

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        """Return the verdict."""
        return self._allowed


def _settings(crawler: Crawler) -> Settings:
    return Settings(**crawler.settings.getdict("ROBOTSTXT_SETTINGS"))


def _file_store(path: str | os.PathLike[str]) -> FileStore:
    """Return the store of a file. The crawlers of a process share it, because only one store can open a file."""
    key = os.path.realpath(path)
    with _opening:
        store = _stores.get(key)
        if store is None:
            store = _stores[key] = FileStore(path)
        return store


_opening = threading.Lock()
# The file is closed when the last crawler that uses it ends.
_stores: weakref.WeakValueDictionary[str, FileStore] = weakref.WeakValueDictionary()


def _refused(retrieval: Retrieval, reply: str) -> None:
    """Report a 550 of an FTP server. Scrapy's handler reports every 550 as a 404."""
    status = _ftp_refusal(reply.encode())
    if status is None:
        why = f"the server replied `{reply.strip():.200}`, which does not show whether the file exists"
        return retrieval.failed("invalid-response", why)
    return retrieval.answered(status, [], b"")


def _reply_of(body: bytes) -> str:
    """Return the reply of an FTP server from the body that Scrapy's handler makes: a Python list of the lines, as
    text."""
    text = body.decode(errors="replace")
    try:
        return "\n".join(ast.literal_eval(text))
    except (SyntaxError, TypeError, ValueError):
        return text


def _failure(error: BaseException, has_head: bool) -> tuple[Failure, str]:
    for name, failure in _FAILURES.items():
        if isinstance(error, getattr(exceptions, name, ())):
            return failure, text(error)
    return "connection", text(error)


_FAILURES: dict[str, Failure] = {
    "CannotResolveHostError": "dns",
    "DownloadTimeoutError": "timeout",
    "ResponseDataLossError": "incomplete",
}


def _text(given: str | bytes) -> str:
    return given if isinstance(given, str) else given.decode(errors="replace")
