"""Requests that go through the transports of a client of httpx. Both clients share this code.

The client itself is not used: it would run the hooks of the program, add the cookies of its jar, and keep those of the
answer. A hook could also raise an error, for example for a 404."""

from __future__ import annotations

import copy
import math
import time
from contextlib import contextmanager
from contextvars import ContextVar
from http.client import HTTPException
from typing import Any, Callable, Iterator, Optional, Tuple

from ._attempt import ANY_PROXY, Attempt, Failure, failure_of, text
from ._connect import Target, Timeouts, bracketed
from ._http1 import HEAD
from ._native import Request


def httpx_request(httpx: Any, request: Request, target: Target, timeouts: Timeouts, trace: Callable[..., Any]) -> Any:
    """Return a request of httpx. It has no cookies and no credentials. httpx calls `trace` only after the request has a
    place in the pool."""
    # httpx has only one time limit for reads: it applies to the header and to each part of the body.
    limits = {"connect": timeouts.connect, "read": max(timeouts.answer, timeouts.idle), "write": timeouts.idle}
    fields = [("host", target.authority), *request.fields]
    extensions = {"timeout": {**limits, "pool": timeouts.pool}, "trace": trace}
    return httpx.Request("GET", request.url, headers=fields, extensions=extensions)


def httpx_transport(http: Any, url: Any) -> Any:
    """Return the transport that a client of httpx uses for a URL."""
    return http._transport_for_url(url)


def httpx_proxy(transport: Any) -> Optional[str]:
    """Return the proxy that a transport of httpx uses."""
    pool = getattr(transport, "_pool", None)
    packages = {type(one).__module__.partition(".")[0] for one in (transport, pool)}
    # A transport of another package may use a proxy, and does not report that. The program behind a Unix socket may be
    # a proxy.
    if not packages <= {"httpx", "httpx2", "httpcore", "httpcore2"} or getattr(pool, "_uds", None) is not None:
        return ANY_PROXY
    proxy = getattr(pool, "_proxy_url", None) or getattr(getattr(pool, "_proxy", None), "url", None)
    if proxy is None:
        return None
    port = "" if proxy.port is None else f":{proxy.port}"
    return f"{proxy.scheme.decode()}://{bracketed(proxy.host.decode())}{port}"


class Watch:
    """Keeps an exchange of httpx within its limits. httpcore itself limits only the wait for the next octets, so a site
    that drips, or that sends interim answers without end, would keep the thread of an `httpx.Client` for ever. For an
    `httpx.AsyncClient`, the event loop limits the time, and only the head is watched."""

    def __init__(self, total: float) -> None:
        self._total = total
        self._until = math.inf
        self._room = math.inf

    def trace(self, event: str = "", _: Any = None) -> None:
        """Take an event of httpcore. The first one begins the limit of time."""
        self._until = min(self._until, time.monotonic() + self._total)
        if event.endswith("send_request_headers.started"):
            self._room = HEAD
        elif event.endswith("receive_response_headers.complete"):
            self._room = math.inf

    def left(self, limit: Optional[float] = None) -> float:
        """Return the seconds until the end of the exchange, or the limit if it ends earlier.

        Raises:
            TimeoutError: the exchange took too long.
        """
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError("the answer was incomplete")
        return left if limit is None else min(left, limit)

    def most(self, most: int) -> int:
        """Return how many octets of an answer may be read at once. All interim answers count as parts of the head.

        Raises:
            HTTPException: the head is too long.
        """
        if self._room <= 0:
            raise HTTPException(f"the head is longer than {HEAD} octets")
        return int(min(most, self._room))

    def took(self, octets: bytes) -> bytes:
        """Take the octets that were read."""
        self._room -= len(octets)
        return octets


def httpx_apart(transport: Any, address: Optional[str], watch: Optional[Watch] = None) -> Any:
    """Return a copy of a transport with a ``_pool`` of its own, which must be closed. A transport of another package
    without a pool of httpcore is returned itself.

    The copy connects to the address if there is one, whatever the host of the URL is. The URL keeps its host, so TLS
    checks the certificate of this host. An open connection of the other pool may lead to an address that the guard did
    not check, and its reads are not watched.
    """
    pool: Any = getattr(transport, "_pool", None)
    if type(pool).__module__.partition(".")[0] not in ("httpcore", "httpcore2"):
        return transport
    apart, own = copy.copy(transport), copy.copy(pool)
    for name in ("_connections", "_requests"):
        # This raises an error if a version of httpcore uses other names: the copy would share the connections.
        setattr(own, name, type(getattr(pool, name))())
    if address is not None:
        own._network_backend = _Pinned(own._network_backend, address)
    if watch is not None:
        own._network_backend = _Watched(own._network_backend, watch)
    apart._pool = own
    return apart


_watch: ContextVar[Optional[Watch]] = ContextVar("robots_verdicts_watch", default=None)
"""The watch of the exchange that the running task makes."""


