"""Pickles, limits, messages and the version."""

import copy
import inspect
import pickle
import re
from importlib.metadata import version

import pytest
import robots_verdicts
from robots_conformance import EDITIONS, vectors
from robots_verdicts import parse, product_tokens
from robots_verdicts.protego import Protego


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_vector_from_a_pickle(edition):
    wrong = []
    for vector in vectors(edition):
        if vector.ask != "verdict":
            continue
        robots = parse(vector.robots_txt, edition=edition)
        rules, verdict = robots.rules_for(vector.tokens), robots.verdict(vector.tokens, vector.url)
        again = [pickle.loads(pickle.dumps(one)) for one in (robots, rules, verdict)]
        given = {verdict, again[0].verdict(vector.tokens, vector.url), again[1].verdict(vector.url), again[2]}
        if len(given) != 1 or str(again[2]) != str(verdict) or again[1].rules != rules.rules:
            wrong.append(vector.name)
    assert wrong == []


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_has_the_edition_the_limit_and_the_agent(protocol):
    text = "user-agent: a\ndisallow: x\nuser-agent: *\ndisallow: /y\n"
    robots = parse(text, edition="google-2018", limit=27)
    again = pickle.loads(pickle.dumps(robots, protocol))
    assert (again.edition, again.rules_for("*").rules) == ("google-2018", robots.rules_for("*").rules)
    for agent in ("a", "b", "*"):
        rules = pickle.loads(pickle.dumps(parse(text).rules_for(agent), protocol))
        rules = pickle.loads(pickle.dumps(rules, protocol))
        assert rules.verdict("/y") == parse(text).verdict(agent, "/y")
    assert copy.deepcopy(Protego.parse(text)).can_fetch("/y", "b") is False


def test_a_usage_from_a_pickle():
    robots = parse("user-agent: *\ncontent-usage: train-ai=n\ndisallow: /x\n", edition="aipref-2026-08")
    for url in ("/", "/x"):
        usage = robots.usage("a", url, header="search=y")
        again = pickle.loads(pickle.dumps(usage))
        rules = pickle.loads(pickle.dumps(robots.rules_for("a")))
        assert (again, str(again), again.preferences, again.lines) == (usage, str(usage), usage.preferences, usage.lines)
        assert rules.usage(url, header="search=y") == usage


def test_the_limit_can_be_changed():
    text = "user-agent: *\n" + "#" * 600_000 + "\ndisallow: /x\n"
    assert parse(text).allows("a", "/x") is True
    assert parse(text, limit=2**20).allows("a", "/x") is False
    assert pickle.loads(pickle.dumps(parse(text, limit=2**20))).allows("a", "/x") is False
    assert parse(text, limit=0).allows("a", "/x") is True


def test_the_version_is_that_of_the_package():
    assert robots_verdicts.__version__ == version("robots-verdicts")


def test_all_agents_are_a_crawler_without_a_token():
    robots = parse("user-agent: *\ndisallow: /x\ncrawl-delay: 2\nuser-agent: a\nallow: /\n")
    assert (robots.allows("*", "/x"), robots.rules_for("*").allows("/x"), robots.crawl_delay("*")) == (False, False, 2)


def test_values_are_those_of_the_file_or_of_a_crawler():
    robots = parse("host: a\nuser-agent: a\ncrawl-delay: 1\nuser-agent: b\nCrawl-Delay: 2 # s\nallow: /\n")
    assert (robots.values("Host"), robots.values("crawl-delay")) == (["a"], ["1", "2"])
    assert (robots.values("crawl-delay", "a"), robots.values("crawl-delay", "b")) == (["1", "2"], ["2"])
    assert robots.values("crawl-delay", "c") == []


ROBOTS = parse("user-agent: *\ndisallow: /x\n")

VALID = {"robots_txt": b"", "edition": "rfc9309", "limit": None, "agent": "a", "url": "/", "name": "x", "header": "a/1", "vocabulary": "vocab-07"}

WRONG = [None, 3, -1, 1.5, 10**40, object(), b"\xff", "", "a b", "\ud800", [], [1], ["a", "b c"], ["\ud800"], {"a": 1}, ["a"] * 99]


def calls():
    """Every function and method with one argument that may be wrong."""
    functions = {"parse": parse, "product_tokens": product_tokens}
    for one in (ROBOTS, ROBOTS.rules_for("a")):
        public = [name for name in dir(one) if not name.startswith("_") and callable(getattr(one, name))]
        functions.update({f"{type(one).__name__}.{name}": getattr(one, name) for name in public})
    for name, function in functions.items():
        parameters = inspect.signature(function).parameters
        for wrong in parameters:
            yield name, function, parameters, wrong


@pytest.mark.parametrize(("name", "function", "parameters", "wrong"), [pytest.param(*call, id=f"{call[0]}({call[3]})") for call in calls()])
def test_a_message_is_in_the_words_of_python(name, function, parameters, wrong):
    raised = 0
    for value in WRONG:
        arguments = {key: VALID[key] for key in parameters} | {wrong: value}
        positional = [arguments.pop(key) for key, it in parameters.items() if it.kind != it.KEYWORD_ONLY]
        try:
            function(*positional, **arguments)
        except (TypeError, ValueError) as error:
            message, raised = "\n".join([str(error), *getattr(error, "__notes__", [])]), raised + 1
            rust = r"::|->|\.0\b|\b(Py[A-Z]\w+|Body|Octets|ProductToken|from_header|Vec|String|Option|usize|[iu](8|16|32|64)|f64|enum|extract)\b"
            assert re.search(rust, message) is None, message
            assert 0 < len(message) < 500, message
    assert raised > 0
