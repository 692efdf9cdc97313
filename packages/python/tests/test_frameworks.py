"""The adapters for Crawlee and Scrapling, in crawls of a site on this machine. `test.sh` installs both packages."""

import asyncio
import gzip
import json
import logging
import ssl
import subprocess
import sys
import zlib

import brotli
import pytest
import robots_verdicts.crawlee
import trustme
from crawlee.crawlers import BeautifulSoupCrawler
from crawlee.http_clients import CurlImpersonateHttpClient, HttpxHttpClient, ImpitHttpClient
from crawlee.proxy_configuration import ProxyConfiguration
from crawlee.storage_clients import MemoryStorageClient
from robots_verdicts import Settings, parse, protego
from robots_verdicts._ending import UnknownEnd, check_curl
from robots_verdicts.crawlee import obey
from robots_verdicts.scrapling import ObeysRobotsTxt, _Manager
from scrapling.fetchers import FetcherSession
from scrapling.spiders import Spider
from scrapling.spiders.session import SessionManager
from sites import Site, answer

FILE = answer(200, b"user-agent: examplebot\ndisallow: /private\n\nuser-agent: *\nallow: /\n")


def page(*links):
    body = "".join(f'<a href="{link}">x</a>' for link in links)
    return answer(200, f"<html><body>{body}</body></html>".encode(), "content-type: text/html")


class Web(Site):
    """A site with a robots.txt and pages. Each page has the given links, in which ORIGIN stands for the site."""

    def __init__(self, robots, *links):
        super().__init__(None)
        self.robots = robots
        self.links = [link.replace("ORIGIN", self.origin) for link in links]
        self.answers = [self.respond]

    def respond(self, connection):
        path = self.requests[-1].split()[1]
        connection.sendall(self.robots if path == "/robots.txt" else page(*self.links))

    def asked(self):
        return sorted({request.split()[1] for request in self.requests})


# Crawlee keeps locks and queues for the life of a process, so each crawl runs in its own process.
CRAWLEE = """
import asyncio, json, sys
from crawlee.crawlers import BeautifulSoupCrawler
from crawlee.storage_clients import MemoryStorageClient
from robots_verdicts.crawlee import obey

agent, identification, *start = json.loads(sys.argv[1])

async def crawl():
    crawler = BeautifulSoupCrawler(
        respect_robots_txt_file=True, max_request_retries=0, configure_logging=False, storage_client=MemoryStorageClient()
    )
    obey(crawler, agent, identification=identification)

    @crawler.router.default_handler
    async def visit(context):
        await context.enqueue_links()

    await crawler.run(start)

asyncio.run(crawl())
"""