def httpx_watched(transport: Any) -> Any:
    """Return a copy of a transport for asyncio that shares its connections. A connection that the copy makes asks the
    watch of the running task at each read, so that it also serves other requests."""
    pool: Any = getattr(transport, "_pool", None)
    if type(pool).__module__.partition(".")[0] not in ("httpcore", "httpcore2"):
        return transport
    watched, own = copy.copy(transport), copy.copy(pool)
    own._network_backend = _AsyncWatched(own._network_backend)
    watched._pool = own
    return watched


@contextmanager
def watching(watch: Watch) -> Iterator[None]:
    """Set the watch of the running task."""
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)


def httpx_begins(attempt: Attempt, response: Any) -> None:
    """Take the head of an answer. h11 accepts a longer reason phrase than the other clients do.

    Raises:
        Here, HTTPException: see `Attempt.begins`.
    """
    if len(response.extensions.get("reason_phrase", b"")) > HEAD:
        raise HTTPException(f"the head is longer than {HEAD} octets")
    attempt.begins(response.status_code, response.http_version, response.headers.raw)


class _Pinned:
    """Connects to one address, for clients with and without async."""

    def __init__(self, backend: Any, address: str) -> None:
        self._backend = backend
        self._address = address

    def connect_tcp(self, host: str, *arguments: Any, **options: Any) -> Any:
        return self._backend.connect_tcp(self._address, *arguments, **options)

    def sleep(self, seconds: float) -> Any:
        return self._backend.sleep(seconds)


class _Watched:
    """Makes connections whose reads are watched, for clients without async."""

    def __init__(self, backend: Any, watch: Watch) -> None:
        self._backend = backend
        self._watch = watch

    def connect_tcp(self, *arguments: Any, timeout: Optional[float] = None, **options: Any) -> Any:
        stream = self._backend.connect_tcp(*arguments, timeout=self._watch.left(timeout), **options)
        return _WatchedStream(stream, self._watch)

    def connect_unix_socket(self, *arguments: Any, timeout: Optional[float] = None, **options: Any) -> Any:
        stream = self._backend.connect_unix_socket(*arguments, timeout=self._watch.left(timeout), **options)
        return _WatchedStream(stream, self._watch)

    def sleep(self, seconds: float) -> Any:
        return self._backend.sleep(self._watch.left(seconds))


class _WatchedStream:
    def __init__(self, stream: Any, watch: Watch) -> None:
        self._stream = stream
        self._watch = watch

    def read(self, max_bytes: int, timeout: Optional[float] = None) -> Any:
        most = self._watch.most(max_bytes)
        return self._watch.took(self._stream.read(most, timeout=self._watch.left(timeout)))

    def write(self, buffer: bytes, timeout: Optional[float] = None) -> None:
        self._stream.write(buffer, timeout=self._watch.left(timeout))

    def start_tls(self, ssl_context: Any, server_hostname: Any = None, timeout: Optional[float] = None) -> Any:
        stream = self._stream.start_tls(ssl_context, server_hostname, self._watch.left(timeout))
        return _WatchedStream(stream, self._watch)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

    def close(self) -> None:
        self._stream.close()


class _AsyncWatched:
    """Makes connections whose reads are watched, for clients with async."""

    def __init__(self, backend: Any) -> None:
        self._backend = backend

    async def connect_tcp(self, *arguments: Any, **options: Any) -> Any:
        return _AsyncWatchedStream(await self._backend.connect_tcp(*arguments, **options))

    async def connect_unix_socket(self, *arguments: Any, **options: Any) -> Any:
        return _AsyncWatchedStream(await self._backend.connect_unix_socket(*arguments, **options))

    async def sleep(self, seconds: float) -> Any:
        return await self._backend.sleep(seconds)


class _AsyncWatchedStream:
    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def read(self, max_bytes: int, timeout: Optional[float] = None) -> Any:
        watch = _watch.get()
        if watch is None:
            return await self._stream.read(max_bytes, timeout=timeout)
        return watch.took(await self._stream.read(watch.most(max_bytes), timeout=timeout))

    async def write(self, buffer: bytes, timeout: Optional[float] = None) -> None:
        await self._stream.write(buffer, timeout=timeout)

    async def start_tls(self, *arguments: Any, **options: Any) -> Any:
        return _AsyncWatchedStream(await self._stream.start_tls(*arguments, **options))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

    async def aclose(self) -> None:
        await self._stream.aclose()


def httpx_failure(httpx: Any, error: BaseException, arrived: bool) -> Tuple[Failure, str]:
    """Return the kind of a failure of httpx, and its text."""
    if isinstance(error, httpx.TimeoutException):
        return "timeout", f"no answer arrived in time: {text(error)}"
    if isinstance(error, (httpx.RemoteProtocolError, httpx.ReadError)) and arrived:
        return "incomplete", f"the body was cut: {text(error)}"
    if isinstance(error, httpx.RemoteProtocolError):
        return "invalid-response", text(error)
    return failure_of(error)
