"""Tests the module with the suite's vectors, and the functions that the vectors do not cover."""

import asyncio
import json
import threading
from pathlib import Path

import pytest
import robots_verdicts
from robots_conformance import DRAFTS, EDITIONS, vectors
from robots_verdicts import AsyncClient, Cache, Client, FileStore, PublicOnly, Refused, parse, product_tokens

FILE = "user-agent: *\ndisallow: /private\nallow: /private/open\nsitemap: https://example.com/s.xml\n"


@pytest.mark.parametrize("edition", EDITIONS + DRAFTS)
def test_every_vector(edition):
    wrong = []
    for vector in vectors(edition):
        robots = parse(vector.robots_txt, edition=edition)
        if vector.ask == "verdict":
            rules = robots.rules_for(vector.tokens)
            verdict = robots.verdict(vector.tokens, vector.url)
            given = {
                robots.allows(vector.tokens, vector.url),
                verdict.allowed,
                bool(verdict),
                rules.allows(vector.url),
                rules.verdict(vector.url).allowed,
            }
            if len(vector.tokens) == 1:
                given.add(robots.allows(vector.tokens[0], vector.url))
            lines = vector.expected.get("lines")
            right = given == {vector.allowed} and (lines is None or verdict.line in lines)
        elif vector.ask == "usage":
            asked = {"header": vector.content_usage, "vocabulary": vector.vocabulary}
            usage = robots.usage(vector.tokens, vector.url, **asked)
            stated = usage.preferences and {category: word for category, word in usage.preferences.items() if word != "unknown"}
            right = vector.expected["usage"] == ("not-applicable" if stated is None else stated)
            right = right and vector.expected.get("lines", usage.lines) == usage.lines
            right = right and usage == robots.rules_for(vector.tokens).usage(vector.url, **asked)
        elif vector.ask == "preference":
            # The module can read a single preference only from the header of a response, so the test passes the
            # preference as a header.
            asked = {"header": vector.preference, "vocabulary": vector.vocabulary}
            preferences = parse("").usage("examplebot", "/", **asked).preferences
            stated = {category: word for category, word in preferences.items() if word != "unknown"}
            right = vector.expected["preference"] == stated
        elif vector.ask == "group":
            group = vector.expected["group"]
            right = robots.rules_for(vector.tokens).rules == (group["rules"] if group else [])
        else:
            right = robots.sitemaps == vector.expected["sitemaps"]
        if not right:
            wrong.append(vector.name)
    assert wrong == []


def test_a_verdict_says_why():
    robots = parse(FILE)
    verdict = robots.verdict("examplebot", "https://example.com/private/x")
    assert (verdict.allowed, verdict.reason, verdict.rule) == (False, "longest-rule", ("disallow", "/private"))
    assert (verdict.line, verdict.user_agent_line) == (2, 1)
    text = "disallow: the longest matching rule is line 2, `disallow: /private`, for `user-agent: *` in line 1"
    assert str(verdict) == text and repr(verdict) == f"<Verdict {text}>"
    assert verdict == robots.rules_for("examplebot").verdict("/private/x") and len({verdict, verdict}) == 1
    assert robots.verdict("examplebot", "/").rule is None


class Lying(list):
    """A list that reports a wrong length."""

    def __init__(self, tokens, length):
        super().__init__(tokens)
        self.length = length

    def __len__(self):
        return self.length


@pytest.mark.parametrize("length", [0, 10**9, 2**62])
def test_a_list_is_read_by_iteration(length):
    assert parse(FILE).allows(Lying(["examplebot"], length), "/private") is False
    with pytest.raises(ValueError, match="at most 32 product tokens"):
        parse(FILE).allows(("bot" for _ in iter(int, 1)), "/")


@pytest.mark.parametrize(
    "call",
    [
        lambda text: parse("", edition=text),
        lambda text: parse("").allows(text, "/"),
        lambda text: parse("").allows(["a", text], "/"),
        lambda text: parse("").verdict("a", text),
        lambda text: parse("").rules_for("a").verdict(text),
        lambda text: product_tokens("(" + text),
        lambda text: Cache.key(text),
        lambda text: Cache("a", identification=text),
        lambda text: Client("a", identification=text),
        lambda text: Client("a").allows(text),
        lambda text: Client("a").verdict("gopher://example.com/" + text),
        lambda text: asyncio.run(AsyncClient("a").allows("http://" + text)),
        lambda text: asyncio.run(AsyncClient("a").verdict(text)),
        lambda text: FileStore(text),
        lambda text: PublicOnly()("example.com", 80, text),
        lambda text: PublicOnly()(text, 80, "127.0.0.1"),
        lambda text: PublicOnly()(text, 80, "127.0.0.1", text),
    ],
)
@pytest.mark.parametrize("text", ["\u202e/ ", "\u202e", "x", "é"])
def test_a_message_is_short(call, text):
    with pytest.raises((OSError, Refused, ValueError)) as raised:
        call(text * 10**6 + "\u202e /")
    assert len(str(raised.value)) < 2000 and "\u202e" not in str(raised.value)


