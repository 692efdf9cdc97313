"""Known failures in a file, as the README of the vectors describes it: `Known` judges an answer and reads the file."""

import os
from dataclasses import dataclass
from typing import Callable, Dict, Iterable, List, Optional, Union

from ._vectors import Vector

_TAGS = ("divergence", "bug", "wontfix", "error")


@dataclass(frozen=True)
class Failure:
    """A wrong answer, or a line of the file that is no longer true."""

    message: str
    """The requirement, the file with line numbers, the question, both answers, and the line that lists the failure."""
    is_advice: bool
    """Whether the requirement is not at ``must``, so that a test need not fail."""


class Known:
    """The known failures of a parser: on each line of a file an id, a tag and a reason.

    The tag is ``bug``, ``wontfix``, ``divergence`` or, if the parser raises an exception, ``error``.

    Raises:
        ValueError: a line is wrong; the message has its number.
    """

    def __init__(self, path: Union[str, "os.PathLike[str]"]) -> None:
        self._name = os.path.basename(path)
        self._tags: Dict[str, str] = {}
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.strip() and not line.startswith("#"):
                    self._add(line.rstrip("\r\n"), number)

    def _add(self, line: str, number: int) -> None:
        name, tag, why = (*line.split(" ", 2), "", "")[:3]
        problem = "the list has this id twice; keep one line" if name in self._tags else None
        if not why.strip():
            problem = "the reason is missing after the tag"
        if tag not in _TAGS:
            problem = f"{tag!r} is no tag; the tags are {', '.join(_TAGS)}"
        if problem is not None:
            raise ValueError(f"{self._name}:{number}: {name}: {problem}")
        self._tags[name] = tag

    def failure(self, vector: Vector, is_allowed: Callable[[bytes, str, str], bool]) -> Optional[Failure]:
        """Ask a parser the question of a vector.

        Args:
            vector: a question for a verdict about one product token.
            is_allowed: receives the file, the product token and the URL.

        Returns:
            ``None`` if the answer is right and not listed, or wrong and listed.
        """
        try:
            got = "allow" if is_allowed(vector.robots_txt, vector.tokens[0], vector.url or "") else "disallow"
            tag = "bug"
        except Exception as error:
            got, tag = f"{type(error).__name__}: {error}", "error"
        listed = self._tags.get(vector.id)
        if got == vector.expected["verdict"]:
            return None if listed is None else Failure(f"{vector.id} passes; remove it from {self._name}", False)
        if listed is not None and (listed == "error") == (tag == "error"):
            return None
        lines = enumerate(vector.robots_txt.splitlines(True), 1)
        message = (
            f"{vector.id} ({vector.level}, section {vector.section}): {vector.about}\n"
            + f"  {vector.requirement}: {vector.says}\n"
            + "".join(f"  {number:3} {line!r}\n" for number, line in lines)
            + f"  {vector.tokens[0]} {vector.url}: expected {vector.expected['verdict']}, got {got}\n"
            + f"  {self._name}: {vector.id} {tag} WHY"
        )
        return Failure(message, listed is None and vector.level not in ("must", "stated"))

    def gone(self, vectors: Iterable[Vector]) -> List[str]:
        """Return the listed ids that are not among the vectors, so that a test can fail if there are any."""
        return sorted(self._tags.keys() - {vector.id for vector in vectors})
