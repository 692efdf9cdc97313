"""The interface of Protego: the same types and, where Protego follows RFC 9309, the same answers."""

import logging
import pickle
from datetime import time

import protego
import pytest
from robots_verdicts.protego import Protego, RequestRate, VisitTime

FILE = """\
User-agent: *
Disallow: /private
Crawl-delay: 4
Request-rate: 10/1m
Visit-time: 0400-0845

User-agent: ExampleBot
Allow: /private
Request-rate: 1/10s 1300-1659
Visit-time: 600 845

Sitemap: https://example.com/s.xml
Host: example.com
"""


@pytest.mark.parametrize("agent", ["*", "otherbot", "examplebot", "Mozilla/5.0 (compatible; ExampleBot/1.0; +https://example.com/bot)"])
def test_a_clear_file_has_the_answers_of_protego(agent):
    ours, theirs = Protego.parse(FILE), protego.Protego.parse(FILE)
    for url in ("https://example.com/private/x", "https://example.com/", "/private"):
        assert ours.can_fetch(url, agent) is theirs.can_fetch(url, agent)
    assert ours.crawl_delay(agent) == theirs.crawl_delay(agent)
    assert tuple(ours.request_rate(agent)) == tuple(theirs.request_rate(agent))
    assert tuple(ours.visit_time(agent)) == tuple(theirs.visit_time(agent))
    assert list(ours.sitemaps) == list(theirs.sitemaps)
    assert ours.preferred_host == theirs.preferred_host == "example.com"


def test_the_types_are_those_of_protego():
    ours = Protego.parse(FILE)
    assert ours.request_rate("a") == RequestRate(requests=10, seconds=60, start_time=None, end_time=None)
    assert ours.visit_time("examplebot") == VisitTime(start_time=time(6), end_time=time(8, 45))
    assert RequestRate._fields == protego.RequestRate._fields and VisitTime._fields == protego.VisitTime._fields
    public = {name for name in vars(protego.Protego) if not name.startswith("_")}
    assert public == {name for name in vars(Protego) if not name.startswith("_")}


@pytest.mark.parametrize(
    "value",
    ["1/5", "10/1m", "1/10S", "2/1h 0400-0845", "1/1d 400-845", "0/5", "1/0", "-1/5", "1/5 2500-2600", "1/5 x", "1", "1/x", "a/5", "1/5w"],
)
def test_a_request_rate_is_read_as_by_protego(value):
    text = f"user-agent: *\nrequest-rate: {value}\n"
    assert Protego.parse(text).request_rate("a") == protego.Protego.parse(text).request_rate("a")


@pytest.mark.parametrize("value", ["0400-0845", "0400 0845", "400-845", "0460-0845", "2400-0100", "4-5", "0400", "0400-08450", "x-y"])
def test_a_visit_time_is_read_as_by_protego(value):
    text = f"user-agent: *\nvisit-time: {value}\n"
    assert Protego.parse(text).visit_time("a") == protego.Protego.parse(text).visit_time("a")


def test_nothing_is_none():
    for robots in (Protego.parse(""), Protego()):
        assert (robots.crawl_delay("a"), robots.request_rate("a"), robots.visit_time("a")) == (None, None, None)
        assert (list(robots.sitemaps), robots.preferred_host, robots.can_fetch("/", "a")) == ([], None, True)


def test_the_first_valid_value_counts_and_the_last_host():
    robots = Protego.parse("user-agent: *\nrequest-rate: x\nrequest-rate: 1/5\nrequest-rate: 1/9\nhost: a\nhost:\nhost: b\n")
    assert robots.request_rate("a").seconds == 5 and robots.preferred_host == "b"


@pytest.mark.parametrize("agent", ["", "(none)", "+https://example.com/bot", "бот", "\udcff"])
def test_an_agent_without_a_token_follows_the_groups_of_all_with_a_warning(agent, caplog):
    robots = Protego.parse("user-agent: none\nallow: /\nuser-agent: *\ndisallow: /private\n")
    agent += " "  # Another test may have had the same warning.
    with caplog.at_level(logging.WARNING, "robots_verdicts.protego"):
        answers = [robots.can_fetch("https://example.com/private", agent) for _ in range(3)]
    assert answers == [False] * 3
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "the groups of *" in caplog.text


def test_all_agents_are_asked_without_a_warning(caplog):
    robots = Protego.parse("user-agent: *\ndisallow: /private\nuser-agent: b\nallow: /\n")
    assert robots.can_fetch("/private", "*") is False and caplog.records == []


def test_scrapy_gets_an_answer_whatever_the_agent_is():
    from robots_verdicts.scrapy import RobotsVerdictsParser

    parser = RobotsVerdictsParser.from_crawler(None, b"user-agent: *\ndisallow: /private\ncrawl-delay: 2\n")
    for agent in (b"(none)", "(none)", b"\xff", "", "ExampleBot/1.0"):
        assert parser.allowed("https://example.com/private", agent) is False
        assert parser.allowed(b"https://example.com/", agent) is True
        assert parser.crawl_delay(agent) == 2


def test_edition_and_limit_are_those_of_the_parser():
    file = b"user-agent: *\ndisallow: /a\ncrawl-delay: 1\n" + b"#" * 600_000 + b"\ncrawl-delay: 2\ndisallow: /b\n"
    robots = Protego.parse(file)
    assert robots.can_fetch("/b", "*") and not robots.can_fetch("/a", "*")
    whole = pickle.loads(pickle.dumps(Protego.parse(file, limit=1_000_000, edition="rfc9309")))
    assert not whole.can_fetch("/b", "*") and whole._robots.edition == "rfc9309"
    with pytest.raises(ValueError, match="limit"):
        Protego.parse(file, limit=-1)
