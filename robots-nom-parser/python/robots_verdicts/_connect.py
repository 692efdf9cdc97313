"""Code that the clients and the adapters share: time limits, the addresses that a guard allows, the kinds of failures,
and the forms in which a URL is sent."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import logging
import re
import socket
import ssl
from dataclasses import dataclass
from http.client import HTTPException, IncompleteRead
from typing import Any, Awaitable, Callable, Dict, Iterable, Iterator, List, Literal, Optional, Tuple
from urllib.parse import urlsplit

from ._native import FetchVerdict, Refused, Request, Retrieval, _governed

logger = logging.getLogger(__name__)

Failure = Literal["dns", "timeout", "invalid-response", "connection", "chunking", "incomplete"]

Guard = Callable[..., None]
"""Called with host, port and address before each connection, and with the URL of the proxy if the standard library
sends the request through one. A guard raises `Refused` if the connection must not be made. `PublicOnly` is a guard."""


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
    """From the look-up to the end of the body."""


class CutHead(HTTPException):
    """A connection ended before the end of the head of an answer."""


class Here(Exception):
    """A failure of the client's side. It says nothing about the site."""


ANY_PROXY = "of the HTTP client"
"""The name of a proxy if an HTTP library does not report whether it uses one."""


def proxy_name(url: Any) -> str:
    """Return the URL of a proxy without its credentials."""
    scheme, _, rest = str(url).rpartition("//")
    return f"{scheme or 'http:'}//{rest.rpartition('@')[2].partition('/')[0]}"


class UnknownEnd(Exception):
    """The HTTP library takes a cut for the end of an answer, and nothing else shows whether this answer is whole."""

    def __init__(self, why: str = "the body has neither Content-Length nor chunks, so it may be cut") -> None:
        super().__init__(why)


def shows_its_end(status: int, version: str, fields: Iterable[Tuple[Any, Any]]) -> bool:
    """Return whether an answer shows where its body ends. Names of fields are octets or text."""
    # A 204 has no body, and HTTP/2 marks the end of each body.
    if status == 204 or version not in ("HTTP/1.0", "HTTP/1.1"):
        return True
    names = {name.lower() if isinstance(name, str) else name.decode("latin-1").lower() for name, _ in fields}
    return not names.isdisjoint(("content-length", "transfer-encoding"))


def check_tls_end(scheme: str, status: int, version: str, fields: Iterable[Tuple[Any, Any]]) -> None:
    """Check that a body that was read to its end is whole, for a library that does not notice when a TLS connection ends
    without ``close_notify``.

    Raises:
        UnknownEnd: the connection may have been cut.
    """
    if scheme == "https" and not shows_its_end(status, version, fields):
        raise UnknownEnd


def check_curl(status: int, version: str, fields: Iterable[Tuple[str, str]], *, begins: bool, wanted: bool) -> None:
    """Check that an answer which curl reports is whole: its head, and its body if it is `wanted`. `begins` says whether
    an octet of the body arrived.

    curl takes the end of an HTTP/1.x connection for the end of the head, and of a body without a length. It even takes
    it for the end of the chunks if it comes within the head. An octet of the body shows that the head is whole. But if
    the status or the length says that there is no body, a head that is cut after that is not noticed.

    Raises:
        UnknownEnd: the connection may have been cut.
    """
    if version.startswith(("HTTP/2", "HTTP/3")) or status in (204, 304):
        return
    fields = list(fields)
    is_empty = {value.strip() for name, value in fields if name.lower() == "content-length"} == {"0"}
    if not begins and not is_empty:
        raise UnknownEnd("no octet of a body arrived, so the head may be cut")
    # curl may also report no version.
    if wanted and not shows_its_end(status, "HTTP/1.1", fields):
        raise UnknownEnd


def uncoded(request: Request) -> Dict[str, str]:
    """Return the fields of a request for a body without a content coding, for a library that decodes the body itself.

    Most of these libraries do not notice that a coding ends early: curl and httpx return the part that arrived.
    """
    return {**request.headers, "accept-encoding": "identity"}


def check_uncoded(fields: Iterable[Tuple[str, str]]) -> None:
    """Check that the body of an answer has no content coding, for a request with the fields of `uncoded`.

    Raises:
        UnknownEnd: the site used a coding, although the request accepts none.
    """
    for name, value in fields:
        if name.lower() == "content-encoding":
            for coding in value.split(","):
                if coding.strip().lower() not in ("", "identity"):
                    name = coding.strip()
                    raise UnknownEnd(f"the body has the coding {name!r}, which was not asked for, so it may be cut")


