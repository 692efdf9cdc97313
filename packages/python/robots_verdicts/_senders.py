"""Sends the requests of the client for asyncio, with httpx or aiohttp. Start at `Sender.send`: it asks the guard, and
tries each allowed address. A subclass makes one exchange, and knows the errors of its library."""

from __future__ import annotations

import asyncio
import functools
import importlib
import math
from http.client import HTTPException
from typing import Any, Dict, List, Optional, Tuple, Type

from ._attempt import ANY_PROXY, Attempt, Failure, Here, failure_of, proxy_name, text
from ._connect import Guard, Target, Timeouts, look_up_async, other_end, proxy_of, to_try
from ._ending import UnknownEnd, check_tls_end, shows_its_end
from ._http1 import INTERIM
from ._httpx import (
    Watch,
    httpx_apart,
    httpx_begins,
    httpx_failure,
    httpx_proxy,
    httpx_request,
    httpx_transport,
    httpx_watched,
    watching,
)
from ._native import Request, Retrieval


class Sender:
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
                is_last = position + 1 == len(addresses)
                if is_last or attempt.has_head or not isinstance(error, self._connects()):
                    raise

    async def _addresses(self, target: Target, proxy: Optional[str]) -> List[Optional[str]]:
        """Return the addresses to connect to, or `None` alone if the library looks up the host."""
        if self._guard is None:
            return [None]
        host, port = other_end(target, proxy)
        found = await asyncio.wait_for(look_up_async(host, port), self._timeouts.connect)
        return to_try(self._guard, target, found, proxy)

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


class Httpx(Sender):
    """Sends requests with the transports of a client of httpx."""

    async def _exchange(
        self,
        request: Request,
        target: Target,
        address: Optional[str],
        retrieval: Retrieval,
        attempt: Attempt,
    ) -> None:
        watch = Watch(math.inf)

        async def trace(event: str = "", _: Any = None) -> None:
            attempt.connects()
            # With HTTP/2, this task also reads the octets of other requests.
            if not event.startswith("http2."):
                watch.trace(event)

        message = httpx_request(self._library, request, target, self._timeouts, trace)
        transport = httpx_transport(self._http, message.url)
        pinned = transport if address is None else httpx_apart(transport, address)
        try:
            with watching(watch):
                response = await httpx_watched(pinned).handle_async_request(message)
                try:
                    await self._receive(response, target, retrieval, attempt)
                finally:
                    await response.aclose()
        finally:
            if pinned is not transport:
                await pinned._pool.aclose()

    async def _receive(self, response: Any, target: Target, retrieval: Retrieval, attempt: Attempt) -> None:
        httpx_begins(attempt, response)
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


class Aiohttp(Sender):
    """Sends requests with the connections of a session of aiohttp.

    Each request has a session of its own, because the given one may add cookies, credentials and other fields. With
    some codings, aiohttp also does not report that a body ends early, so the session must not decode.
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
        # The client itself limits the whole request, because this limit of aiohttp includes the wait for its pool.
        limits = self._library.ClientTimeout(
            total=None,
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
            response_class=_bounded(self._library.ClientResponse),
            trace_configs=[self._trace(attempt)],
        )
        fields = [("host", target.authority), *request.fields]
        async with session, session.get(
            url, headers=fields, allow_redirects=False, timeout=limits, **options
        ) as response:
            protocol = response.connection.protocol if response.connection is not None else None
            attempt.begins(response.status, "HTTP/{}.{}".format(*response.version), response.raw_headers)
            # After a status line, aiohttp takes a line of one space for the end of the head.
            if response.status < 400 and not response.raw_headers:
                raise HTTPException("the answer has no field, so its fields may be a part of its body")
            if retrieval.head(response.status, response.raw_headers):
                async for chunk in response.content.iter_any():
                    if not retrieval.data(chunk):
                        break
                else:
                    if not shows_its_end(response.status, "HTTP/1.1", response.raw_headers):
                        self._check_end(target, protocol)

    def _trace(self, attempt: Attempt) -> Any:
        async def connects(*_: Any) -> None:
            attempt.connects()

        trace = self._library.TraceConfig()
        trace.on_connection_create_start.append(connects)
        trace.on_connection_reuseconn.append(connects)
        return trace

    def _check_end(self, target: Target, protocol: Any) -> None:
        """Check that a body that ended with its connection is whole.

        Raises:
            UnknownEnd: the body may be cut. aiohttp treats a reset as the end of such a body, and asyncio does the same
                if a TLS connection ends without ``close_notify``. Only `protocol` knows how a connection without TLS
                ended.
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
        # A connector of another package may use a proxy, and does not report that. The program behind a Unix socket may
        # be a proxy.
        connector = self._http.connector
        is_direct = isinstance(connector, self._library.TCPConnector) and type(connector).__module__.startswith("aiohttp.")
        return None if is_direct else ANY_PROXY

    def _is_closed(self) -> bool:
        return bool(self._http.closed)

    def _connects(self) -> Tuple[Type[BaseException], ...]:
        # Before 3.10, aiohttp raised the same error if a connection timed out and if a read timed out.
        timeout = getattr(self._library, "ConnectionTimeoutError", self._library.ServerTimeoutError)
        return (self._library.ClientConnectorError, timeout)

    def _failure(self, error: BaseException, arrived: bool) -> Tuple[Failure, str]:
        if isinstance(error, self._library.ClientConnectorDNSError):
            return "dns", f"the host cannot be resolved: {text(error)}"
        if isinstance(error, self._library.ClientPayloadError):
            return "incomplete", f"the body was cut: {text(error)}"
        if isinstance(error, self._library.ClientResponseError):
            return "invalid-response", text(error)
        return failure_of(error)


@functools.lru_cache(maxsize=None)
def _bounded(kind: Any) -> Any:
    """Return a kind of response that accepts a bounded number of interim answers."""

    class Bounded(kind):  # type: ignore[misc]
        async def start(self, connection: Any) -> Any:
            protocol, left = connection.protocol, INTERIM + 1
            read = protocol.read

            async def counted() -> Any:
                nonlocal left
                left -= 1
                if left < 0:
                    raise HTTPException(f"there are more than {INTERIM} interim answers")
                return await read()

            protocol.read = counted
            try:
                return await super().start(connection)
            finally:
                del protocol.read

    return Bounded


def _alone(kind: Any, target: Target) -> Any:
    """Return a kind of request that shares its connection with no other request, and checks the name in its TLS.

    The URL has the address in the place of the host. Before 3.14, aiohttp would also use an open connection to another
    host with the same address. It would not check the certificate for this host, and the answer could come from the
    other host.
    """

    class Alone(kind):  # type: ignore[misc]
        async def send(self, connection: Any) -> Any:
            # If the connection has no transport, aiohttp itself reports that it is closed.
            if target.scheme == "https" and connection.transport is not None:
                name = getattr(connection.transport.get_extra_info("ssl_object"), "server_hostname", None)
                if name != target.host.rstrip("."):
                    raise Here(f"the connection to the host {target.host} is one to the host {name}")
            connection.protocol.force_close()
            return await super().send(connection)

    return Alone
