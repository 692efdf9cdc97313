"""The forms in which HTTP clients send a URL, and the form that is judged."""

import asyncio
import itertools
import urllib.request

import aiohttp
import curl_cffi
import httpx
import impit
import pytest
from robots_verdicts import Cache, parse
from robots_verdicts._connect import governed, permits
from sites import Site, answer

RULES = b"user-agent: *\ndisallow: /private\ndisallow: /closed\n"


def known(origin):
    """Returns a cache that has the rules of an origin."""
    cache = Cache("examplebot")
    retrieval = cache.retrieval(origin)
    retrieval.step()
    retrieval.answered(200, [], RULES)
    assert retrieval.step() is None
    return cache


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("/a/../private", "/private"),
        ("//../private", "/private"),
        ("//a/../private", "//private"),
        ("/../private", "/private"),
        ("/a/%2e%2E/private", "/private"),
        ("/a/.%2e/private/..", "/"),
        ("/.", "/"),
        ("/private/./", "/private/"),
        ("/a\\..\\private", "/private"),
        ("/pri\tva\nte ", "/private"),
        ("?x=/../y", "/?x=/../y"),
        ("/a/../private?it's=/..#x", "/private?it's=/.."),
        ("/.hidden/..x/...?y", "/.hidden/..x/...?y"),
        ("/open#/../x", "/open"),
        ("/open#x", "/open#x"),
    ],
)
def test_the_verdict_is_about_the_url_that_is_sent(path, sent):
    origin = "https://example.com"
    cache, url, allowed = known(origin), f"{origin}{path}", parse(RULES).allows("examplebot", sent)
    retrieval = cache.retrieval(url)
    assert retrieval.step() is None
    for verdict in (cache.verdict(url), retrieval.verdict(url), cache.verdict(origin).beside(url)):
        assert (verdict.url, verdict.allowed, verdict.evidence.allowed) == (f"{origin}{sent}", allowed, allowed)
    assert (cache.allows(url), retrieval.allows(url)) == (allowed, allowed)
    written = cache.verdict(origin).beside(url, as_written=True)
    assert (written.url, written.allowed) == (url, parse(RULES).allows("examplebot", path))


def test_a_path_is_judged_as_it_is_sent():
    cache = known("https://example.com")
    verdict = cache.verdict("https://example.com/").beside("/a/../private")
    assert (verdict.url, verdict.allowed) == ("https://example.com/private", False)
    with pytest.raises(ValueError):
        verdict.beside("//example.net/../private")


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("http://me:secret@example.com/x@y", "http://example.com/x@y"),
        ("HTTPS://me@there@example.com?x@y", "HTTPS://example.com?x@y"),
        ("http://example.com/a/../x", "http://example.com/a/../x"),
        ("mailto:me@example.com", None),
        ("tel:+1", None),
        ("javascript:void('http://example.com/')", None),
        ("data:text/html,x", None),
        ("file:///etc/hosts", None),
        ("/x", None),
        ("", None),
        ("gopher://me@example.com/", None),
    ],
)
def test_which_robots_txt_governs_a_request(url, asked):
    assert governed(url) == asked


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com\\@example.net/private",
        "http://me\\@example.com/private",
        "http://example.com\\private",
        "http:/example.com/private",
        "http:example.com/private",
        " http://example.com/private",
        "ht\ttp://example.com/private",
        "http://exam\tple.com/private",
        "http:///example.com/private",
        "http://exa mple.com/private",
        "http://[::1/private",
        "http://example.com:0x/private",
    ],
)
def test_a_url_whose_origin_is_unclear_is_refused(url):
    with pytest.raises(ValueError):
        governed(url)


def by_httpx(urls):
    with httpx.Client() as client:
        for url in urls:
            client.get(url)


def by_aiohttp(urls):
    async def get():
        async with aiohttp.ClientSession() as session:
            for url in urls:
                async with session.get(url):
                    pass

    asyncio.run(get())


def by_impit(urls):
    client = impit.Client()
    for url in urls:
        client.get(url)


def by_curl(urls):
    with curl_cffi.Session() as session:
        for url in urls:
            session.get(url)


def by_urllib(urls):
    for url in urls:
        with urllib.request.urlopen(url):
            pass


@pytest.mark.parametrize("client", [by_httpx, by_aiohttp, by_impit, by_curl, by_urllib])
def test_no_client_sends_a_forbidden_url_that_is_permitted(client):
    segments = ["a", "private", "closed", "..", ".", "", "%2e%2E", "\\..\\"]
    paths = ["/" + "/".join(path) for length in (1, 2, 3) for path in itertools.product(segments, repeat=length)]
    with Site(answer(200)) as site:
        cache, urls = known(site.origin), [f"{site.origin}{path}" for path in paths]
        client(urls)
        sent = [request.split(" ")[1] for request in site.requests]
    keeps_dots = client is by_urllib
    assert len(sent) == len(urls)
    for url, path in zip(urls, sent):
        permitted, allowed = permits(cache.verdict(url), url, keeps_dots=keeps_dots), parse(RULES).allows("a", path)
        assert allowed or not permitted, (url, path)
        if not keeps_dots and "%" not in url and "\\" not in url:
            assert allowed is permitted, (url, path)