def check_plain(fields: Iterable[Tuple[bytes, bytes]], body: bytes) -> None:
    """Check that a body is not coded, for a library that hides ``Transfer-Encoding``. The coded octets would be a file
    without rules.

    Raises:
        Coded: no field declares a coding, and the body begins like one.
    """
    codings = {value.strip().lower() for name, value in fields if name.lower() == b"content-encoding"}
    if codings <= {b"", b"identity"} and body.startswith(_CODED):
        raise Coded("the body begins like a coded one, and no content coding is declared")


# gzip, compress, zstd, and zlib at its usual levels. A robots.txt that begins like this has no field in its first line,
# so nothing is lost if it is refused.
_CODED = (b"\x1f\x8b", b"\x1f\x9d", b"\x28\xb5\x2f\xfd", b"\x78\x01", b"\x78\x9c", b"\x78\xda")


class Coded(Exception):
    """A body has a coding that nothing declares."""


class Reports:
    """A function that sends requests, and reports to an `Attempt` what it knows about each."""

    def __init__(self, send: Callable[[Request, Retrieval, Attempt], Awaitable[None]]) -> None:
        self.send = send


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
        host = f"[{address}]" if ":" in address else address
        port = self.authority[len(self.authority.rstrip("0123456789")) :] if self._has_port() else ""
        return f"{self.scheme}://{host}{':' + port if port else ''}{self.path}"

    def _has_port(self) -> bool:
        return self.authority.rpartition("]")[2].find(":") >= 0


def literal(host: str) -> Optional[str]:
    """Return the host if it is already an address."""
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return None


def look_up(host: str, port: int) -> List[str]:
    """Return the addresses of a host."""
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
            guard(host, port, address) if proxy is None else guard(host, port, address, proxy)
            kept.append(address)
        except Refused as refused:
            refusal = refused
    if not kept:
        raise refusal or Refused(f"{host} has no address")
    return kept


@dataclass
class Attempt:
    """What is known about a request. It decides whether a failure is one of the site."""

    proxy: Optional[str] = None
    """The proxy that the request goes through, or `ANY_PROXY` if that is not known."""
    has_head: bool = False
    """Whether the head of an answer of the site has arrived."""
    kind: Optional[Callable[[BaseException, bool], Tuple[Failure, str]]] = None
    """Returns the kind of a failure of the HTTP library, and its text, given whether the head has arrived."""

    def begins(self, status: int) -> None:
        """Take the status of an answer. Only a proxy sends a 407 (RFC 9110, 15.5.8). As the answer of a site, it would
        mean that there is no robots.txt.

        Raises:
            Here: the proxy asks for credentials.
        """
        if status == 407 and self.proxy is not None:
            raise Here(f"the proxy {self.proxy} answered 407, so the request did not reach the site")
        self.has_head = True

    def fail(self, retrieval: Retrieval, error: BaseException) -> None:
        """Report a failure of the request. Only a failure of the site may begin an outage, because a long outage allows
        everything. So a failure is one of the site only if it is known to be a failure of the network, and no proxy
        comes before the site. An error of the program is logged, because it would not be noticed otherwise."""
        side = side_of(error)
        if side == "program":
            message = "the request for the robots.txt of %s ended with an error that is no failure of the network"
            logger.error(message, retrieval.key, exc_info=error)
        if not retrieval.open:
            return None
        failure, why = failure_of(error) if self.kind is None else self.kind(error, self.has_head)
        # Some libraries write the URL of the proxy with its credentials. The text becomes a part of the verdict.
        why = _CREDENTIALS.sub("//", why)
        if self.proxy in (None, ANY_PROXY) or self.has_head or isinstance(error, (Here, Refused)):
            return retrieval.failed(failure, why, here=side != "network")
        return retrieval.failed(failure, f"{why} (the request went through the proxy {self.proxy})", here=True)


_CREDENTIALS = re.compile(r"//[^/?#\s]*@")


