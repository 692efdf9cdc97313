"""What a failure of a request says about the site. Start at `Attempt`: only a failure of the network may begin an outage
of a site, because a long outage allows everything."""

from __future__ import annotations

import asyncio
import errno
import logging
import re
import socket
import ssl
from dataclasses import dataclass
from http.client import HTTPException, IncompleteRead
from typing import Any, Awaitable, Callable, Iterable, Iterator, List, Literal, Optional, Tuple

from ._ending import Coded, CutHead, UnknownEnd, check_version
from ._native import Refused, Request, Retrieval

logger = logging.getLogger(__name__)

Failure = Literal["dns", "timeout", "invalid-response", "connection", "chunking", "incomplete"]

ANY_PROXY = "of the HTTP client"
"""This takes the place of the name of a proxy if an HTTP library does not report whether it uses one."""


class Here(Exception):
    """A failure of the client's side. It says nothing about the site."""


class Reports:
    """A function that sends requests, and reports to an `Attempt` what it knows about each."""

    def __init__(self, send: Callable[[Request, Retrieval, Attempt], Awaitable[None]]) -> None:
        self.send = send


@dataclass
class Attempt:
    """What is known about a request. It decides whether a failure is one of the site."""

    proxy: Optional[str] = None
    """The proxy that the request goes through, or `ANY_PROXY` if that is not known."""
    has_head: bool = False
    """Whether the head of an answer of the site has arrived."""
    kind: Optional[Callable[[BaseException, bool], Tuple[Failure, str]]] = None
    """Returns the kind and the text of a failure from an error of the HTTP library. The second argument says whether
    the head has arrived."""
    connects: Callable[[], None] = lambda: None
    """Called when the request has a place in the pool of the HTTP library: it opens a connection, or uses an open one.
    The time limit of the request begins here, because a full pool says nothing about the site."""

    def begins(self, status: int, version: str = "HTTP/1.1", fields: Iterable[Tuple[Any, Any]] = ()) -> None:
        """Take the head of an answer. Names of fields are octets or text.

        Raises:
            Here: the proxy asks for credentials. Only a proxy sends a 407 (RFC 9110, 15.5.8). If it counted as the
                answer of a site, it would mean that there is no robots.txt.
            HTTPException: the version of HTTP does not permit this answer.
        """
        if status == 407 and self.proxy is not None:
            raise Here(f"the proxy {self.proxy} answered 407, so the request did not reach the site")
        check_version(version, fields)
        self.has_head = True
        self.connects()

    def is_timeout(self, error: BaseException) -> bool:
        """Return whether a request ended because no head of an answer arrived in time."""
        failure, _ = failure_of(error) if self.kind is None else self.kind(error, self.has_head)
        return failure == "timeout" and not self.has_head and side_of(error) == "network"

    def fail(self, retrieval: Retrieval, error: BaseException) -> None:
        """Report a failure of the request. Only a failure of the site may begin an outage, because a long outage allows
        everything. So a failure counts as one of the site only if it is a failure of the network. If a known proxy
        comes before the site, the head of the answer must also have arrived. An error of the program is logged, because
        it would not be noticed otherwise."""
        side = side_of(error)
        if side == "program":
            message = "the request for the robots.txt of %s ended with an error that is no failure of the network"
            logger.error(message, retrieval.key, exc_info=error)
        if not retrieval.open:
            return None
        failure, why = failure_of(error) if self.kind is None else self.kind(error, self.has_head)
        # In their error messages, some libraries write the URL of the proxy with its credentials. The message becomes a
        # part of the verdict, so the credentials are removed.
        why = _CREDENTIALS.sub("//", why)
        if self.proxy in (None, ANY_PROXY) or self.has_head or isinstance(error, (Here, Refused)):
            return retrieval.failed(failure, why, here=side != "network")
        return retrieval.failed(failure, f"{why} (the request went through the proxy {self.proxy})", here=True)


