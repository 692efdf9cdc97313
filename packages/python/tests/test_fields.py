"""The fields of a robots.txt that are no rules, and the forms of a URL: the clients, their verdicts and stored records
answer by the same names."""

import asyncio

import httpx
import pytest
from robots_verdicts import AsyncClient, Cache, Client, Record, Settings
from sites import Site, answer
from yarl import URL

RULES = b"""user-agent: otherbot
crawl-delay: 9
allow: /

user-agent: examplebot
crawl-delay: x
crawl-delay: 2.5
request-rate: 1/3
disallow: /private
sitemap: https://example.com/a.xml
Request-Rate: 2/3

sitemap: https://example.com/b.xml
"""
FIELDS = (2.5, ["https://example.com/a.xml", "https://example.com/b.xml"], ["1/3", "2/3"])
NONE = (None, [], [])
NOW = 1_900_000_000.0


def fields_of(verdict):
    return verdict.crawl_delay, verdict.sitemaps, verdict.values("request-rate")


def test_the_clients_answer_about_an_origin():
    async def asked(url):
        async with AsyncClient("examplebot") as client:
            return await client.crawl_delay(url), await client.sitemaps(url), await client.values("request-rate", url)

    with Site(answer(200, RULES)) as site, Client("examplebot") as client:
        url = f"{site.origin}/private"
        assert asyncio.run(asked(url)) == FIELDS
        assert (client.crawl_delay(url), client.sitemaps(url), client.values("request-rate", url)) == FIELDS
        # The first question about a record reads the file, and the second keeps the result.
        assert [fields_of(client.verdict(url)) for _ in range(3)] == [FIELDS] * 3
        assert client.verdict(url).evidence.rule == ("disallow", "/private")
    assert len(site.requests) == 2


def retrieved(cache, status, body=b"", now=NOW):
    """Gives an answer to a cache, and returns the verdict."""
    retrieval = cache.retrieval("https://example.com/x")
    assert retrieval.step(now=now) is not None
    retrieval.answered(status, [], body, now=now)
    assert retrieval.step(now=now) is None
    return retrieval.verdict("https://example.com/x")


@pytest.mark.parametrize(
    ("status", "settings", "fields"),
    [
        (503, Settings(stale_if_error=86_400 * 9), FIELDS),
        (503, Settings(), NONE),
        (404, Settings(), NONE),
    ],
)
def test_only_the_file_that_decides_has_fields(status, settings, fields):
    cache = Cache("examplebot", settings=settings)
    assert fields_of(retrieved(cache, 200, RULES)) == FIELDS
    verdict = retrieved(cache, status, now=NOW + 86_400 * 2)
    assert verdict.record.body == RULES and fields_of(verdict) == fields


def test_a_stored_record_answers_as_the_cache():
    store = {}
    theirs = retrieved(Cache("examplebot", store=store), 200, RULES)
    record = Record.from_octets(store["https://example.com"])
    ours = record.verdict("examplebot", "https://example.com/x", now=NOW)
    assert fields_of(ours) == FIELDS
    assert (str(ours), ours.until, ours.record) == (str(theirs), theirs.until, theirs.record)
    assert not record.verdict("examplebot", "/private", now=NOW)
    # A crawler of another name follows other groups.
    assert record.verdict("otherbot", "https://example.com/private", now=NOW).crawl_delay == 9
    limited = Settings(limit=30)
    assert record.verdict("examplebot", "https://example.com/private", settings=limited, now=NOW).allowed
    with pytest.raises(ValueError, match="another origin"):
        record.verdict("examplebot", "https://example.org/x")


@pytest.mark.parametrize("kind", [str, httpx.URL, URL])
def test_a_url_may_be_an_object(kind):
    async def asked(url):
        async with AsyncClient("examplebot") as client:
            return await client.allows(url), bool(await client.verdict(url))

    with Site(answer(200, RULES)) as site, Client("examplebot") as client:
        url = kind(f"{site.origin}/private")
        assert asyncio.run(asked(url)) == (False, False)
        assert (client.allows(url), bool(client.verdict(url)), client.crawl_delay(url)) == (False, False, 2.5)
        verdict = client.verdict(url)
        assert not verdict.beside(url) and Cache.key(url) == site.origin
        assert not verdict.record.verdict("examplebot", url)


@pytest.mark.parametrize("url", [None, b"https://example.com/x", 3])
def test_another_object_is_no_url(url):
    with pytest.raises(TypeError, match="url must be str or a URL of httpx or yarl, not"):
        Client("examplebot").allows(url)
