"""Requests that go through the transports of a client of httpx. Both clients share this code.

The client itself is not used: it would run the hooks of the program, add the cookies of its jar, and keep those of the
answer. A hook could also raise an error, for example for a 404."""

from __future__ import annotations

import copy
from http.client import HTTPException
from typing import Any, Callable, Optional, Tuple

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


def httpx_pinned(transport: Any, address: str) -> Any:
    """Return a copy of a transport that connects to an address, whatever the host of the URL is. Close its ``_pool``.

    The URL keeps its host, so TLS checks the certificate of this host. The copy has a pool of its own, because a
    connection that is already open may lead to an address that the guard did not check.
    """
    pool = transport._pool
    pinned = copy.copy(transport)
    # This call raises an error if a version of httpx stores its settings under other names. The code makes a new pool,
    # because a copy of the old pool would share its connections.
    pinned._pool = type(pool)(
        ssl_context=pool._ssl_context,
        http1=pool._http1,
        http2=pool._http2,
        retries=pool._retries,
        local_address=pool._local_address,
        socket_options=pool._socket_options,
        network_backend=_Pinned(pool._network_backend, address),
    )
    return pinned


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


def httpx_failure(httpx: Any, error: BaseException, arrived: bool) -> Tuple[Failure, str]:
    """Return the kind of a failure of httpx, and its text."""
    if isinstance(error, httpx.TimeoutException):
        return "timeout", f"no answer arrived in time: {text(error)}"
    if isinstance(error, (httpx.RemoteProtocolError, httpx.ReadError)) and arrived:
        return "incomplete", f"the body was cut: {text(error)}"
    if isinstance(error, httpx.RemoteProtocolError):
        return "invalid-response", text(error)
    return failure_of(error)
