"""The meaning of a refusal by FTP, from its text. Start at `refusal`.

Many servers use 550 for temporary refusals and internal errors too, so the code alone does not show that a file does
not exist. The words are those of `robots-fetch` (`transport/ftp/refusal.rs`), and a test compares them."""

from __future__ import annotations

import ast
import re
from typing import Literal, Tuple


def refusal(reply: str) -> Literal["no file", "for now", "unclear"]:
    """Return the meaning of a permanent refusal. The reply begins with its code. Only a text about absence or
    permission means that there is no file, or that nobody may read it without an account."""
    if not re.search(r"[^0-9 .\r\n-]", reply):
        # Without a text, the code alone decides.
        return "no file"
    text = reply.lower()
    # Words of a temporary refusal take precedence, for example in "530 Anonymous access is not allowed at the moment".
    if any(words in text.replace(UNAVAILABLE_FILE, "") for words in FOR_NOW):
        return "for now"
    return "no file" if any(words in text for words in NO_FILE) else "unclear"


def reply_of(body: bytes) -> str:
    """Return the reply of a server from the body that Scrapy's handler makes: the lines as a list of Python."""
    text = body.decode(errors="replace")
    try:
        return "\n".join(ast.literal_eval(text))
    except (SyntaxError, TypeError, ValueError):
        return text


UNAVAILABLE_FILE = "file unavailable"
"""The text of RFC 959 for 550, and no temporary refusal, although other texts with "unavailable" are."""

FOR_NOW: Tuple[str, ...] = (
    "again", "at the moment", "at this time", "available", "busy", "connections", "currently", "device", "disk",
    "domain", "drive", "exceed", "going down", "home directory", "i/o error", "in use", "inaccessible",
    "input/output error", "insufficient", "interrupted", "is full", "later", "limit", "locked", "logon session",
    "maintenance", "many", "maximum", "memory", "network", "no space", "overload", "right now", "service",
    "shutting down", "stale", "temporar", "time out", "timed out", "used by another",
)
"""Words of a temporary refusal or of an internal error of the server."""

NO_FILE: Tuple[str, ...] = (
    "can't find", "cannot find", "could not find", "couldn't find", "does not exist", "doesn't exist",
    "failed to open file", "file unavailable", "is a directory", "no such directory", "no such file",
    "no such path", "not a plain file", "not a regular file", "not found", "only retrieve regular files",
    "unable to find", "access forbidden", "authentication failed", "authentication rejected",
    "authentication required", "bad password", "cannot log in", "denied", "incorrect login", "incorrect password",
    "incorrect user", "invalid password", "invalid user", "log in first", "login first", "login incorrect",
    "no access", "no anonymous", "no permission", "no such user", "not allowed", "not authorised", "not authorized",
    "not enough privileges", "not have permission", "not logged in", "not permitted", "password incorrect",
    "please log in", "please login", "unauthorised", "unauthorized", "unknown user", "user anonymous unknown",
    "wrong password",
)
"""Words about absence or permission."""
