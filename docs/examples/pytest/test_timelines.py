"""Runs a small retriever through the timelines of RFC 9309; `known-timelines.txt` lists the timelines that it fails."""

import json
from pathlib import Path

import pytest
from expand import octets
from retriever import Retriever, origin

HERE = Path(__file__).parent
LINES = [line for line in (HERE / "known-timelines.txt").read_text().split("\n") if line and line[0] != "#"]
KNOWN = dict(line.split(" ", 1) for line in LINES)
VECTORS = [
    vector
    for vector in json.loads((HERE / "fetch-vectors.json").read_text())
    if isinstance(vector, dict) and "rfc9309" in vector["editions"]
]


def deliver(network, url, fields, at):
    """Returns the answer of the script: the last line that applies to the request."""

    def holds(line):
        when = line.get("when", {"field": "", "contains": ""})
        is_met = when["contains"] in fields.get(when["field"], "")
        return line["url"] == url and line.get("from", 0) <= at and is_met

    lines = [line for line in network if holds(line)]
    if lines:
        return lines[-1] | {"body": octets(lines[-1], "body")}
    is_known = any(origin(line["url"]) == origin(url) for line in network)
    return {"status": 404} if is_known else {"failure": "dns"}


def judge(expected, requests, verdicts):
    if "requests" in expected:
        assert [url for url, _, _ in requests] == [request["url"] for request in expected["requests"]]
        for request, (_, fields, at) in zip(expected["requests"], requests):
            assert all(text in fields.get(name, "") for name, text in request.get("with", {}).items())
            assert not fields.keys() & set(request.get("without", []))
            assert at >= request.get("not_before", 0)
    assert expected.get("at_least", 0) <= len(requests) <= expected.get("at_most", 100)
    words = expected.get("verdicts", ["either"])
    for index, (allowed, because) in enumerate(verdicts):
        word = words[index] if len(words) > 1 else words[0]
        assert word in ("either", "allow" if allowed else "disallow")
        assert because in expected.get("because", [because])


def marked(vector):
    marks = [pytest.mark.xfail(strict=True, reason=KNOWN[vector["id"]])] if vector["id"] in KNOWN else []
    return pytest.param(vector, id=vector["id"], marks=marks)


@pytest.mark.parametrize("vector", [marked(vector) for vector in VECTORS])
def test_timeline(vector):
    problem = ""
    try:
        run(vector)
    except AssertionError as error:
        problem = str(error)
    if problem:
        name, stated = vector["id"], vector["editions"]["rfc9309"]
        message = f"{name} ({stated}, {vector['requirement']}): {vector['about']}\n{problem}\nknown-timelines.txt: {name} bug WHY"
        if name not in KNOWN and not stated.startswith("must "):
            pytest.skip(message)
        pytest.fail(message, pytrace=False)


def run(vector):
    requests = []

    def send(url, fields, at):
        requests.append((url, fields, at))
        return deliver(vector["network"], url, fields, at)

    token = vector["tokens"][0]
    retriever = Retriever(token, vector.get("identification", token), send)
    for step, expected in zip(vector["steps"], vector["expected"]["timeline"], strict=True):
        if "restart" in step:
            retriever = Retriever(token, retriever.identification, send, retriever.entries)
        requests.clear()
        now, verdicts = step["at"], []
        for url in step["urls"]:
            allowed, because, now = retriever.verdict(url, now)
            verdicts.append((allowed, because))
        judge(expected, requests, verdicts)


def test_known_failures_are_vectors():
    assert not KNOWN.keys() - {vector["id"] for vector in VECTORS}
