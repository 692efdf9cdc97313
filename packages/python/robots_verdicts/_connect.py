"""Code that the clients and the adapters share: time limits, proxies, the addresses that a guard allows, and the forms
in which a URL is sent."""

from __future__ import annotations

import asyncio
import base64
import ipaddress
import re
import socket
import urllib.request
from dataclasses import dataclass
from typing import Any, Callable, Iterable, List, Optional, Tuple
from urllib.parse import unquote, urlsplit

from ._attempt import ANY_PROXY
from ._native import FetchVerdict, Refused, _governed

Guard = Callable[[str, int, str, Optional[str]], None]
"""Called before each connection with the host and the port of the URL, the address, and the URL of the proxy, or `None`
if there is no proxy. With a proxy, the address is that of the proxy. A guard raises `Refused` if the connection must
not be made. `PublicOnly` is a guard."""


@dataclass(frozen=True)
class Timeouts:
    """The time limits of one request, in seconds."""

    connect: float = 10.0
    """For each attempt to connect to an address, and for the TLS handshake."""
    answer: float = 15.0
    """For the next octets of the header. httpx and aiohttp have one limit for the octets of header and body: the larger
    of this and `idle`."""
    idle: float = 10.0
    """For the next octets of the body."""
    total: float = 60.0
    """From the look-up to the end of the body. If an `httpx.Client` has a transport of another package, this is checked
    only between two parts of the body."""
    pool: float = 600.0
    """For a place in the connection pool of the HTTP library, before `total` begins. If no place becomes free, this is
    no failure of the site."""


class Target:
    """The parts of a URL that a connection needs."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.url = url
        self.scheme = parts.scheme
        self.host = parts.hostname or ""
        self.port = parts.port or {"https": 443, "ftp": 21}.get(parts.scheme, 80)
        self.authority = parts.netloc
        path = parts.path or "/"
        self.path = f"{path}?{parts.query}" if parts.query else path

    def at(self, address: str) -> str:
        """Return the URL with an address in the place of the host."""
        port = self.authority[len(self.authority.rstrip("0123456789")) :] if self._has_port() else ""
        return f"{self.scheme}://{bracketed(address)}{':' + port if port else ''}{self.path}"

    def _has_port(self) -> bool:
        return self.authority.rpartition("]")[2].find(":") >= 0


class Proxy:
    """A proxy of the environment, or of an HTTP client."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        self.url = parts.geturl()
        self.host = parts.hostname or ""
        self.port = parts.port or 80
        # The name of the proxy does not contain its credentials.
        self.name = f"{parts.scheme}://{bracketed(self.host)}:{self.port}"
        self.fields: List[str] = []
        if parts.username is not None:
            pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
            self.fields = [f"proxy-authorization: Basic {base64.b64encode(pair).decode()}"]


def proxy_of(target: Target) -> Optional[Proxy]:
    """Return the proxy of the environment for a URL."""
    proxies = urllib.request.getproxies()
    url = proxies.get(target.scheme) or proxies.get("all")
    if not url or urllib.request.proxy_bypass(target.authority):
        return None
    return Proxy(url)


def other_end(target: Target, proxy: Optional[str]) -> Tuple[str, int]:
    """Return the host and the port that a request connects to: those of its proxy, or of the site.

    Raises:
        Refused: it is not known whether there is a proxy.
    """
    if proxy == ANY_PROXY:
        raise Refused("a guard cannot check the connections of this HTTP client, because it does not report its proxy")
    if proxy is None:
        return target.host, target.port
    found = Proxy(proxy)
    return found.host, found.port


def bracketed(host: str) -> str:
    """Return a host as a URL contains it."""
    return f"[{host}]" if ":" in host else host


def literal(host: str) -> Optional[str]:
    """Return the host if it is already an address."""
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return None


def look_up(host: str, port: int) -> List[str]:
    """Return the addresses of a host."""
    found = literal(host)
    if found is not None:
        return [found]
    return _addresses(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))


async def look_up_async(host: str, port: int) -> List[str]:
    """Return the addresses of a host. The event loop may use a thread for that."""
    found = literal(host)
    if found is not None:
        return [found]
    loop = asyncio.get_running_loop()
    return _addresses(await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM))


def _addresses(found: Iterable[Tuple[Any, ...]]) -> List[str]:
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def allowed(guard: Guard, host: str, port: int, addresses: Iterable[str], proxy: Optional[str] = None) -> List[str]:
    """Return the addresses that a guard allows.

    Raises:
        Refused: the guard allows no address, or the host has no address.
    """
    kept: List[str] = []
    refusal: Optional[Refused] = None
    for address in addresses:
        try:
            guard(host, port, address, proxy)
            kept.append(address)
        except Refused as refused:
            refusal = refused
    if not kept:
        raise refusal or Refused(f"{host} has no address")
    return kept


def to_try(guard: Guard, target: Target, found: List[str], proxy: Optional[str]) -> List[Optional[str]]:
    """Return the addresses to which an HTTP library may connect for a request, if a guard allows them. With a proxy, the
    result is `None` alone, because the library looks up the proxy again and may connect to each of its addresses.

    Raises:
        Refused: the guard refused all addresses, or some addresses of the proxy.
    """
    kept = allowed(guard, target.host, target.port, found, proxy)
    if proxy is None:
        return [*kept]
    if len(kept) < len(found):
        raise Refused("the guard refused an address of the proxy, and the HTTP library may connect to it")
    return [None]


def governed(url: str) -> Optional[str]:
    """Return the URL of a crawler's request without its user information, or `None` for a relative URL or a scheme
    without robots.txt.

    Raises:
        ValueError: a robots.txt may govern the URL, but HTTP clients do not agree about its origin. It must not be
            fetched.
    """
    return _governed(url)


def permits(verdict: FetchVerdict, url: str, *, keeps_dots: bool = False) -> bool:
    """Return whether a crawler may fetch a URL, given the verdict on it.

    The verdict is about the URL as most HTTP clients send it. A crawler sends its own form of the URL, so that form
    must be permitted as well: some clients send ``\\`` and ``%2e%2e`` as they are, and with `keeps_dots` the crawler
    also sends other dot segments as they are.
    """
    forms = [url] if keeps_dots and verdict.url != url else []
    if _UNCLEAR.search(url):
        forms.append(_without_dots(url))
    return verdict.allowed and all(verdict.beside(form, as_written=True).allowed for form in forms)


_UNCLEAR = re.compile(r"[\\\x00-\x20]|%2e", re.IGNORECASE)
_PATH = re.compile(r"[^:/?#]*://[^/?#]*/([^?#]*)")


def _without_dots(url: str) -> str:
    """Remove the segments ``.`` and ``..`` of the path, and nothing else."""
    kept: List[str] = []
    found = _PATH.match(url)
    if found is None:
        return url
    segments = found[1].split("/")
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return f"{url[: found.start(1)]}{'/'.join(kept)}{url[found.end() :]}"