def side_of(error: BaseException) -> Literal["network", "here", "program"]:
    """Return which side a failure belongs to: the network with the site, the client, or the program that uses it. An
    unknown error belongs to the program."""
    if isinstance(error, (Here, Refused)):
        return "here"
    for cause in causes(error):
        names = {kind.__name__ for kind in type(cause).__mro__}
        if not names.isdisjoint(_OF_CLIENT) or isinstance(cause, _OF_FILES):
            return "here"
        # Twisted has the number in `osError`.
        if getattr(cause, "errno", None) in _OF_MACHINE or getattr(cause, "osError", None) in _OF_MACHINE:
            return "here"
        # The host of the URL cannot be written in a request.
        if isinstance(cause, UnicodeError) and "idna" in str(cause):
            return "here"
    # An error that happened while another one was handled is not caused by it.
    cause_of: Optional[BaseException] = error
    while cause_of is not None:
        libraries = {kind.__module__.partition(".")[0] for kind in type(cause_of).__mro__}
        if isinstance(cause_of, _OF_NETWORK) or not libraries.isdisjoint(_LIBRARIES):
            return "network"
        cause_of = cause_of.__cause__
    return "program"


_OF_NETWORK = (OSError, EOFError, HTTPException, asyncio.TimeoutError, UnknownEnd, Coded)
# These are kinds of `OSError` too. A path or a right is missing on this machine.
_OF_FILES = (FileNotFoundError, FileExistsError, IsADirectoryError, NotADirectoryError, PermissionError)
# This machine has no network, no free file descriptor or no memory.
_OF_MACHINE = frozenset(
    getattr(errno, name)
    for name in ("EADDRNOTAVAIL", "ENETDOWN", "ENETUNREACH", "EMFILE", "ENFILE", "ENOBUFS", "ENOMEM")
    if hasattr(errno, name)
)
# The errors of these packages are failures of the network,
_LIBRARIES = frozenset(
    "aiohttp crawlee curl_cffi h11 h2 httpcore httpcore2 httpx httpx2 impit niquests patchright playwright pycurl "
    "requests scrapy twisted urllib3".split()
)
# except these, whose names are the same in most of the packages: of proxies, of closed sessions, of requests that
# cannot be sent, and of Scrapy's middlewares.
_OF_CLIENT = frozenset(
    "ProxyError ProxyConnectionError ClientProxyConnectionError ClientHttpProxyError InvalidProxyURL "
    "ProxySchemeUnknown SessionClosed ClosedPoolError PoolTimeout EmptyPoolError InterfaceError ImpersonateError "
    "StreamError InvalidURL LocationParseError LocalProtocolError MissingSchema InvalidSchema InvalidHeader "
    "UnsupportedProtocol IgnoreRequest NotSupported NotConfigured UsageError CloseSpider "
    "UnsupportedURLSchemeError".split()
)


def causes(error: Optional[BaseException]) -> Iterator[BaseException]:
    """Return an error and its causes."""
    seen: List[BaseException] = []
    while error is not None and error not in seen:
        seen.append(error)
        yield error
        error = error.__cause__ or error.__context__


def failure_of(error: BaseException) -> Tuple[Failure, str]:
    """Return the kind of a failure of the standard library, and its text. The type of the error decides, not its text.
    """
    if isinstance(error, UnknownEnd):
        return "incomplete", str(error)
    if isinstance(error, (Here, Refused)):
        return "connection", str(error)
    if isinstance(error, Coded):
        return "invalid-response", str(error)
    for cause in causes(error):
        if isinstance(cause, socket.gaierror):
            return "dns", f"the host cannot be resolved: {text(cause)}"
        if isinstance(cause, (TimeoutError, asyncio.TimeoutError, socket.timeout)):
            return "timeout", f"no answer arrived in time: {text(error)}"
        if isinstance(cause, CutHead):
            return "incomplete", "the head of the answer was cut"
        if isinstance(cause, IncompleteRead):
            return "incomplete", "the body was cut"
        if isinstance(cause, HTTPException):
            return "invalid-response", f"the answer is not HTTP: {text(cause)}"
        if isinstance(cause, (ssl.SSLError, ssl.CertificateError)):
            return "connection", f"TLS failed: {text(cause)}"
    return "connection", text(error)


def text(error: BaseException) -> str:
    """Return the text of an error, or its type if it has none."""
    return str(error) or type(error).__name__


def governed(url: str) -> Optional[str]:
    """Return the URL of a crawler's request without its user information, or `None` if its scheme has no robots.txt.

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
