"""The client without async: it sends requests with the standard library, or with httpx."""

from __future__ import annotations

import os
import socket
import ssl
import sys
import threading
import time
import weakref
from concurrent.futures import CancelledError, Future
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Type

from ._attempt import Attempt, Here, side_of, text
from ._connect import Guard, Proxy, Target, Timeouts, allowed, bracketed, look_up, other_end, proxy_of, to_try
from ._ending import check_tls_end
from ._http1 import Incoming
from ._httpx import Watch, httpx_apart, httpx_begins, httpx_failure, httpx_proxy, httpx_request, httpx_transport
from ._native import Cache, FetchVerdict, Refused, Request, Retrieval, Settings, Wait

if TYPE_CHECKING:
    from ._native import Agent, Store, Url

__all__ = ["Client"]

Send = Callable[[Request, Retrieval, Attempt], None]
"""Sends a request, and reports the answer to the retrieval. If it fails, it raises the error."""


class Client:
    """Fetches and caches robots.txt, and decides whether a URL may be fetched. Its methods block until they have the
    answer.

    Threads may share a client. One request serves all threads that ask about an origin at the same time.

        >>> with Client("examplebot", identification="examplebot/1.0 (+https://example.com/bot)") as robots:
        ...     if robots.allows("https://example.com/private/x"):
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
        clock: Optional[Callable[[], float]] = None,
    ) -> None:
        """Make a client.

        Args:
            agent: the crawler's product token, or several, most specific first.
            identification: the text that is sent as ``User-Agent``. Without it, the product token is sent.
            settings: the edition, lifetimes and retries. `stale_while_revalidate` has no effect here.
            store: keeps records outside memory: a `FileStore`, a `MemoryStore`, or a mapping from text to octets.
            memory: the maximum number of octets that are kept in memory.
            http: an ``httpx.Client``, or a function that sends a `Request` and reports to the `Retrieval`. If the
                function raises a failure of the network, this counts as a failure of the site. Any other error does
                not. An error of the program is also logged. Without `http`, the standard library sends the requests,
                through the proxies of the environment.
            guard: decides to which addresses the client may connect. Without it, all addresses are allowed.
            timeouts: the time limits of a request.
            clock: returns the seconds since the Unix epoch. Without it, the system's clock.

        Raises:
            ValueError: the agent is not a product token, or the identification cannot be sent.
        """
        self._cache = Cache(
            agent, identification=identification, settings=settings, store=store, memory=memory, clock=clock
        )
        self._send = _sender(http, guard, timeouts)
        self._forget_flights()
        _clients.add(self)

    @property
    def cache(self) -> Cache:
        """The cache of the client."""
        return self._cache

    def allows(self, url: Url) -> bool:
        """Return whether a URL may be fetched. If needed, fetch robots.txt first.

        Raises:
            ValueError: robots.txt cannot govern the URL.
        """
        known = self._cache.allows(url)
        return self._retrieved(url).allows(url) if known is None else known

    def verdict(self, url: Url) -> FetchVerdict:
        """Return whether a URL may be fetched, and why. If needed, fetch robots.txt first.

        Raises:
            ValueError: robots.txt cannot govern the URL.
        """
        known = self._cache.verdict(url)
        return self._retrieved(url).verdict(url) if known is None else known

    def crawl_delay(self, url: Url) -> Optional[float]:
        """Return the seconds of the first valid ``crawl-delay`` for the crawler, in the robots.txt of a URL's origin. If
        needed, fetch robots.txt first. No edition defines this field, but a crawler may obey it.

        Raises:
            ValueError: robots.txt cannot govern the URL.
        """
        return self.verdict(url).crawl_delay

    def sitemaps(self, url: Url) -> List[str]:
        """Return the sitemaps in the robots.txt of a URL's origin, as written. If needed, fetch robots.txt first.

        Raises:
            ValueError: robots.txt cannot govern the URL.
        """
        return self.verdict(url).sitemaps

    def values(self, name: str, url: Url) -> List[str]:
        """Return the values of a field for the crawler, as written, in the robots.txt of a URL's origin. If needed,
        fetch robots.txt first.

        Raises:
            ValueError: robots.txt cannot govern the URL.
        """
        return self.verdict(url).values(name)

    def close(self) -> None:
        """Do nothing: the client closes each connection after its request."""

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def _forget_flights(self) -> None:
        self._flights: Dict[str, Future[Retrieval]] = {}
        self._lock = threading.Lock()

    def _retrieved(self, url: Url) -> Retrieval:
        key = Cache.key(url)
        while True:
            with self._lock:
                flight = self._flights.get(key)
                is_new = flight is None
                if flight is None:
                    flight = self._flights[key] = Future()
            if is_new:
                return self._fly(key, url, flight)
            try:
                return flight.result()
            except CancelledError:
                # The thread that sent the request was interrupted, so this thread sends the request again.
                continue

    def _fly(self, key: str, url: Url, flight: Future[Retrieval]) -> Retrieval:
        try:
            retrieval = self._cache.retrieval(url)
            self._drive(retrieval)
            flight.set_result(retrieval)
            return retrieval
        finally:
            with self._lock:
                # The dictionary lacks the flight if this thread itself is the fork of one that sends a request.
                self._flights.pop(key, None)
            flight.cancel()

    def _drive(self, retrieval: Retrieval) -> None:
        while (step := retrieval.step()) is not None:
            if isinstance(step, Wait):
                time.sleep(step.seconds)
                continue
            attempt = Attempt()
            try:
                self._send(step, retrieval, attempt)
            except Exception as error:  # Any failure ends this request.
                attempt.fail(retrieval, error)
            if retrieval.open:
                retrieval.failed("connection", "the request was sent, but its end was not reported", here=True)


_clients: weakref.WeakSet[Client] = weakref.WeakSet()


def _after_fork() -> None:
    """Make each client of a child begin its own requests. The child has no copy of the threads that send those of its
    parent, so they would never end, and neither would a lock that such a thread holds."""
    for client in _clients:
        client._forget_flights()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _sender(http: Any, guard: Optional[Guard], timeouts: Timeouts) -> Send:
    if http is None:
        return _Standard(guard, timeouts).send
    for kind in type(http).__mro__:
        library = kind.__module__.split(".")[0]
        if library in ("httpx", "httpx2") and kind.__name__ == "Client":
            return _Httpx(http, sys.modules[library], guard, timeouts).send
    if callable(http):
        if guard is not None:
            raise ValueError("a guard needs the connections: leave out http, or give an httpx.Client")
        return lambda request, retrieval, _: http(request, retrieval)
    raise TypeError(f"http is an httpx.Client or a function, not {type(http).__qualname__}")


class _Standard:
    """Sends each request over a new connection, with the standard library."""

    def __init__(self, guard: Optional[Guard], timeouts: Timeouts) -> None:
        self._guard = guard
        self._timeouts = timeouts
        self._tls = ssl.create_default_context()

    def send(self, request: Request, retrieval: Retrieval, attempt: Attempt) -> None:
        target = Target(request.url)
        if target.scheme not in ("http", "https"):
            raise Here(f"the client does not speak {target.scheme}")
        until = time.monotonic() + self._timeouts.total
        connection: Optional[socket.socket] = None
        try:
            proxy = proxy_of(target)
            attempt.proxy = None if proxy is None else proxy.name
            connection = self._connect(target, proxy, until)
            head = [f"GET {target.path} HTTP/1.1"]
            if proxy is not None and target.scheme == "http":
                head = [f"GET {target.url} HTTP/1.1", *proxy.fields]
            head += [f"host: {target.authority}", *(f"{name}: {value}" for name, value in request.fields)]
            connection.sendall("\r\n".join([*head, "connection: close", "\r\n"]).encode("latin-1"))
            self._receive(self._incoming(connection, until), retrieval, attempt)
        finally:
            if connection is not None:
                connection.close()

    def _receive(self, incoming: Incoming, retrieval: Retrieval, attempt: Attempt) -> None:
        head = incoming.head()
        attempt.begins(head.status, head.version, head.fields)
        if retrieval.head(head.status, head.fields):
            for part in incoming.body(head):
                if not retrieval.data(part):
                    break
        retrieval.end()

    def _connect(self, target: Target, proxy: Optional[Proxy], until: float) -> socket.socket:
        if proxy is None:
            connection = self._open(target.host, target.port, None, target, until)
        else:
            try:
                connection = self._open(proxy.host, proxy.port, proxy.name, target, until)
            except OSError as error:
                raise Here(f"the proxy {proxy.name} cannot be reached: {text(error)}") from error
        try:
            if target.scheme == "https":
                if proxy is not None:
                    self._tunnel(connection, target, proxy, until)
                # Without `close_notify` at the end of the connection, the body may be cut, so this is an error.
                return self._tls.wrap_socket(connection, server_hostname=target.host, suppress_ragged_eofs=False)
        except BaseException:
            connection.close()
            raise
        return connection

    def _open(self, host: str, port: int, proxy: Optional[str], target: Target, until: float) -> socket.socket:
        addresses = look_up(host, port)
        if self._guard is not None:
            addresses = allowed(self._guard, target.host, target.port, addresses, proxy)
        problem: Optional[OSError] = None
        for address in addresses:
            try:
                limit = min(self._timeouts.connect, until - time.monotonic())
                connection = socket.create_connection((address, port), timeout=max(limit, 0.001))
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return connection
            except OSError as error:
                # An error of the site is kept, even if this machine cannot reach a later address, for example because
                # it has no IPv6.
                if problem is None or side_of(problem) != "network":
                    problem = error
        raise problem or OSError("the host has no address")

    def _tunnel(self, connection: socket.socket, target: Target, proxy: Proxy, until: float) -> None:
        authority = f"{bracketed(target.host)}:{target.port}"
        head = [f"CONNECT {authority} HTTP/1.1", f"host: {authority}", *proxy.fields, "\r\n"]
        connection.sendall("\r\n".join(head).encode("latin-1"))
        status = self._incoming(connection, until).head().status
        if not 200 <= status < 300:
            # The refusal comes from the proxy, so nothing is known about the site.
            raise Here(f"the proxy {proxy.name} answered {status} to CONNECT")

    def _incoming(self, connection: socket.socket, until: float) -> Incoming:
        return Incoming(connection, self._timeouts.answer, self._timeouts.idle, until)


class _Httpx:
    """Sends each request over a new connection, with the transports of a client of httpx."""

    def __init__(self, http: Any, httpx: Any, guard: Optional[Guard], timeouts: Timeouts) -> None:
        self._http = http
        self._httpx = httpx
        self._guard = guard
        self._timeouts = timeouts

    def send(self, request: Request, retrieval: Retrieval, attempt: Attempt) -> None:
        target = Target(request.url)
        if target.scheme not in ("http", "https"):
            raise Here(f"the client does not speak {target.scheme}")
        if self._http.is_closed:
            raise Here(f"the {type(self._http).__name__} was closed")
        attempt.kind = partial(httpx_failure, self._httpx)
        watch = Watch(self._timeouts.total)
        message = httpx_request(self._httpx, request, target, self._timeouts, watch.trace)
        transport = httpx_transport(self._http, message.url)
        attempt.proxy = httpx_proxy(transport)
        addresses = self._addresses(target, attempt.proxy)
        for position, address in enumerate(addresses):
            apart = httpx_apart(transport, address, watch)
            try:
                response = apart.handle_request(message)
                # A transport of another package may not report events.
                watch.trace()
                try:
                    self._receive(response, target, retrieval, watch, attempt)
                finally:
                    response.close()
                return retrieval.end()
            except Exception as error:
                if self._http.is_closed:
                    raise Here(f"the {type(self._http).__name__} was closed") from error
                # The next address may answer.
                is_last = position + 1 == len(addresses)
                if is_last or not isinstance(error, (self._httpx.ConnectError, self._httpx.ConnectTimeout)):
                    raise
            finally:
                if apart is not transport:
                    apart._pool.close()

    def _addresses(self, target: Target, proxy: Optional[str]) -> List[Optional[str]]:
        """Return the addresses to connect to, or `None` alone if httpx looks up the host."""
        if self._guard is None:
            return [None]
        host, port = other_end(target, proxy)
        return to_try(self._guard, target, look_up(host, port), proxy)

    def _receive(self, response: Any, target: Target, retrieval: Retrieval, watch: Watch, attempt: Attempt) -> None:
        httpx_begins(attempt, response)
        if not retrieval.head(response.status_code, response.headers.raw):
            return None
        for chunk in response.iter_raw():
            if not retrieval.data(chunk):
                return None
            watch.left()
        check_tls_end(target.scheme, response.status_code, response.http_version, response.headers.raw)
