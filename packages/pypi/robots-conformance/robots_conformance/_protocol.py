"""The messages of the protocol, one on each line, and the answer of a subject that has no interface for a question."""

import json
from typing import Any, BinaryIO, Dict, Mapping, Optional


class Unsupported(Exception):
    """Raised if a parser or retriever has no interface for a question; the question counts as unanswered."""


class Messages:
    """Reads the messages of the runner, and writes the messages to the runner."""

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