def crawlee(start, agent="examplebot", identification=None):
    """Crawls a site. Returns the number of warnings."""
    given = json.dumps([agent, identification, start])
    done = subprocess.run([sys.executable, "-c", CRAWLEE, given], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stderr.count("for example 'examplebot")


def scrapling(start, agent="examplebot", identification=None, **attributes):
    """Crawls a site. Returns the number of warnings."""

    class Everywhere(ObeysRobotsTxt, Spider):
        name = "everywhere"
        start_urls = [start]
        robots_txt_agent = agent
        robots_txt_identification = identification

        async def parse(self, response):
            for link in response.css("a::attr(href)").getall():
                yield response.follow(link, callback=self.parse)

    for name, value in attributes.items():
        setattr(Everywhere, name, value)
    if agent is None:
        del Everywhere.robots_txt_agent
    protego._tokens.cache_clear()  # It keeps each agent, so that a warning comes once.
    warnings = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = warnings.append
    logger = logging.getLogger("robots_verdicts")
    logger.addHandler(handler)
    try:
        Everywhere().start()
    finally:
        logger.removeHandler(handler)
    return len(warnings)


@pytest.fixture(params=[crawlee, scrapling])
def crawl(request):
    return request.param


def test_the_group_of_the_token_is_followed(crawl):
    with Web(FILE, "/private/x", "/open") as site:
        crawl(f"{site.origin}/")
    assert site.asked() == ["/", "/open", "/robots.txt"]


def test_a_robots_txt_that_fails_allows_nothing(crawl):
    with Web(b"", "/open") as site:
        crawl(f"{site.origin}/")
    assert site.asked() == ["/robots.txt"]


@pytest.mark.parametrize("link", ["mailto:me@example.com", "tel:+1", "javascript:void(0)", "data:text/plain,x"])
def test_a_link_that_no_robots_txt_governs_ends_no_crawl(crawl, link):
    with Web(FILE, link, "/open") as site:
        crawl(f"{site.origin}/")
    assert site.asked() == ["/", "/open", "/robots.txt"]


def test_user_information_changes_no_verdict(crawl):
    with Web(FILE) as site:
        site.links = [f"http://me:secret@127.0.0.1:{site.port}{path}" for path in ("/private/x", "/open")]
        crawl(f"{site.origin}/")
    assert site.asked() == ["/", "/open", "/robots.txt"]


UNUSUAL = [
    "ORIGIN/a/../private/1",
    "ORIGIN//../private/2",
    "ORIGIN/a//../../private/3",
    "ORIGIN/a/%2e%2e/private/4",
    "ORIGIN/a/.%2E/private/5",
    "ORIGIN/%2e/private/6",
    "ORIGIN/./private/7",
    "ORIGIN/a\\..\\private\\8",
    "ORIGIN/pri\tvate/9",
    "ORIGIN/closed/%2e%2e/10",
    "ORIGIN/closed\\..\\11",
    "ORIGIN/open/../closed/%2e%2e/12",
    "ORIGIN/private/../13",
    "ORIGIN/a/../14?x=/../y",
]


def test_the_url_that_is_sent_is_judged(crawl):
    rules = "user-agent: *\ndisallow: /private\ndisallow: /closed\n"
    with Web(answer(200, rules.encode()), *UNUSUAL) as site:
        crawl(f"{site.origin}/")
    asked = site.asked()
    assert [path for path in asked if not parse(rules).allows("examplebot", path)] == []
    assert {"/13", "/14?x=/../y"} < set(asked)


@pytest.mark.parametrize("rest", ["\\private", "\\@example.invalid/private"])
def test_a_url_whose_origin_is_unclear_is_not_fetched(crawl, rest):
    with Web(FILE) as site:
        crawl(f"{site.origin}{rest}")
    assert site.asked() == []


def test_crawlees_clients_take_no_cut_connection_for_the_end_of_a_file():
    authority = trustme.CA()
    server, tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context()
    authority.issue_cert("127.0.0.1").configure_cert(server)
    authority.configure_trust(tls)
    cut = b"HTTP/1.1 200 x\r\nconnection: close\r\n\r\nuser-agent: *\n"

    async def verdicts(http, *origins):
        crawler = BeautifulSoupCrawler(respect_robots_txt_file=True, configure_logging=False)
        client = obey(crawler, "examplebot", http_client=http)
        async with http, client:
            return [(await client.verdict(f"{origin}/x")).basis for origin in origins]

    with Site(cut, tls=server) as half, Site(FILE, tls=server) as whole:
        for http in (
            ImpitHttpClient(follow_redirects=False, browser=None, verify=False),
            HttpxHttpClient(follow_redirects=False, http2=False, verify=tls),
        ):
            assert asyncio.run(verdicts(http, half.origin, whole.origin)) == ["unreachable", "rules"], http


CLIENTS = ["impit", "httpx", "curl", "scrapling"]


async def asked(kind, url, store=None, proxy=None, **options):
    """Returns the verdict of one adapter, with one of its HTTP clients."""
    proxied = {} if proxy is None else {"proxy": proxy}
    if kind == "scrapling":
        sessions = SessionManager().add("default", FetcherSession(retries=1, timeout=5, **proxied), **options)

        class Spider:
            robots_txt_agent = "examplebot"
            robots_txt_identification = robots_txt_settings = None
            robots_txt_store = store

        async with sessions:
            return await _Manager(Spider(), sessions)._client("").verdict(url)
    if kind == "impit":
        http = ImpitHttpClient(follow_redirects=False, browser=None, **proxied)
    elif kind == "httpx":
        http = HttpxHttpClient(follow_redirects=False, http2=False, **proxied)
    else:
        http = CurlImpersonateHttpClient(allow_redirects=False, **proxied)
    crawler = BeautifulSoupCrawler(respect_robots_txt_file=True, configure_logging=False)
    async with http, obey(crawler, "examplebot", http_client=http, store=store) as client:
        return await client.verdict(url)


@pytest.fixture(params=CLIENTS)
def client(request):
    """Returns a function that returns the verdict of an adapter on a URL."""
    return lambda url, **options: asyncio.run(asked(request.param, url, **options))


CODED = b"user-agent: *\n" + b"".join(b"allow: /%d\n" % number for number in range(99)) + b"disallow: /x\n"
CODERS = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    # The standard library has no zstd before Python 3.14, so these octets are not coded with zstd.
    "zstd": bytes,
}