def report_failure(retrieval: Retrieval, error: BaseException, *, proxy: Optional[str] = None) -> None:
    """Report to a retrieval that its request ended with an error. Use this if your program sends the requests itself.

    Only a failure of the network begins an outage of the site, because a long outage allows everything. A failure of
    this machine or of the HTTP client counts as one of this side, as with ``failed(..., here=True)``. So does an error
    of the program, such as a `TypeError`, which is also logged. With a proxy, every failure counts as one of this side.

        >>> try:
        ...     retrieval.answered(*send(request))
        ... except Exception as error:
        ...     report_failure(retrieval, error)

    Args:
        retrieval: the retrieval whose request failed. If no request is open, an error of the program is only logged.
        error: the exception that the HTTP library or the program raised.
        proxy: the URL of the proxy that the request goes through. The verdict names it without its credentials.
    """
    Attempt(None if proxy is None else proxy_name(proxy)).fail(retrieval, error)


_CREDENTIALS = re.compile(r"//[^/?#\s]*@")


def proxy_name(url: Any) -> str:
    """Return the URL of a proxy without its credentials."""
    scheme, _, rest = str(url).rpartition("//")
    return f"{scheme or 'http:'}//{rest.rpartition('@')[2].partition('/')[0]}"


def side_of(error: BaseException) -> Literal["network", "here", "program"]:
    """Return which side a failure belongs to: the network with the site, the client, or the program that uses it. An
    unknown error belongs to the program."""
    if isinstance(error, (Here, Refused)):
        return "here"
    for cause in causes(error):
        names = {kind.__name__ for kind in type(cause).__mro__}
        if not names.isdisjoint(_OF_CLIENT) or isinstance(cause, _OF_FILES):
            return "here"
        # Twisted stores the error number in the attribute `osError`.
        if getattr(cause, "errno", None) in _OF_MACHINE or getattr(cause, "osError", None) in _OF_MACHINE:
            return "here"
        # `requests` raises this error if it does not find its file of certificates.
        if type(cause) is OSError and "TLS" in str(cause) and "invalid path" in str(cause):
            return "here"
        # The host name of the URL cannot be encoded for a request.
        if isinstance(cause, UnicodeError) and "idna" in str(cause):
            return "here"
    # The loop follows only `__cause__`: if an error happened while another error was handled, the other error is not
    # its cause.
    cause_of: Optional[BaseException] = error
    while cause_of is not None:
        libraries = {kind.__module__.partition(".")[0] for kind in type(cause_of).__mro__}
        if isinstance(cause_of, _OF_NETWORK) or not libraries.isdisjoint(_LIBRARIES):
            return "network"
        cause_of = cause_of.__cause__
    return "program"


_OF_NETWORK = (OSError, EOFError, HTTPException, asyncio.TimeoutError, UnknownEnd, Coded)
# These errors are subclasses of `OSError`, but they mean that a path or a permission on this machine is wrong.
_OF_FILES = (FileNotFoundError, FileExistsError, IsADirectoryError, NotADirectoryError, PermissionError)
# These error numbers mean that this machine has no network, no free file descriptor or no memory.
_OF_MACHINE = frozenset(
    getattr(errno, name)
    for name in ("EADDRNOTAVAIL", "ENETDOWN", "ENETUNREACH", "EMFILE", "ENFILE", "ENOBUFS", "ENOMEM")
    if hasattr(errno, name)
)
# The errors of these packages are failures of the network, except the errors in `_OF_CLIENT`.
_LIBRARIES = frozenset(
    "aiohttp crawlee curl_cffi h11 h2 httpcore httpcore2 httpx httpx2 impit niquests patchright playwright pycurl "
    "requests scrapy twisted urllib3".split()
)
# The errors of the packages in `_LIBRARIES` that are no failures of the network. Most of the packages use the same
# names for them: errors of proxies, of closed sessions, of requests that cannot be sent, and of Scrapy's middlewares.
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
