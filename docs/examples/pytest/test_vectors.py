"""Asks Protego the verdict questions of RFC 9309; `known-failures.txt` lists its wrong answers."""

import json
from pathlib import Path

import pytest
from expand import octets
from protego import Protego

HERE = Path(__file__).parent
KNOWN = set((HERE / "known-failures.txt").read_text().split("\n")) - {""}


def vectors():
    """Yields the questions for parsers about a crawler with one product token: Protego accepts no list of tokens."""
    for vector in json.loads((HERE / "vectors.json").read_text())["vectors"]:
        is_asked = vector["ask"] == "verdict" and vector.get("role") is None and len(vector["tokens"]) == 1
        if is_asked and "rfc9309" in vector["editions"]:
            marks = [pytest.mark.xfail(strict=True)] if vector["name"] in KNOWN else []
            yield pytest.param(vector, id=vector["name"], marks=marks)


@pytest.mark.parametrize("vector", list(vectors()))
def test_vector(vector):
    robots = Protego.parse(octets(vector, "robots_txt").decode("utf-8", errors="replace"))
    allowed = robots.can_fetch(vector["url"], *vector["tokens"])
    assert allowed == (vector["expected"]["verdict"] == "allow"), vector["about"]


def test_known_failures_are_vectors():
    assert not KNOWN - {vector.id for vector in vectors()}