def test_octets_and_text_are_the_same_file():
    assert parse(FILE).sitemaps == parse(FILE.encode()).sitemaps == ["https://example.com/s.xml"]
    assert parse(b"user-agent: *\ndisallow: /\xff").rules_for("a").rules == [("disallow", "/\ufffd")]


def test_crawl_delay_is_that_of_the_groups_followed():
    robots = parse("user-agent: a\ncrawl-delay: x\ncrawl-delay: 2.5\n\nuser-agent: *\ncrawl-delay: 7\n")
    assert (robots.crawl_delay("a"), robots.crawl_delay("b"), parse("").crawl_delay("a")) == (2.5, 7.0, None)
    assert parse("user-agent: a\ncrawl-delay: -1\ncrawl-delay: inf\n").crawl_delay("a") is None


def test_product_tokens_of_a_header():
    header = "Mozilla/5.0 (compatible; ExampleBot/0.1; https://example.com/bot.html)"
    assert product_tokens(header) == ["ExampleBot"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: parse("", edition="rfc1"), "the editions are google-2018"),
        (lambda: parse("").allows("Bot/1.0", "/"), "product token"),
        (lambda: parse("").allows(["Bot/1.0"], "/"), "product token"),
        (lambda: parse("").verdict([], "/"), "product token"),
        (lambda: parse("").rules_for(""), "product token"),
        (lambda: parse("").allows("bot", "example.com"), "not a URL"),
        (lambda: parse("").rules_for("bot").allows("example.com"), "not a URL"),
        (lambda: product_tokens("(none)"), "product"),
        (lambda: parse("").usage("bot", "example.com"), "not a URL"),
        (lambda: parse("").usage("bot", "/", vocabulary="vocab-1"), "the vocabularies are vocab-07"),
        (lambda: parse("").rules_for("bot").usage("example.com"), "not a URL"),
    ],
)
def test_what_is_no_question_is_told(call, message):
    with pytest.raises(ValueError, match=message):
        call()


USAGE = "user-agent: *\ndisallow: /private\ncontent-usage: train-ai=n\ncontent-usage: /open/ train-ai=y, ai-use=n\n"


def test_usage_by_the_draft_edition():
    robots = parse(USAGE, edition="aipref-2026-08")
    usage = robots.usage("examplebot", "/page", header=b"search=y")
    assert (usage.allowed, usage.lines) == (True, [3])
    assert usage.preferences == {"train-ai": "disallowed", "search": "allowed"}
    assert usage == robots.rules_for("examplebot").usage("/page", header=["search=y"])
    assert str(robots.usage("examplebot", "/page")) == (
        "train-ai disallowed: the longest matching path is line 3, `content-usage: train-ai=n`"
    )
    private = robots.usage(["examplebot"], "/private/x", header="train-ai=y")
    assert (private.allowed, private.preferences, private.lines) == (False, None, [])
    later = robots.usage("examplebot", "/open/x", header=["train-ai=y", b"search=n"], vocabulary="vocab-08")
    assert later.preferences == {"train-ai": "allowed", "search": "disallowed", "ai-use": "disallowed"}
    # The field lines of a header are one dictionary. If a key occurs twice, its last value is used.
    assert robots.usage("a", "/open/x", header=["train-ai=n", "train-ai=y"]).preferences["train-ai"] == "allowed"


def test_a_published_edition_has_no_usage():
    usage = parse(USAGE).usage("examplebot", "/page")
    assert (usage.allowed, usage.lines, usage.preferences) == (True, [], {"train-ai": "unknown", "search": "unknown"})


def test_what_is_no_file_is_told():
    with pytest.raises(TypeError):
        parse([1, 2])
    with pytest.raises(TypeError):
        parse("").usage("bot", "/", header=[1])


def test_threads_share_a_file_and_its_rules():
    robots = parse("user-agent: *\n" + "".join(f"disallow: /{number}$\n" for number in range(2000)))
    rules, wrong = robots.rules_for("a"), []

    def ask():
        for number in range(4000):
            expected = number >= 2000
            if rules.allows(f"/{number}") != expected or robots.allows("a", f"/{number}") != expected:
                wrong.append(number)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_the_stub_says_what_is_there():
    stub = (Path(robots_verdicts.__file__).parent / "_native.pyi").read_text()
    for name in ("RobotsTxt", "RuleSet", "Usage", "Verdict"):
        public = {one for one in vars(getattr(robots_verdicts, name)) if not one.startswith("_")}
        block = stub.split(f"class {name}:")[1].split("\n@final")[0]
        stated = {line.split("(")[0].removeprefix("    def ") for line in block.splitlines() if line.startswith("    def ")}
        assert public == {one for one in stated if not one.startswith("_")}, json.dumps(sorted(public))
