"""Reads an answer of HTTP/1.1 or HTTP/1.0 from a connection (RFC 9112), for the client without an HTTP library.

Start at `Incoming.head`, then `Incoming.body`. Every octet of a head is checked. A line that is no field is an error,
because a reader that stops at such a line does not see the fields after it. Without them, a coded body is read as text,
a cut body seems whole, and a redirect has no target: each of these may allow everything.

`http.client` stops at such a line, takes the end of a connection for the end of a head, and reads chunk sizes such as
``-1``. So this module does not use it, except for its errors."""

from __future__ import annotations

import io
import re
import socket
import time
from http.client import HTTPException, IncompleteRead
from typing import Any, Iterator, List, NamedTuple, Tuple

from ._ending import CutHead

HEAD = 64 * 1024
"""The longest head of an answer, in octets. All interim answers before it count too."""
INTERIM = 32
"""The maximum number of interim answers."""
_PART = 64 * 1024

# status-line = HTTP-version SP status-code SP [ reason-phrase ] (RFC 9112, 4). Some servers omit the last space too.
_STATUS_LINE = re.compile(rb"(HTTP/1\.[01]) ([1-9][0-9]{2})(?: [\t\x20-\x7e\x80-\xff]*)?")
# field-line = field-name ":" OWS field-value OWS (RFC 9112, 5). A line that begins with a space, which continued the
# line before it in older versions of HTTP, is not accepted.
_FIELD_LINE = re.compile(rb"([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([\t\x20-\x7e\x80-\xff]*)")
# chunk-size [ chunk-ext ] (RFC 9112, 7.1)
_CHUNK_LINE = re.compile(rb"([0-9A-Fa-f]{1,16})(?:[\t ]*;[\t\x20-\x7e\x80-\xff]*)?")


class Head(NamedTuple):
    """The head of an answer."""

    version: str
    status: int
    fields: List[Tuple[bytes, bytes]]
    """The names and the values, as they arrived."""


class Incoming:
    """The octets that arrive on a connection, within time limits."""

    def __init__(self, connection: socket.socket, answer: float, idle: float, until: float) -> None:
        self._raw = _Timed(connection, answer, until)
        self._octets = io.BufferedReader(self._raw)
        self._idle = idle
        self._room = HEAD

    def head(self) -> Head:
        """Read the head of the answer. Interim answers before it are skipped (RFC 9110, 15.2).

        Raises:
            CutHead: the connection ended within the head.
            HTTPException: the octets are no head, the head is too long, or there are too many interim answers.
        """
        for _ in range(INTERIM + 1):
            line = self._line()
            found = _STATUS_LINE.fullmatch(line)
            if found is None:
                raise HTTPException(f"{_shown(line)} is no status line")
            status, fields = int(found[2]), list(self._fields())
            # Only a request for another protocol may be answered with 101, and this client makes none.
            if status == 101:
                raise HTTPException("the answer has the status 101, and no other protocol was asked for")
            if status >= 200:
                self._raw.idle = self._idle
                return Head(found[1].decode(), status, fields)
        raise HTTPException(f"there are more than {INTERIM} interim answers")

    def body(self, head: Head) -> Iterator[bytes]:
        """Read the body of the answer in parts (RFC 9112, 6.3). `Retrieval.head` has checked that all the fields that
        frame the body agree.

        Raises:
            IncompleteRead: the connection ended within the body.
            HTTPException: the chunks are not valid.
        """
        framing = {name.lower(): value for name, value in head.fields}
        if head.status in (204, 304):
            return
        if b"transfer-encoding" in framing:
            yield from self._chunks()
        elif b"content-length" in framing:
            yield from self._exactly(int(framing[b"content-length"].partition(b",")[0]))
        else:
            while part := self._octets.read1(_PART):
                yield part

    def _fields(self) -> Iterator[Tuple[bytes, bytes]]:
        while line := self._line():
            found = _FIELD_LINE.fullmatch(line)
            if found is None:
                raise HTTPException(f"{_shown(line)} is no field")
            yield found[1], found[2].strip(b"\t ")

    def _line(self) -> bytes:
        """Read a line of the head. It ends with CR LF, or with LF alone (RFC 9112, 2.2)."""
        line = self._octets.readline(self._room)
        self._room -= len(line)
        if not line.endswith(b"\n"):
            if self._room == 0:
                raise HTTPException(f"the head is longer than {HEAD} octets")
            raise CutHead("the connection ended before the end of the head")
        return line[: -2 if line.endswith(b"\r\n") else -1]

    def _chunks(self) -> Iterator[bytes]:
        while True:
            line = self._octets.readline(_PART)
            found = _CHUNK_LINE.fullmatch(line.removesuffix(b"\r\n"))
            if not line.endswith(b"\n"):
                raise IncompleteRead(line)
            if found is None or not line.endswith(b"\r\n"):
                raise HTTPException(f"{_shown(line)} is no size of a chunk")
            size = int(found[1], 16)
            if size == 0:
                break
            yield from self._exactly(size)
            self._end_of_chunk()
        # The trailer fields are ignored.
        room = HEAD
        while (line := self._octets.readline(room)) != b"\r\n":
            if not line.endswith(b"\n"):
                raise IncompleteRead(line)
            room -= len(line)

    def _end_of_chunk(self) -> None:
        end = self._octets.read(2)
        if len(end) < 2:
            raise IncompleteRead(end)
        if end != b"\r\n":
            raise HTTPException("the size of a chunk is not its length")

    def _exactly(self, size: int) -> Iterator[bytes]:
        while size > 0:
            part = self._octets.read1(min(size, _PART))
            if not part:
                raise IncompleteRead(b"", size)
            size -= len(part)
            yield part


class _Timed(io.RawIOBase):
    def __init__(self, connection: socket.socket, idle: float, until: float) -> None:
        self._connection = connection
        self.idle = idle
        self._until = until

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        limit = min(self.idle, self._until - time.monotonic())
        if limit <= 0:
            raise TimeoutError("the answer was incomplete")
        self._connection.settimeout(limit)
        return self._connection.recv_into(buffer)


def _shown(line: bytes) -> str:
    return ascii(line[:80].decode("latin-1"))
