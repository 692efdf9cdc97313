"""Asks Protego the questions of RFC 9309; `known.txt` lists its wrong answers."""

import base64
import json
import warnings
from pathlib import Path

import pytest
from protego import Protego

HERE = Path(__file__).parent
ITEMS = json.loads((HERE / "rfc9309.json").read_text())
VECTORS = [item for item in ITEMS if isinstance(item, dict)]
# A string in the file is a comment; most of them have what a requirement says.
SAYS = {item.split(":")[0]: item for item in ITEMS if isinstance(item, str)}
LINES = [line for line in (HERE / "known.txt").read_text().split("\n") if line and line[0] != "#"]
KNOWN = dict(line.split(" ", 1) for line in LINES)


def is_allowed(robots, user_agent, url):
    return Protego.parse(robots.decode("utf-8", errors="replace")).can_fetch(url, user_agent)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_vector(vector):
    text = vector.get("robots_txt")
    robots = base64.b64decode(vector["robots_txt_base64"]) if text is None else text.encode()
    try:
        allowed, tag = is_allowed(robots, vector["user_agent"], vector["url"]), "bug"
    except Exception as error:
        allowed, tag = repr(error), "error"
    name = vector["id"]
    if allowed == vector["allowed"]:
        if name in KNOWN:
            pytest.fail(f"{name} passes; remove it from known.txt", pytrace=False)
        return
    if name in KNOWN and KNOWN[name].startswith("error ") == (tag == "error"):
        pytest.xfail(KNOWN[name])
    shown = "\n".join(f"  {number:3} {line}" for number, line in enumerate(robots.splitlines(True), 1))
    message = (
        f"{name} ({vector['level']}, section {vector['section']}): {vector['about']}\n"
        f"  {SAYS[vector['requirement']]}\n{shown}\n"
        f"  {vector['user_agent']} {vector['url']}: expected {vector['allowed']}, got {allowed}\n"
        f"  known.txt: {name} {tag} WHY"
    )
    if vector["level"] == "must" or name in KNOWN:
        pytest.fail(message, pytrace=False)
    warnings.warn(message, stacklevel=1)


def test_known_failures_are_vectors():
    assert not KNOWN.keys() - {vector["id"] for vector in VECTORS}
