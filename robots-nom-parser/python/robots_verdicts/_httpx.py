"""Requests that go through the transports of a client of httpx. Both clients share this code.

The client itself is not used: it would run the hooks of the program, add the cookies of its jar, and keep those of the
answer. A hook could also raise an error, for example for a 404."""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

from ._attempt import ANY_PROXY, Failure, failure_of, text
from ._connect import Target, Timeouts
from ._native import Request


def httpx_request(httpx: Any, request: Request, target: Target, address: Optional[str], timeouts: Timeouts) -> Any:
    """Return a request of httpx. It has no cookies and no credentials. With an address, no host is looked up."""
    # httpx has one time limit for both the header and the parts of the body.
    limits = {"connect": timeouts.connect, "read": max(timeouts.answer, timeouts.idle), "write": timeouts.idle}
    extensions: Dict[str, Any] = {"timeout": {**limits, "pool": timeouts.total}}
    fields = [("host", target.authority), *request.fields]
    if address is None:
        return httpx.Request("GET", request.url, headers=fields, extensions=extensions)
    extensions["sni_hostname"] = target.host
    return httpx.Request("GET", target.at(address), headers=fields, extensions=extensions)


def httpx_transport(http: Any, url: Any) -> Any:
    """Return the transport that a client of httpx uses for a URL."""
    return http._transport_for_url(url)


def httpx_proxy(transport: Any) -> Optional[str]:
    """Return the proxy that a transport of httpx uses."""
    # A transport of another package may use a proxy, and does not report that.
    if not hasattr(transport, "_pool"):
        return ANY_PROXY
    proxy = getattr(transport._pool, "_proxy_url", None)
    if proxy is None:
        return None
    port = "" if proxy.port is None else f":{proxy.port}"
    return f"{proxy.scheme.decode()}://{proxy.host.decode()}{port}"


def httpx_failure(httpx: Any, error: BaseException, arrived: bool) -> Tuple[Failure, str]:
    """Return the kind of a failure of httpx, and its text."""
    if isinstance(error, httpx.TimeoutException):
        return "timeout", f"no answer arrived in time: {text(error)}"
    if isinstance(error, (httpx.RemoteProtocolError, httpx.ReadError)) and arrived:
        return "incomplete", f"the body was cut: {text(error)}"
    if isinstance(error, httpx.RemoteProtocolError):
        return "invalid-response", text(error)
    return failure_of(error)
