"""The client for asyncio: it sends requests with httpx or aiohttp."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import sys
import time
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Dict, List, Optional, Set, Type

from ._attempt import Attempt, Here, Reports
from ._connect import Guard, Timeouts
from ._native import Cache, FetchVerdict, Request, Retrieval, Settings, Wait
from ._senders import Aiohttp, Httpx

if TYPE_CHECKING:
    from ._native import Agent, Store, Url

__all__ = ["AsyncClient"]

Send = Callable[[Request, Retrieval, Attempt], Awaitable[None]]
"""Sends a request, and reports the answer to the retrieval. If it fails, it raises the error."""


class AsyncClient:
    """Fetches and caches robots.txt, and decides whether a URL may be fetched, for asyncio.

    One request serves all questions that are asked about an origin at the same time. The client starts no thread; the
    event loop may use one to look up a host. Use a client in one event loop.

        >>> async with AsyncClient("examplebot", identification="examplebot/1.0 (+https://example.com/bot)") as robots:
        ...     if await robots.allows("https://example.com/private/x"):
        ...         pass  # fetch it
    """

    def __init__(
        self,
        agent: Agent,
        *,
        identification: Optional[str] = None,
        settings: Optional[Settings] = None,
        store: Optional[Store] = None,
        memory: int = 256 << 20,
        http: Any = None,
        guard: Optional[Guard] = None,
        timeouts: Timeouts = Timeouts(),
        concurrency: int = 256,
        clock: Optional[Callable[[], float]] = None,
    ) -> None:
        """Make a client.

        Args:
            agent: the crawler's product token, or several, most specific first.
            identification: the text that is sent as ``User-Agent``. Without it, the product token is sent.
            settings: the edition, lifetimes and retries.
            store: keeps records outside memory: a `FileStore`, a `MemoryStore`, or a mapping from text to octets. The
                event loop waits for it.
            memory: the maximum number of octets that are kept in memory.
            http: an ``httpx.AsyncClient``, an ``aiohttp.ClientSession``, or a coroutine function that sends a `Request`
                and reports to the `Retrieval`. If the function raises a failure of the network, this counts as a
                failure of the site. Any other error does not. An error of the program is also logged. Without `http`,
                the client makes an ``httpx.AsyncClient`` or, if httpx is not installed, an ``aiohttp.ClientSession``.
            guard: decides to which addresses the client may connect. Without it, all addresses are allowed.
            timeouts: the time limits of a request.
            concurrency: the maximum number of origins whose robots.txt is fetched at the same time.
            clock: returns the seconds since the Unix epoch. Without it, the system's clock.

        Raises:
            ValueError: the agent is not a product token, or the identification cannot be sent.
            ModuleNotFoundError: there is neither httpx nor aiohttp, and no `http`.
        """
        self._cache = Cache(
            agent, identification=identification, settings=settings, store=store, memory=memory, clock=clock
        )
        self._own: Optional[_Own] = None
        if http is None:
            self._own = _Own(guard, timeouts, concurrency)
            self._send: Send = self._own.send
        else:
            self._send = _sender(http, guard, timeouts)
        self._timeouts = timeouts
        self._turns = asyncio.Semaphore(concurrency)
        self._flights: Dict[str, asyncio.Task[Retrieval]] = {}

    @property
    def cache(self) -> Cache:
        """The cache of the client."""
        return self._cache

    async def allows(self, url: Url) -> bool:
        """Return whether a URL may be fetched. If needed, fetch robots.txt first.

        Raises:
            ValueError: robots.txt cannot govern the URL.
        """
        known = self._cache.allows(url)
        return (await self.verdict(url)).allowed if known is None else known

    async def verdict(self, url: Url) -> FetchVerdict:
        """Return whether a URL may be fetched, and why. If needed, fetch robots.txt first.

        Raises:
            ValueError: robots.txt cannot govern the URL.
        """
        known = self._cache.verdict(url)
        if known is not None:
            return known
        key = Cache.key(url)
        flight = self._flights.get(key)
        # After a fork, a flight of the parent's event loop never ends in the child.
        if flight is None or flight.get_loop() is not asyncio.get_running_loop():
            retrieval = self._cache.retrieval(url)
            flight = self._flights[key] = asyncio.ensure_future(self._fly(key, retrieval))
            meanwhile = retrieval.meanwhile(url)
        else:
            meanwhile = self._cache.retrieval(url).meanwhile(url)
        if meanwhile is not None:
            return meanwhile
        # The retrieval runs in a separate task, so its answer is kept if this caller is cancelled.
        return (await asyncio.shield(flight)).verdict(url)

    async def crawl_delay(self, url: Url) -> Optional[float]:
        """Return the seconds of the first valid ``crawl-delay`` for the crawler, in the robots.txt of a URL's origin. If
        needed, fetch robots.txt first. No edition defines this field, but a crawler may obey it.

        Raises:
            ValueError: robots.txt cannot govern the URL.
        """
        return (await self.verdict(url)).crawl_delay

    async def sitemaps(self, url: Url) -> List[str]:
        """Return the sitemaps in the robots.txt of a URL's origin, as written. If needed, fetch robots.txt first.

        Raises:
            ValueError: robots.txt cannot govern the URL.
        """
        return (await self.verdict(url)).sitemaps

    async def values(self, name: str, url: Url) -> List[str]:
        """Return the values of a field for the crawler, as written, in the robots.txt of a URL's origin. If needed,
        fetch robots.txt first.

        Raises:
            ValueError: robots.txt cannot govern the URL.
        """
        return (await self.verdict(url)).values(name)

    async def aclose(self) -> None:
        """End the requests, and close the connections that the client made."""
        flights: Set[asyncio.Task[Retrieval]] = set(self._flights.values())
        for flight in flights:
            flight.cancel()
        await asyncio.gather(*flights, return_exceptions=True)
        if self._own is not None:
            await self._own.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.aclose()

    async def _fly(self, key: str, retrieval: Retrieval) -> Retrieval:
        try:
            async with self._turns:
                while (step := retrieval.step()) is not None:
                    if isinstance(step, Wait):
                        await asyncio.sleep(step.seconds)
                    else:
                        await self._exchange(step, retrieval)
            return retrieval
        finally:
            self._flights.pop(key, None)

    async def _exchange(self, request: Request, retrieval: Retrieval) -> None:
        connects: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        attempt = Attempt(connects=partial(_done, connects))
        sending = asyncio.ensure_future(self._send(request, retrieval, attempt))
        try:
            await _limited(sending, connects, self._timeouts)
        except Exception as error:  # Any failure ends this request.
            if attempt.is_timeout(error) and not await _has_free_thread():
                error = Here("all threads of the event loop are busy, so the look-up may have waited for one")
            attempt.fail(retrieval, error)
        if retrieval.open:
            retrieval.failed("connection", "the request was sent, but its end was not reported", here=True)


def _done(event: asyncio.Future[None]) -> None:
    if not event.done():
        event.set_result(None)


async def _limited(sending: asyncio.Future[None], connects: asyncio.Future[None], timeouts: Timeouts) -> None:
    """Wait for the end of a request. Its time limit begins when it has a place in the pool of the HTTP library.

    Raises:
        Here: no place became free.
    """
    try:
        await asyncio.wait({sending, connects}, timeout=timeouts.pool, return_when=asyncio.FIRST_COMPLETED)
        if not (sending.done() or connects.done()):
            raise Here(f"the HTTP client had no free connection for {timeouts.pool:g} seconds")
        await asyncio.wait_for(sending, timeouts.total)
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


async def _has_free_thread() -> bool:
    """Return whether the event loop has a free thread. httpx and aiohttp look up hosts in its few threads. So if other
    look-ups hang, a request can time out before it reaches its site."""
    try:
        await asyncio.wait_for(asyncio.get_running_loop().run_in_executor(None, time.monotonic), 1)
    except asyncio.TimeoutError:
        return False
    return True


class _Own:
    """A client of httpx or aiohttp that is made for the first request, in the running event loop."""

    def __init__(self, guard: Optional[Guard], timeouts: Timeouts, concurrency: int) -> None:
        self._guard = guard
        self._timeouts = timeouts
        self._concurrency = concurrency
        self._library = _installed()
        self._http: Any = None
        self._sender: Optional[Send] = None
        self._loop: Optional[asyncio.AbstractEventLoop] = None

    async def send(self, request: Request, retrieval: Retrieval, attempt: Attempt) -> None:
        loop = asyncio.get_running_loop()
        # The child of a fork has another event loop.
        if self._sender is None or self._loop is not loop:
            self._loop = loop
            library = importlib.import_module(self._library)
            # The pool has a place for each request.
            if self._library == "aiohttp":
                connector = library.TCPConnector(limit=self._concurrency)
                self._http = library.ClientSession(connector=connector, trust_env=True)
            else:
                limits = library.Limits(max_connections=self._concurrency, max_keepalive_connections=20)
                self._http = library.AsyncClient(limits=limits)
            self._sender = _sender(self._http, self._guard, self._timeouts)
        await self._sender(request, retrieval, attempt)

    async def aclose(self) -> None:
        if self._http is not None:
            await (self._http.close() if self._library == "aiohttp" else self._http.aclose())


class _Function:
    """Sends requests with a function of the program. The function reports no wait for a pool."""

    def __init__(self, function: Callable[[Request, Retrieval], Awaitable[None]]) -> None:
        self._function = function

    async def send(self, request: Request, retrieval: Retrieval, attempt: Attempt) -> None:
        attempt.connects()
        await self._function(request, retrieval)


def _installed() -> str:
    for library in ("httpx", "httpx2", "aiohttp"):
        if importlib.util.find_spec(library) is not None:
            return library
    raise ModuleNotFoundError("AsyncClient needs an HTTP library: pip install httpx, or aiohttp, or pass http=")


def _sender(http: Any, guard: Optional[Guard], timeouts: Timeouts) -> Send:
    for kind in type(http).__mro__:
        library = kind.__module__.split(".")[0]
        if library in ("httpx", "httpx2") and kind.__name__ == "AsyncClient":
            return Httpx(http, sys.modules[library], guard, timeouts).send
        if library == "aiohttp" and kind.__name__ == "ClientSession":
            return Aiohttp(http, sys.modules[library], guard, timeouts).send
    if isinstance(http, Reports):
        return http.send
    if callable(http):
        if guard is not None:
            raise ValueError("a guard needs the connections: give an httpx.AsyncClient or an aiohttp.ClientSession")
        return _Function(http).send
    raise TypeError(f"http is an httpx.AsyncClient, an aiohttp.ClientSession or a function, not {type(http).__qualname__}")
