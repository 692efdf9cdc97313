"""The client for asyncio: it sends requests with httpx or aiohttp."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import sys
from types import TracebackType
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Dict, List, Optional, Set, Tuple, Type

from ._attempt import ANY_PROXY, Failure, Attempt, Here, Reports, failure_of, proxy_name, text
from ._connect import Guard, Target, Timeouts, allowed, look_up_async, other_end, proxy_of
from ._ending import UnknownEnd, check_tls_end, shows_its_end
from ._httpx import httpx_failure, httpx_pinned, httpx_proxy, httpx_request, httpx_transport
from ._native import Cache, FetchVerdict, Request, Retrieval, Settings, Wait

if TYPE_CHECKING:
    from ._native import Agent, Store

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
            memory: how many octets are kept in memory.
            http: an ``httpx.AsyncClient``, an ``aiohttp.ClientSession``, or a coroutine function that sends a `Request`
                and reports to the `Retrieval`. If the function raises a failure of the network, the site failed. Any
                other error is logged, and is no failure of the site. Without `http`, the client makes an
                ``httpx.AsyncClient`` or, if httpx is not installed, an ``aiohttp.ClientSession``.
            guard: decides to which addresses the client may connect. Without it, all addresses are allowed.
            timeouts: the time limits of a request.
            concurrency: how many origins are asked at the same time.
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
            self._own = _Own(guard, timeouts)
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

    async def allows(self, url: str) -> bool:
        """Return whether a URL may be fetched. If needed, fetch robots.txt first.

        Raises:
            ValueError: robots.txt cannot govern the URL.
        """
        known = self._cache.allows(url)
        return (await self.verdict(url)).allowed if known is None else known

    async def verdict(self, url: str) -> FetchVerdict:
        """Return whether a URL may be fetched, and why. If needed, fetch robots.txt first.

        Raises:
            ValueError: robots.txt cannot govern the URL.
        """
        known = self._cache.verdict(url)
        if known is not None:
            return known
        key = Cache.key(url)
        flight = self._flights.get(key)
        if flight is None:
            retrieval = self._cache.retrieval(url)
            flight = self._flights[key] = asyncio.ensure_future(self._fly(key, retrieval))
            meanwhile = retrieval.meanwhile(url)
        else:
            meanwhile = self._cache.retrieval(url).meanwhile(url)
        if meanwhile is not None:
            return meanwhile
        # The flight runs in a separate task, so its answer is kept if this caller is cancelled.
        return (await asyncio.shield(flight)).verdict(url)

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
            del self._flights[key]

    async def _exchange(self, request: Request, retrieval: Retrieval) -> None:
        attempt = Attempt()
        try:
            await asyncio.wait_for(self._send(request, retrieval, attempt), self._timeouts.total)
        except Exception as error:  # Any failure ends this request.
            attempt.fail(retrieval, error)
        if retrieval.open:
            retrieval.failed("connection", "the request was sent, but its end was not reported", here=True)


class _Own:
    """A client of httpx or aiohttp that is made for the first request, in the running event loop."""

    def __init__(self, guard: Optional[Guard], timeouts: Timeouts) -> None:
        self._guard = guard
        self._timeouts = timeouts
        self._library = _installed()
        self._http: Any = None
        self._sender: Optional[Send] = None

    async def send(self, request: Request, retrieval: Retrieval, attempt: Attempt) -> None:
        if self._sender is None:
            library = importlib.import_module(self._library)
            if self._library == "aiohttp":
                self._http = library.ClientSession(trust_env=True)
            else:
                self._http = library.AsyncClient()
            self._sender = _sender(self._http, self._guard, self._timeouts)
        await self._sender(request, retrieval, attempt)

    async def aclose(self) -> None:
        if self._http is not None:
            await (self._http.close() if self._library == "aiohttp" else self._http.aclose())


def _installed() -> str:
    for library in ("httpx", "httpx2", "aiohttp"):
        if importlib.util.find_spec(library) is not None:
            return library
    raise ModuleNotFoundError("AsyncClient needs an HTTP library: pip install httpx, or aiohttp, or pass http=")


def _sender(http: Any, guard: Optional[Guard], timeouts: Timeouts) -> Send:
    for kind in type(http).__mro__:
        library = kind.__module__.split(".")[0]
        if library in ("httpx", "httpx2") and kind.__name__ == "AsyncClient":
            return _Httpx(http, sys.modules[library], guard, timeouts).send
        if library == "aiohttp" and kind.__name__ == "ClientSession":
            return _Aiohttp(http, sys.modules[library], guard, timeouts).send
    if isinstance(http, Reports):
        return http.send
    if callable(http):
        if guard is not None:
            raise ValueError("a guard needs the connections: give an httpx.AsyncClient or an aiohttp.ClientSession")
        return lambda request, retrieval, _: http(request, retrieval)
    raise TypeError(f"http is an httpx.AsyncClient, an aiohttp.ClientSession or a function, not {type(http).__qualname__}")


class _Sender:
    """Sends requests with a library."""

    def __init__(self, http: Any, library: Any, guard: Optional[Guard], timeouts: Timeouts) -> None:
        self._http = http
        self._library = library
        self._guard = guard
        self._timeouts = timeouts

    async def send(self, request: Request, retrieval: Retrieval, attempt: Attempt) -> None:
        """Try each allowed address."""
        target = Target(request.url)
        if target.scheme not in ("http", "https"):
            raise Here(f"the client does not speak {target.scheme}")
        self._check_open()
        attempt.kind = self._failure
        attempt.proxy = self._proxy(target)
        addresses = await self._addresses(target, attempt.proxy)
        for position, address in enumerate(addresses):
            try:
                await self._exchange(request, target, address, retrieval, attempt)
                return retrieval.end()
            except Exception as error:
                self._check_open(error)
                # The next address may answer.
                if position + 1 == len(addresses) or not isinstance(error, self._connects()):
                    raise

    async def _addresses(self, target: Target, proxy: Optional[str]) -> List[Optional[str]]:
        """Return the addresses to connect to, or `None` alone if the library looks up the host."""
        if self._guard is None:
            return [None]
        host, port = other_end(target, proxy)
        found = await asyncio.wait_for(look_up_async(host, port), self._timeouts.connect)
        kept = allowed(self._guard, target.host, target.port, found, proxy)
        return [*kept] if proxy is None else [None]

    async def _exchange(
        self,
        request: Request,
        target: Target,
        address: Optional[str],
        retrieval: Retrieval,
        attempt: Attempt,
    ) -> None:
        raise NotImplementedError

    def _proxy(self, target: Target) -> Optional[str]:
        """Return the proxy of a request, without its credentials."""
        raise NotImplementedError

    def _check_open(self, error: Optional[BaseException] = None) -> None:
        if self._is_closed():
            raise Here(f"the {type(self._http).__name__} was closed") from error

    def _is_closed(self) -> bool:
        raise NotImplementedError

    def _connects(self) -> Tuple[Type[BaseException], ...]:
        raise NotImplementedError

    def _failure(self, error: BaseException, arrived: bool) -> Tuple[Failure, str]:
        raise NotImplementedError


class _Httpx(_Sender):
    """Sends requests with the transports of a client of httpx."""

    async def _exchange(
        self,
        request: Request,
        target: Target,
        address: Optional[str],
        retrieval: Retrieval,
        attempt: Attempt,
    ) -> None:
        message = httpx_request(self._library, request, target, self._timeouts)
        transport = httpx_transport(self._http, message.url)
        pinned = transport if address is None else httpx_pinned(transport, address)
        try:
            response = await pinned.handle_async_request(message)
            try:
                await self._receive(response, target, retrieval, attempt)
            finally:
                await response.aclose()
        finally:
            if pinned is not transport:
                await pinned._pool.aclose()

    async def _receive(self, response: Any, target: Target, retrieval: Retrieval, attempt: Attempt) -> None:
        attempt.begins(response.status_code)
        if not retrieval.head(response.status_code, response.headers.raw):
            return None
        async for chunk in response.aiter_raw():
            if not retrieval.data(chunk):
                return None
        check_tls_end(target.scheme, response.status_code, response.http_version, response.headers.raw)

    def _proxy(self, target: Target) -> Optional[str]:
        return httpx_proxy(httpx_transport(self._http, self._library.URL(target.url)))

    def _is_closed(self) -> bool:
        return bool(self._http.is_closed)

    def _connects(self) -> Tuple[Type[BaseException], ...]:
        return (self._library.ConnectError, self._library.ConnectTimeout)

    def _failure(self, error: BaseException, arrived: bool) -> Tuple[Failure, str]:
        return httpx_failure(self._library, error, arrived)


class _Aiohttp(_Sender):
    """Sends requests with the connections of a session of aiohttp.

    Each request has a session of its own, because the given one may add cookies, credentials and other fields. aiohttp
    also does not report that some codings end early, so the session must not decode.
    """

    async def _exchange(
        self,
        request: Request,
        target: Target,
        address: Optional[str],
        retrieval: Retrieval,
        attempt: Attempt,
    ) -> None:
        url = importlib.import_module("yarl").URL(target.url if address is None else target.at(address), encoded=True)
        options = self._proxy_options(target)
        limits = self._library.ClientTimeout(
            total=self._timeouts.total,
            sock_connect=self._timeouts.connect,
            sock_read=max(self._timeouts.answer, self._timeouts.idle),
        )
        kind = self._library.ClientRequest
        if address is not None:
            options["server_hostname"] = target.host
            kind = _alone(kind, target)
        session = self._library.ClientSession(
            connector=self._http.connector,
            connector_owner=False,
            cookie_jar=self._library.DummyCookieJar(),
            auto_decompress=False,
            request_class=kind,
        )
        fields = [("host", target.authority), *request.fields]
        async with session, session.get(
            url, headers=fields, allow_redirects=False, timeout=limits, **options
        ) as response:
            protocol = response.connection.protocol if response.connection is not None else None
            attempt.begins(response.status)
            if retrieval.head(response.status, response.raw_headers):
                async for chunk in response.content.iter_any():
                    if not retrieval.data(chunk):
                        break
                else:
                    if not shows_its_end(response.status, "HTTP/1.1", response.raw_headers):
                        self._check_end(target, protocol)

    def _check_end(self, target: Target, protocol: Any) -> None:
        """Check that a body that ended with its connection is whole.

        Raises:
            UnknownEnd: aiohttp takes a reset for the end of such a body, and so does asyncio a TLS connection that ends
                without ``close_notify``. Only the protocol knows how a connection without TLS ended.
        """
        is_closed = protocol is not None and isinstance(protocol.exception(), self._library.ServerDisconnectedError)
        if target.scheme == "https" or not is_closed:
            raise UnknownEnd

    def _proxy_options(self, target: Target) -> Dict[str, Any]:
        """Return the proxy that the given session uses for a URL, with its credentials."""
        proxy = getattr(self._http, "_default_proxy", None)
        if proxy is not None:
            return {"proxy": proxy, "proxy_auth": getattr(self._http, "_default_proxy_auth", None)}
        # With `trust_env`, aiohttp would also send the credentials of `~/.netrc` to the site.
        found = proxy_of(target) if self._http.trust_env else None
        return {} if found is None else {"proxy": found.url}

    def _proxy(self, target: Target) -> Optional[str]:
        options = self._proxy_options(target)
        if options.get("proxy") is not None:
            return proxy_name(options["proxy"])
        # A connector of another package may use a proxy, and does not report that.
        return None if type(self._http.connector).__module__.startswith("aiohttp.") else ANY_PROXY

    def _is_closed(self) -> bool:
        return bool(self._http.closed)

    def _connects(self) -> Tuple[Type[BaseException], ...]:
        return (self._library.ClientConnectorError, self._library.ServerTimeoutError)

    def _failure(self, error: BaseException, arrived: bool) -> Tuple[Failure, str]:
        if isinstance(error, self._library.ClientConnectorDNSError):
            return "dns", f"the host cannot be resolved: {text(error)}"
        if isinstance(error, self._library.ClientPayloadError):
            return "incomplete", f"the body was cut: {text(error)}"
        if isinstance(error, self._library.ClientResponseError):
            return "invalid-response", text(error)
        return failure_of(error)


def _alone(kind: Any, target: Target) -> Any:
    """Return a kind of request that shares its connection with no other request, and checks the name in its TLS.

    The URL has the address in the place of the host. Before 3.14, aiohttp would use a connection to another host of
    this address. It would not check the certificate of this host, and the answer could be that of the other.
    """

    class Alone(kind):  # type: ignore[misc]
        async def send(self, connection: Any) -> Any:
            # aiohttp reports a connection without a transport as closed.
            if target.scheme == "https" and connection.transport is not None:
                name = getattr(connection.transport.get_extra_info("ssl_object"), "server_hostname", None)
                if name != target.host.rstrip("."):
                    raise Here(f"the connection to the host {target.host} is one to the host {name}")
            connection.protocol.force_close()
            return await super().send(connection)

    return Alone