def framed(body, coding, framing):
    """Returns an answer with a coded file. A length, chunks or the end of the connection mark where the body ends."""
    head = f"HTTP/1.1 200 x\r\nconnection: close\r\ncontent-encoding: {coding}\r\n".encode()
    if framing == "length":
        return head + b"content-length: %d\r\n\r\n" % len(body) + body
    if framing == "chunks":
        chunk = b"%x\r\n%b\r\n" % (len(body), body) if body else b""
        return head + b"transfer-encoding: chunked\r\n\r\n" + chunk + b"0\r\n\r\n"
    return head + b"\r\n" + body


@pytest.mark.parametrize("framing", ["length", "chunks", "connection"])
@pytest.mark.parametrize("coding", CODERS)
def test_a_coded_body_that_is_cut_is_no_file(client, coding, framing):
    whole, wrong = CODERS[coding](CODED), []
    with Site(None) as site:
        for end in (0, 1, len(whole) // 2, len(whole) - 1):
            site.answers = [framed(whole[:end], coding, framing)]
            verdict = client(f"{site.origin}/x")
            if verdict.allowed or verdict.basis != "unreachable":
                wrong.append((end, str(verdict)))
    assert wrong == []
    assert all("accept-encoding: identity\r\n" in request.lower() for request in site.requests)


def test_a_coding_that_was_not_asked_for_counts_only_for_a_body(client):
    for given, basis in (
        (answer(200, gzip.compress(CODED), "content-encoding: gzip"), "unreachable"),
        (answer(200, gzip.compress(CODED), "content-encoding: identity, x-gzip"), "unreachable"),
        (answer(200, CODED, "content-encoding: identity"), "rules"),
        (answer(404, gzip.compress(b"missing"), "content-encoding: gzip"), "no-file"),
    ):
        with Site(given) as site:
            assert client(f"{site.origin}/x").basis == basis, given


HEADS = {
    "404": b"HTTP/1.1 404 Not Found\r\nserver: x\r\n",
    "404 with a length": b"HTTP/1.1 404 Not Found\r\nserver: x\r\ncontent-length: 7\r\n",
    "404 with chunks": b"HTTP/1.1 404 Not Found\r\ntransfer-encoding: chunked\r\nserver: x\r\n",
    "200": b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nserver: x\r\n",
    "200 with a length": b"HTTP/1.1 200 OK\r\ncontent-length: 33\r\nserver: x\r\n",
    "200 with chunks": b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nserver: x\r\n",
    "line feeds": b"HTTP/1.0 404 x\nserver: x\n",
    "301": b"HTTP/1.1 301 x\r\nlocation: /x\r\nserver: x\r\n",
    "early hints": b"HTTP/1.1 103 x\r\nlink: x\r\n\r\nHTTP/1.1 404 x\r\nserver: x\r\n",
}


@pytest.mark.parametrize("kind", CLIENTS)
@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_a_head_that_is_cut_is_no_answer(kind, head):
    wrong = []
    # A cut within a line has the same effect as a cut before this line. So only the first line is cut after each of its
    # octets.
    first, *lines = head.splitlines(keepends=True)
    ends = [*range(len(first)), *(len(b"".join([first, *lines[:count]])) for count in range(len(lines) + 1))]
    with Site(None) as site:

        async def ask():
            for end in [*ends, len(head) - 1]:
                site.answers = [head[:end]]
                # Each client is new, because a client retrieves the robots.txt of an origin only once.
                verdict = await asked(kind, f"{site.origin}/x")
                if verdict.allowed or verdict.basis != "unreachable":
                    wrong.append((head[:end], str(verdict)))

        asyncio.run(ask())
    assert wrong == []


@pytest.mark.parametrize(
    ("given", "basis"),
    [
        (answer(404), "no-file"),
        (answer(404, b"missing"), "no-file"),
        (b"HTTP/1.1 404 x\r\nconnection: close\r\n\r\nmissing", "no-file"),
        (b"HTTP/1.1 404 x\r\ntransfer-encoding: chunked\r\n\r\n7\r\nmissing\r\n0\r\n\r\n", "no-file"),
        (b"HTTP/1.1 204 x\r\nconnection: close\r\n\r\n", "rules"),
        (answer(200), "rules"),
        (FILE, "rules"),
        (answer(200, CODED + b"#" * 2_000_000), "rules"),
        (b"HTTP/1.1 200 x\r\nconnection: close\r\n\r\n" + CODED + b"#" * 2_000_000, "rules"),
        (b"HTTP/1.1 200 x\r\ntransfer-encoding: chunked\r\n\r\n9\r\nallow: /\n\r\n0\r\n\r\n", "rules"),
        (FILE[:-5], "unreachable"),
        (b"HTTP/1.1 200 x\r\ntransfer-encoding: chunked\r\n\r\n9\r\nallow: /\n\r\n", "unreachable"),
        (answer(503), "unreachable"),
        (answer(404, b"missing", "x cache: hit"), "unreachable"),
        (b"HTTP/1.0 200 x\r\ntransfer-encoding: chunked\r\n\r\n9\r\nallow: /\n\r\n0\r\n\r\n", "unreachable"),
    ],
)
def test_an_answer_means_what_the_edition_says(client, given, basis):
    with Site(given) as site:
        assert client(f"{site.origin}/open").basis == basis


@pytest.mark.parametrize("kind", ["curl", "scrapling"])
def test_curl_takes_no_cut_connection_for_the_end_of_a_file(kind):
    for head in (b"HTTP/1.0 200 x\r\n\r\n", b"HTTP/1.1 200 x\r\nconnection: close\r\n\r\n"):
        with Site(head + b"user-agent: *\n") as site:
            verdict = asyncio.run(asked(kind, f"{site.origin}/x"))
        assert (verdict.basis, verdict.record.failure) == ("unreachable", "incomplete")


def test_a_lazy_session_of_scrapling_is_started():
    with Site(FILE) as site:
        assert asyncio.run(asked("scrapling", f"{site.origin}/x", lazy=True)).basis == "rules"


def test_http_2_shows_the_end_of_an_answer():
    check_curl(404, "HTTP/2", [], begins=False, wanted=False)
    check_curl(200, "HTTP/2", [], begins=True, wanted=True)
    with pytest.raises(UnknownEnd):
        check_curl(200, "NONE", [], begins=True, wanted=True)


def test_a_proxy_that_asks_for_credentials_is_no_site_without_a_file(client):
    store = {}
    with Site(answer(407, b"", "proxy-authenticate: basic")) as proxy:
        verdict = client("http://example.invalid/x", proxy=proxy.origin.replace("//", "//me:secret@"), store=store)
    assert (verdict.allowed, verdict.basis, store) == (False, "unreachable", {})
    assert "answered 407" in str(verdict) and "secret" not in str(verdict)


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("fault", ["dead", "closing", "asking"])
def test_a_proxy_that_fails_is_no_outage_of_a_site(client, scheme, fault):
    store = {}
    with Site(answer(407) if fault == "asking" else b"") as proxy:
        origin = proxy.origin
        if fault == "dead":
            with Site(None) as gone:
                origin = gone.origin
        verdict = client(f"{scheme}://example.invalid/x", proxy=origin.replace("//", "//me:secret@"), store=store)
    assert (verdict.allowed, verdict.basis, store) == (False, "unreachable", {}), str(verdict)
    assert f"the proxy {origin}" in str(verdict) and "secret" not in str(verdict)


@pytest.mark.parametrize("head", ["404", "404 with a length", "200"])
def test_a_head_that_a_proxy_cuts_is_no_outage_of_a_site(client, head):
    store = {}
    with Site(HEADS[head]) as proxy:
        verdict = client("http://example.invalid/x", proxy=proxy.origin, store=store)
    assert (verdict.allowed, store) == (False, {}), str(verdict)


def test_a_proxy_of_the_environment_that_fails_is_no_outage_of_a_site(client, monkeypatch):
    store = {}
    monkeypatch.delenv("no_proxy", raising=False)
    with Site(None) as gone:
        monkeypatch.setenv("http_proxy", gone.origin)
    verdict = client("http://example.invalid/x", store=store)
    assert (verdict.allowed, store) == (False, {})


def test_a_site_that_fails_begins_an_outage(client):
    store = {}
    with Site(b"") as site:
        client(f"{site.origin}/x", store=store)
    assert list(store) == [site.origin]


@pytest.mark.parametrize(("kind", "basis"), [*((kind, "unreachable") for kind in CLIENTS[:3]), ("scrapling", "no-file")])
def test_a_407_of_a_site_counts_if_it_is_known_that_there_is_no_proxy(kind, basis):
    store = {}
    with Site(answer(407)) as site:
        verdict = asyncio.run(asked(kind, f"{site.origin}/x", store=store))
    assert (verdict.basis, store == {}) == (basis, basis == "unreachable")


EVERYBODY = answer(200, b"user-agent: examplebot\nallow: /\n\nuser-agent: *\ndisallow: /private\n")


@pytest.mark.parametrize(
    ("agent", "identification", "sent", "warnings"),
    [
        ("(none)", None, "(none)", 1),
        ("*", None, "DEFAULT", 0),
        ("", None, "DEFAULT", 2),
        ("Пример", None, "DEFAULT", 2),
        (["(none)", "*"], None, "(none) *", 1),
        ("(none)", "Someone", "Someone", 1),
        ("(none)", "Пример", "DEFAULT", 2),
    ],
)
def test_a_crawler_without_a_product_token_follows_everybodys_group(crawl, agent, identification, sent, warnings):
    with Web(EVERYBODY, "/private/x", "/open") as site:
        assert crawl(f"{site.origin}/", agent, identification) == warnings
    assert site.asked() == ["/", "/open", "/robots.txt"]
    assert f"user-agent: {sent.replace('DEFAULT', crawl.__name__)}\r\n".lower() in site.requests[0].lower()


def test_a_spider_without_the_attribute_follows_everybodys_group():
    with Web(EVERYBODY, "/private/x", "/open") as site:
        assert scrapling(f"{site.origin}/", agent=None) == 0
    assert site.asked() == ["/", "/open", "/robots.txt"]


@pytest.mark.parametrize("agent", ["ExampleBot/1.0 (+https://example.com/bot)", ["otherbot", "(none)", "examplebot"]])
def test_the_tokens_of_an_agent_are_followed(crawl, agent):
    with Web(FILE, "/private/x", "/open") as site:
        crawl(f"{site.origin}/", agent)
    assert site.asked() == ["/", "/open", "/robots.txt"]


def test_an_identification_that_cannot_be_sent_is_replaced_by_the_token(crawl):
    with Web(FILE, "/private/x", "/open") as site:
        assert crawl(f"{site.origin}/", identification="Пример") == 1
    assert site.asked() == ["/", "/open", "/robots.txt"]
    assert "user-agent: examplebot\r\n" in site.requests[0].lower()


LARGE = answer(
    200,
    b"user-agent: *\nallow: /\n"
    + b"#" * 600_000
    + b"\nuser-agent: examplebot\ncrawl-delay: 2\nrequest-rate: 1/3\nsitemap: https://example.com/sitemap.xml\n",
)
LIMITS = [(None, None, None, []), (Settings(limit=1_000_000), 2, (1, 3), ["https://example.com/sitemap.xml"])]


@pytest.mark.parametrize("given", ["httpx", "impit", "curl", "configuration"])
def test_no_request_for_robots_txt_goes_past_a_proxy_unnoticed(given):
    clients = {"httpx": HttpxHttpClient, "impit": ImpitHttpClient, "curl": CurlImpersonateHttpClient}

    async def obeys(**options):
        with Site(FILE) as proxy:
            if given == "configuration":
                made = {"proxy_configuration": ProxyConfiguration(proxy_urls=[proxy.origin])}
            else:
                made = {"http_client": clients[given](proxy=proxy.origin)}
            crawler = BeautifulSoupCrawler(respect_robots_txt_file=True, storage_client=MemoryStorageClient(), **made)
            obey(crawler, "examplebot", **options)

    with pytest.raises(ValueError, match="give obey\\(\\) an http_client"):
        asyncio.run(obeys())
    asyncio.run(obeys(http_client=ImpitHttpClient(follow_redirects=False, browser=None)))


def ask_crawlee(url, agent, settings):
    """Returns the delay and the sitemaps that Crawlee gets."""

    async def ask():
        crawler = BeautifulSoupCrawler(respect_robots_txt_file=True, storage_client=MemoryStorageClient())
        robots_verdicts.crawlee.obey(crawler, agent, settings=settings)
        file = await crawler._get_robots_txt_file_for_url(url)
        return file.get_crawl_delay(), file.get_sitemaps(enqueue_strategy="all")

    return asyncio.run(ask())


def ask_scrapling(url, agent, settings):
    """Returns the delay and the rate that Scrapling gets."""
    found = []

    async def parse(spider, response):
        found.append(await spider._engine._robots_manager.get_delay_directives(response.url, ""))
        for item in ():
            yield item

    scrapling(url, agent, robots_txt_settings=settings, parse=parse)
    (asked,) = found
    return asked


@pytest.mark.parametrize(("settings", "delay", "rate", "sitemaps"), LIMITS)
def test_delays_and_sitemaps_are_read_up_to_the_limit(settings, delay, rate, sitemaps):
    with Web(LARGE) as site:
        assert ask_crawlee(f"{site.origin}/", "examplebot", settings) == (delay, sitemaps)
        assert ask_scrapling(f"{site.origin}/", "examplebot", settings) == (delay, rate)


def test_delays_are_those_of_the_token_that_the_file_names():
    file = b"user-agent: examplebot\ncrawl-delay: 2\nrequest-rate: 1/3\n\nuser-agent: *\ncrawl-delay: 1\n"
    with Web(answer(200, file)) as site:
        agents = ["examplebot-news", "examplebot"]
        assert ask_crawlee(f"{site.origin}/", agents, None) == (2, [])
        assert ask_scrapling(f"{site.origin}/", agents, None) == (2, (1, 3))
