"""Whether an answer is whole. HTTP libraries differ in what they notice when a connection ends early: these checks refuse
an answer that may have been cut, because half a file may allow everything."""

from __future__ import annotations

from http.client import HTTPException
from typing import Any, Dict, Iterable, Set, Tuple

from ._native import Request


class CutHead(HTTPException):
    """A connection ended before the end of the head of an answer."""


class UnknownEnd(Exception):
    """The HTTP library treats a cut as the end of an answer, and nothing else shows whether this answer is whole."""

    def __init__(self, why: str = "the body has neither Content-Length nor chunks, so it may be cut") -> None:
        super().__init__(why)


class Coded(Exception):
    """A body has a coding that no field declares."""


def check_version(version: str, fields: Iterable[Tuple[Any, Any]]) -> None:
    """Check that an answer may have its fields in its version of HTTP. Names of fields are octets or text.

    Raises:
        HTTPException: the answer has a transfer coding, which HTTP/1.0 does not have (RFC 9112, 6.1), or its version is
            older. HTTP libraries read such an answer as one of HTTP/1.1, but a proxy may have read it in another way.
    """
    if version.startswith("HTTP/0") or (version == "HTTP/1.0" and "transfer-encoding" in _names(fields)):
        raise HTTPException(f"the version {version} does not have such an answer")


def shows_its_end(status: int, version: str, fields: Iterable[Tuple[Any, Any]]) -> bool:
    """Return whether an answer shows where its body ends. Names of fields are octets or text."""
    # An answer with the status 204 has no body, and HTTP/2 marks the end of each body.
    if status == 204 or version not in ("HTTP/1.0", "HTTP/1.1"):
        return True
    return not _names(fields).isdisjoint(("content-length", "transfer-encoding"))


def _names(fields: Iterable[Tuple[Any, Any]]) -> Set[str]:
    return {name.lower() if isinstance(name, str) else name.decode("latin-1").lower() for name, _ in fields}


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

    If an HTTP/1.x connection ends, curl treats the head as complete, and also a body without a length. If the
    connection ends within the head, curl even treats a chunked body as complete. An octet of the body shows that the
    head is whole. But if the status or the length says that there is no body, a cut after this part of the head is not
    noticed.

    Raises:
        UnknownEnd: the connection may have been cut.
    """
    if version.startswith(("HTTP/2", "HTTP/3")) or status in (204, 304):
        return
    fields = list(fields)
    is_empty = {value.strip() for name, value in fields if name.lower() == "content-length"} == {"0"}
    if not begins and not is_empty:
        raise UnknownEnd("no octet of a body arrived, so the head may be cut")
    # curl may report no HTTP version, so the rules of HTTP/1.1 apply.
    if wanted and not shows_its_end(status, "HTTP/1.1", fields):
        raise UnknownEnd


def uncoded(request: Request) -> Dict[str, str]:
    """Return the fields of a request for a body without a content coding, for a library that decodes the body itself.

    Most of these libraries do not notice that a coded body ends early: curl and httpx return the part that arrived.
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
    """Check that a body is not coded, for a library that hides ``Transfer-Encoding``. If they were read as text, the
    coded octets would be a file without rules.

    Raises:
        Coded: no field declares a coding, and the body begins like one.
    """
    codings = {value.strip().lower() for name, value in fields if name.lower() == b"content-encoding"}
    if codings <= {b"", b"identity"} and body.startswith(_CODED):
        raise Coded("the body begins like a coded one, and no content coding is declared")


# The first octets of a body that is coded with gzip, compress, zstd, or zlib at its usual levels. A text that begins
# with these octets has no field in its first line, so hardly any robots.txt is refused by mistake.
_CODED = (b"\x1f\x8b", b"\x1f\x9d", b"\x28\xb5\x2f\xfd", b"\x78\x01", b"\x78\x9c", b"\x78\xda")
