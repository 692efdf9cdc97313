"""The messages of the protocol, one on each line, and the answer of a subject that has no interface for a question."""

import json
from typing import Any, BinaryIO, Dict, Mapping, Optional


class Unsupported(Exception):
    """Raised if a parser or retriever has no interface for a question, which counts as unanswered. The text names it."""


class Messages:
    """The messages of the runner, and those to it."""

    def __init__(self, lines: BinaryIO, out: BinaryIO) -> None:
        self._lines, self._out = lines, out

    def hear(self) -> Optional[Dict[str, Any]]:
        """Return the next message, or ``None`` at the end."""
        line = self._lines.readline()
        message: Optional[Dict[str, Any]] = json.loads(line) if line else None
        return message

    def say(self, message: Mapping[str, Any]) -> None:
        """Send a message."""
        self._out.write(json.dumps(message).encode() + b"\n")
        self._out.flush()
