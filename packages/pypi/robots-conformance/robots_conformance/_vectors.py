"""The suite as data: the questions to which an edition gives exactly one answer."""

import base64
import json
import re
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Dict, List, Mapping, Optional, Tuple, TypedDict, Union, cast

from ._command import command

EDITIONS: Tuple[str, ...] = ("google-2018", "google-2019", "google-2022", "rfc9309")
"""The published editions, oldest first."""

DRAFTS: Tuple[str, ...] = ("aipref-2026-08",)
"""The draft editions. Their documents and vectors may change, so a draft is used only if you name it."""


class Group(TypedDict):
    """The merged group that a crawler follows."""

    rules: List[Tuple[str, str]]
    """``allow`` or ``disallow``, and the path pattern as written."""


class Expected(TypedDict, total=False):
    """The answer that conforms; its keys depend on the kind of question."""

    verdict: str
    """``allow`` or ``disallow``."""
    lines: List[int]
    """The numbers of the lines that may decide, from 1. Absent if the deciding line is not judged."""
    group: Optional[Group]
    """The rules of the merged group; ``None`` if the crawler follows no group."""
    sitemaps: List[str]
    """The sitemaps, as written."""
    usage: Union[str, Mapping[str, str]]
    """``allowed`` or ``disallowed`` for each stated category, or ``not-applicable``. All ``lines`` decide together."""
    preference: Mapping[str, str]
    """``allowed`` or ``disallowed`` for each stated category."""


@dataclass(frozen=True)
class Vector:
    """A question to which an edition gives one answer."""

    id: str
    """The id, which is unique within an edition and never changes its meaning."""
    edition: str
    requirement: str
    says: str
    """What the requirement says."""
    level: str
    """``must``, ``should`` or ``may``; in a draft edition also ``stated``."""
    section: str
    """The section of the edition that requires the answer."""
    row: Optional[str]
    """The row of a table in the edition, if the case is about such a row."""
    about: str
    """One sentence about the case."""
    role: str
    """The role to which the question is addressed: ``parser`` or ``crawler``."""
    ask: str
    """``verdict``, ``group`` or ``sitemaps``; in a draft edition also ``usage`` or ``preference``."""
    robots_txt: bytes
    """The octets of the file; empty if a ``preference`` is asked, because it has no file."""
    tokens: Tuple[str, ...]
    """The crawler's product tokens, most specific first."""
    identification: Optional[str]
    """The text with which the crawler identifies itself, if the question is about this text."""
    url: Optional[str]
    path_and_query: Optional[str]
    """The URL without scheme, authority and fragment."""
    expected: Expected
    content_usage: Tuple[bytes, ...] = ()
    """The values of the ``Content-Usage`` field lines of the page's response, if ``usage`` is asked."""
    preference: Optional[bytes] = None
    """The octets of the preference, if a ``preference`` is asked."""
    vocabulary: str = "vocab-07"
    """The id of the vocabulary that defines the categories of use."""

    @property
    def allowed(self) -> bool:
        """Whether the URL may be fetched, if a verdict is asked.

        Raises:
            ValueError: no verdict is asked.
        """
        if "verdict" not in self.expected:
            raise ValueError(f"{self.id} asks for {self.ask}, not for a verdict")
        return self.expected["verdict"] == "allow"


def vectors(edition: str = "rfc9309") -> List[Vector]:
    """Return the questions to which an edition gives one answer.

    >>> verdicts = [v for v in vectors("rfc9309") if v.ask == "verdict" and v.role == "parser"]
    >>> verdicts[0].allowed in (True, False)
    True

    Raises:
        ValueError: the suite has no such edition; the message lists its editions.
    """
    known = EDITIONS + DRAFTS
    if edition not in known:
        raise ValueError(f"unknown edition {edition!r}; the editions are {', '.join(known)}")
    others = [raw for raw in _read("--other") if edition in raw["editions"]]
    verdicts = _read("--edition", edition) if edition in EDITIONS else ()
    return [_vector(_verdict(raw), edition) for raw in verdicts] + [_vector(_stated(raw, edition), edition) for raw in others]


@lru_cache(maxsize=None)
def _read(*options: str) -> Tuple[Mapping[str, Any], ...]:
    """Return the objects of a file, each with what its requirement says. A string in the file is a comment."""
    items = json.loads(subprocess.run([command(), "vectors", *options], check=True, stdout=subprocess.PIPE).stdout)
    says = {requirement: text for requirement, _, text in (raw.partition(": ") for raw in items if isinstance(raw, str))}
    return tuple({**raw, "says": says[raw["requirement"]]} for raw in items if isinstance(raw, dict))


def _verdict(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give a flat object of the file of an edition the keys of the other questions."""
    path = re.sub(r"^[a-z]+://[^/?#]*", "", raw["url"], flags=re.IGNORECASE).split("#")[0]
    expected: Dict[str, Any] = {"verdict": "allow" if raw["allowed"] else "disallow"}
    if "lines" in raw:
        expected["lines"] = [int(line) for line in raw["lines"].split()]
    further = {"ask": "verdict", "tokens": [raw["user_agent"]], "expected": expected}
    return {**raw, **further, "path_and_query": path if path.startswith("/") else "/" + path}


def _stated(raw: Mapping[str, Any], edition: str) -> Mapping[str, Any]:
    """Add the level and the section of an edition, which one text has."""
    level, section = raw["editions"][edition].split(" ", 1)
    return {**raw, "level": level, "section": section}


def _vector(raw: Mapping[str, Any], edition: str) -> Vector:
    preference = _preference(raw)
    expected = dict(raw["expected"])
    if expected.get("group"):
        expected["group"] = {"rules": [(kind, path) for kind, path in expected["group"]["rules"]]}
    return Vector(
        id=raw["id"],
        edition=edition,
        requirement=raw["requirement"],
        says=raw["says"],
        level=raw["level"],
        section=raw["section"],
        row=raw.get("row"),
        about=raw["about"],
        role=raw.get("role", "parser"),
        ask=raw["ask"],
        robots_txt=b"".join(_octets(part) for part in raw.get("robots_txt_parts", [raw])) if preference is None else b"",
        tokens=tuple(raw.get("tokens", ())),
        identification=raw.get("identification"),
        url=raw.get("url"),
        path_and_query=raw.get("path_and_query"),
        expected=cast(Expected, expected),
        content_usage=tuple(map(base64.b64decode, raw.get("content_usage_base64", ()))),
        preference=preference,
        vocabulary=raw.get("vocabulary", "vocab-07"),
    )


def _preference(raw: Mapping[str, Any]) -> Optional[bytes]:
    if "preference_base64" in raw:
        return base64.b64decode(raw["preference_base64"])
    return cast(str, raw["preference"]).encode() if "preference" in raw else None


def _octets(part: Mapping[str, Any]) -> bytes:
    """Return the octets of a part, or of a file without parts."""
    text: Optional[str] = part.get("text", part.get("robots_txt"))
    times: int = part.get("times", 1)
    if text is None:
        return base64.b64decode(part.get("base64", part.get("robots_txt_base64"))) * times
    if "counter" not in part:
        return text.encode() * times
    return b"".join(text.replace(part["counter"], str(number)).encode() for number in range(1, times + 1))
