"""A small retriever that obeys RFC 9309: it fetches robots.txt, caches it, and decides what may be fetched.

It has no socket and no clock. `send(url, fields, now)` sends one request and follows no redirect; it returns a reply with
`status`, `fields` in lower case, `body`, `cut` and `delay`, or with `failure`. Times are in seconds.
"""

import zlib
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from protego import Protego

DAY = 24 * 60 * 60
MOST_OCTETS = 500 * 1024
MOST_REDIRECTS = 5


@dataclass
class Entry:
    """The known data about the robots.txt of an origin."""

    since: int  # when the last answer came
    until: int  # when robots.txt must be requested again
    file: Protego | None = None  # the last copy
    validators: tuple = ()  # the URL of the copy, and the fields that ask the server to confirm it
    is_missing: bool = False
    failing_since: int | None = None


def origin(url):
    """Returns scheme, host and port: the key of the cache."""
    parts = urlsplit(url)
    host = parts.hostname.encode("idna").decode()
    is_default = parts.port in (None, {"http": 80, "https": 443}.get(parts.scheme))
    return f"{parts.scheme}://{host}" if is_default else f"{parts.scheme}://{host}:{parts.port}"


class Retriever:
    def __init__(self, token, identification, send, entries=None):
        self.token, self.identification, self.send = token, identification, send
        self.entries = {} if entries is None else entries  # any mapping, also one on a disk

    def verdict(self, url, now):
        """Returns whether a URL may be fetched, the reason, and the time after all requests."""
        key = origin(url)
        entry = self.entries.get(key)
        # An entry from the future was written with a wrong clock, so it is not used.
        if entry is None or not entry.since <= now < entry.until:
            entry, now = self.request(key, entry, now)
            self.entries[key] = entry
        if entry.failing_since is None:
            if entry.is_missing:
                return True, "no-file", now
            return entry.file.can_fetch(url, self.token), "rules", now
        if now - entry.failing_since <= 30 * DAY:
            return False, "unreachable", now
        if entry.file is not None:
            return entry.file.can_fetch(url, self.token), "last-copy", now
        return True, "unreachable-for-long", now

    def request(self, key, known, now):
        """Requests robots.txt, and returns the new entry and the time."""
        url = key + "/robots.txt"
        for _ in range(MOST_REDIRECTS + 1):
            fields = {"user-agent": self.identification, "accept-encoding": "gzip"}
            if known and known.validators and known.validators[0] == url:
                fields |= known.validators[1]
            reply = self.send(url, fields, now)
            now += reply.get("delay", 0)
            status, answer = reply.get("status"), dict(reply.get("fields", []))
            location = answer.get("location", "").split("#")[0]
            if status not in (301, 302, 303, 307, 308) or not location:
                break
            url = urljoin(url, location)
        if status == 304 and "if-none-match" in fields or status == 304 and "if-modified-since" in fields:
            return Entry(now, now + DAY, known.file, known.validators), now
        body = self.body(reply, answer) if status and 200 <= status < 300 else None
        if body is not None:
            file = Protego.parse(body[:MOST_OCTETS].decode("utf-8-sig", errors="replace"))
            names = {"etag": "if-none-match", "last-modified": "if-modified-since"}
            validators = {names[name]: value for name, value in answer.items() if name in names}
            return Entry(now, now + DAY, file, (url, validators)), now
        file, validators = (known.file, known.validators) if known else (None, ())
        if status and (300 <= status < 500) and status != 304:
            return Entry(now, now + DAY, file, validators, is_missing=True), now
        # If there was no request for a week, the site may have worked in between, so a new outage begins.
        is_known = known and known.failing_since is not None and now - known.since <= 7 * DAY
        since = known.failing_since if is_known else now
        pause = answer.get("retry-after", "")
        pause = min(max(int(pause), 60), DAY) if pause.isdecimal() else 60 * 60
        return Entry(now, now + pause, file, validators, failing_since=since), now

    @staticmethod
    def body(reply, answer):
        """Returns the decoded body, or `None` if it is not complete."""
        body, coding = reply.get("body", b""), answer.get("content-encoding", "identity")
        if coding in ("gzip", "x-gzip"):
            decoder = zlib.decompressobj(wbits=31)
            try:
                body = decoder.decompress(body, MOST_OCTETS + 1)
            except zlib.error:
                return None
            return body if decoder.eof or len(body) > MOST_OCTETS else None
        return body if coding == "identity" and (not reply.get("cut") or len(body) > MOST_OCTETS) else None
