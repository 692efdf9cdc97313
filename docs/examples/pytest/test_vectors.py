"""Protego, asked what RFC 9309 settles; `known-failures.txt` holds what it answers otherwise."""

import base64
import json
from pathlib import Path

import pytest
from protego import Protego

HERE = Path(__file__).parent
KNOWN = set((HERE / "known-failures.txt").read_text().split("\n")) - {""}


def octets(vector):
    """The octets of a file, its parts joined."""
    file = {"text": vector.get("robots_txt"), "base64": vector.get("robots_txt_base64")}
    joined = b""
    for part in vector.get("robots_txt_parts", [file]):
        text = part.get("text")
        data = base64.b64decode(part["base64"]) if text is None else text.encode()
        for number in range(1, part.get("times", 1) + 1):
            joined += data.replace(part["counter"].encode(), b"%d" % number) if "counter" in part else data
    assert len(joined) == vector.get("robots_txt_length", len(joined))
    return joined


def vectors():
    """What a parser is asked for a crawler of one product token; Protego takes no list of them."""
    for vector in json.loads((HERE / "vectors.json").read_text())["vectors"]:
        is_asked = vector["ask"] == "verdict" and vector.get("role") is None and len(vector["tokens"]) == 1
        if is_asked and "rfc9309" in vector["editions"]:
            marks = [pytest.mark.xfail(strict=True)] if vector["name"] in KNOWN else []
            yield pytest.param(vector, id=vector["name"], marks=marks)


@pytest.mark.parametrize("vector", list(vectors()))
def test_vector(vector):
    robots = Protego.parse(octets(vector).decode("utf-8", errors="replace"))
    allowed = robots.can_fetch(vector["url"], *vector["tokens"])
    assert allowed == (vector["expected"]["verdict"] == "allow"), vector["about"]


def test_known_failures_are_vectors():
    assert not KNOWN - {vector.id for vector in vectors()}
