"""The middleware for Scrapy, in crawls of sites on this machine."""

import asyncio
import gc
import gzip
import json
import os
import random
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest
import scrapy
from robots_verdicts import FileStore
from robots_verdicts.scrapy import RobotsTxtMiddleware, _file_store
from sites import Site, answer

SPIDER = """
import json, sys
import scrapy
from scrapy.crawler import CrawlerProcess

urls, settings, spiders = json.loads(sys.argv[1])

class Spider(scrapy.Spider):
    name = "spider"
    start_urls = urls

    def parse(self, response):
        pass

process = CrawlerProcess({
    "DOWNLOADER_MIDDLEWARES": {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "robots_verdicts.scrapy.RobotsTxtMiddleware": 100,
    },
    "LOG_LEVEL": "ERROR", "RETRY_ENABLED": False, "ROBOTSTXT_OBEY": True, "TELNETCONSOLE_ENABLED": False,
    "ROBOTSTXT_USER_AGENT": "examplebot", "USER_AGENT": "examplebot/1.0", **settings,
})
for _ in range(spiders):
    crawler = process.create_crawler(Spider)
    process.crawl(crawler)
process.start()
print(json.dumps({key: value for key, value in crawler.stats.get_stats().items() if isinstance(value, int)}))
"""


def run(site, paths, settings, spiders=1):
    """Crawls paths of a site, or whole URLs. Returns the statistics of the last spider, and the log."""
    urls = [path if "//" in path[1:] else f"{site.origin}{path}" for path in paths]
    command = [sys.executable, "-c", SPIDER, json.dumps([urls, settings, spiders])]
    done = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1]), done.stderr


def crawl(site, *paths, **settings):
    """Crawls paths of a site. Returns the requests that the site got, and the statistics."""
    stats, _ = run(site, paths, settings)
    return [request.split()[1] for request in site.requests], stats


def robots(given, *, delay=0.0):
    """Returns a function that sends the given answer for robots.txt, and a page for every other URL."""

    def respond(connection, request):
        if request.startswith("GET /robots.txt"):
            time.sleep(delay)
            connection.sendall(given)
        else:
            connection.sendall(answer(200, b"page"))

    return respond


class Web(Site):
    """A site whose answers depend on the request."""

    def __init__(self, respond):
        super().__init__(None)
        self.answers = [lambda connection: respond(connection, self.requests[-1])]


FILE = answer(200, b"user-agent: examplebot\ndisallow: /private\n")


def test_requests_wait_for_robots_txt():
    everything = answer(200, b"user-agent: *\ndisallow: /\n")
    paths = [f"/{number}" for number in range(20)]
    with Web(robots(everything, delay=1)) as site:
        requests, stats = crawl(site, *paths, CONCURRENT_REQUESTS=16, CONCURRENT_REQUESTS_PER_DOMAIN=16)
    assert requests == ["/robots.txt"]
    assert (stats["robotstxt/forbidden"], stats["robotstxt/request_count"]) == (20, 1)
    assert stats["robotstxt/response_status_count/200"] == 1


def test_rules_of_the_token_decide():
    with Web(robots(FILE)) as site:
        requests, stats = crawl(site, "/private/x", "/open", "/private")
    assert (requests, stats["robotstxt/forbidden"]) == (["/robots.txt", "/open"], 2)


@pytest.mark.skipif(scrapy.version_info < (2, 18), reason="Scrapy has the signal from 2.18 on")
def test_the_signal_has_the_file_that_decides(tmp_path):
    settings = {"EXTENSIONS": {"signalled.Extension": 0}, "ROBOTSTXT_STORE": str(tmp_path / "robots.redb")}
    with Web(robots(FILE)) as site:
        for requests in [1, 0]:  # The second crawl gets the file from the store.
            _, stats = crawl(site, "/private/x", "/open", "/private", **settings)
            found = stats.get("robotstxt/request_count", 0), stats["signalled/forbids"], stats["signalled/count"]
            assert found == (requests, 1, 1)
    with Web(robots(answer(404))) as site:
        _, stats = crawl(site, "/x", EXTENSIONS=settings["EXTENSIONS"])
    assert stats["robotstxt/response_status_count/404"] == 1 and "signalled/count" not in stats


# The first 500 octets of the gzip data of this file decode to more than 500 octets.
LONG = b"user-agent: *\n# " + random.Random(1).randbytes(1000).hex().encode() + b"\ndisallow: /\n"
FROM_2_15 = pytest.mark.skipif(scrapy.version_info < (2, 15), reason="Scrapy has this handler from 2.15 on")
HANDLERS = [
    {},
    pytest.param(
        {"http": "scrapy.core.downloader.handlers._httpx.HttpxDownloadHandler"}, marks=FROM_2_15, id="httpx"
    ),
    pytest.param({"http": "unsignalled.Handler"}, marks=FROM_2_15, id="without signals"),
]


@pytest.mark.parametrize(
    "given",
    [
        answer(503),
        answer(429),
        b"",
        FILE[:-3],
        answer(200, gzip.compress(b"user-agent: *\nallow: /\n" * 99)[:-30], "content-encoding: gzip"),
        answer(200, gzip.compress(LONG)[:500], "content-encoding: gzip"),
    ],
)
@pytest.mark.parametrize("handlers", HANDLERS)
def test_a_robots_txt_that_cannot_be_fetched_allows_nothing(given, handlers):
    with Web(robots(given)) as site:
        requests, stats = crawl(site, "/x", "/y", DOWNLOAD_HANDLERS=handlers)
    assert (requests, stats["robotstxt/forbidden"]) == (["/robots.txt"], 2)


@pytest.mark.parametrize("handlers", HANDLERS)
def test_a_body_that_ends_with_its_connection_may_be_cut(handlers):
    """Twisted reports such a body in the same way, whether the connection was closed or reset."""
    given = b"HTTP/1.1 200 x\r\nconnection: close\r\n\r\nuser-agent: *\n"
    with Web(robots(given)) as site:
        asked, _ = crawl(site, "/private/x", "/open", DOWNLOAD_HANDLERS=handlers)
    assert asked == ["/robots.txt"]
    chunked = b"HTTP/1.1 200 x\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n0\r\n\r\n"
    with Web(robots(chunked)) as site:
        asked, _ = crawl(site, "/open", DOWNLOAD_HANDLERS=handlers)
    assert asked == ["/robots.txt", "/open"]


@pytest.mark.parametrize("handlers", HANDLERS)
def test_a_proxy_that_asks_for_credentials_is_no_site_without_a_file(handlers, tmp_path, monkeypatch):
    settings = {"ROBOTSTXT_STORE": str(tmp_path / "x.redb"), "DOWNLOAD_HANDLERS": handlers}
    with Site(answer(407)) as proxy:
        monkeypatch.setenv("http_proxy", proxy.origin)
        monkeypatch.delenv("no_proxy", raising=False)
        for _ in range(2):
            # The failure is not stored, so the second crawl requests robots.txt again.
            requests, stats = crawl(proxy, "http://example.invalid/x", **settings)
            assert stats["robotstxt/forbidden"] == 1
    assert requests == ["http://example.invalid/robots.txt"] * 2
    monkeypatch.delenv("http_proxy")
    # A handler of another package may use a proxy.
    is_scrapys = handlers.get("http", "scrapy.").startswith("scrapy.")
    with Web(robots(answer(407))) as site:
        assert crawl(site, "/x", **settings)[0] == ["/robots.txt", "/x"][: 1 + is_scrapys]


@pytest.mark.parametrize("handlers", HANDLERS)
def test_a_proxy_that_fails_is_no_outage_of_a_site(handlers, tmp_path, monkeypatch):
    settings = {"ROBOTSTXT_STORE": str(tmp_path / "x.redb"), "DOWNLOAD_HANDLERS": handlers}
    monkeypatch.delenv("no_proxy", raising=False)
    with Web(robots(FILE)) as site:
        with Site(b"") as proxy:
            monkeypatch.setenv("http_proxy", proxy.origin)
            crawl(site, "/open", **settings)
        # The proxy does not listen any more.
        crawl(site, "/open", **settings)
        assert site.requests == []
        monkeypatch.delenv("http_proxy")
        # If the failures were stored, this crawl would not request robots.txt.
        assert crawl(site, "/open", **settings)[0] == ["/robots.txt", "/open"]


def test_an_error_of_a_middleware_is_no_outage_of_a_site(tmp_path):
    (tmp_path / "broken.py").write_text(
        "class Broken:\n    def process_request(self, request):\n        raise TypeError('no such argument')\n"
    )
    settings = {"ROBOTSTXT_STORE": str(tmp_path / "x.redb"), "LOG_LEVEL": "ERROR"}
    own = {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "robots_verdicts.scrapy.RobotsTxtMiddleware": 100,
        "broken.Broken": 200,
    }
    with Web(robots(FILE)) as site:
        with pytest.MonkeyPatch.context() as patch:
            patch.syspath_prepend(tmp_path)
            patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
            _, log = run(site, ["/open"], {**settings, "DOWNLOADER_MIDDLEWARES": own})
        assert "is no failure of the network" in log and "no such argument" in log
        assert crawl(site, "/open", **settings)[0] == ["/robots.txt", "/open"]


SOLVER = """
class Own:
    def process_response(self, request, response):
        if not request.url.endswith("/robots.txt"):
            return response
        return response.replace(status=200, body=b"user-agent: *\\ndisallow: /\\n")
"""
SENT_AGAIN = """
class Own:
    def process_response(self, request, response):
        if response.status != 403:
            return response
        new = request.replace(dont_filter=True)
        new.meta["proxy"] = "PROXY"
        return new
"""


def with_own(module, tmp_path, site, *paths):
    """Crawls paths with a further middleware, and returns the requests that the site got."""
    (tmp_path / "own.py").write_text(module)
    own = {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "robots_verdicts.scrapy.RobotsTxtMiddleware": 100,
        "own.Own": 560,
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(tmp_path)
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        return crawl(site, *paths, DOWNLOADER_MIDDLEWARES=own)[0]


@pytest.mark.parametrize("given", [answer(503, b"<html>"), answer(200, b'{"solution": {}}')], ids=["refusal", "wrapper"])
def test_an_answer_that_a_middleware_replaced_is_used_as_a_whole(given, tmp_path):
    with Web(robots(given)) as site:
        assert with_own(SOLVER, tmp_path, site, "/x") == ["/robots.txt"]


def test_a_proxy_of_a_request_that_is_sent_again_is_no_site(tmp_path):
    with Web(robots(answer(403))) as site, Site(answer(407)) as proxy:
        assert with_own(SENT_AGAIN.replace("PROXY", proxy.origin), tmp_path, site, "/x") == ["/robots.txt"]
    assert len(proxy.requests) == 1


CODED = gzip.compress(b"user-agent: *\nallow: /\n")
CHUNKED = b"transfer-encoding: chunked\r\n"


@pytest.mark.parametrize(
    ("fields", "body"),
    [
        (b"transfer-encoding: chunked\r\ntransfer-encoding: gzip\r\n", CODED),
        (CHUNKED, CODED),
        (CHUNKED + b"content-encoding: identity\r\n", CODED),
        (CHUNKED, zlib.compress(b"user-agent: *\nallow: /\n")),
        (CHUNKED, b"\x28\xb5\x2f\xfd\x20\x09"),
        (CHUNKED, b"\x1f\x9d\x90"),
    ],
    ids=["two transfer codings", "gzip", "identity", "zlib", "zstd", "compress"],
)
def test_a_body_with_a_coding_that_is_not_declared_is_no_file(fields, body):
    """Twisted hides Transfer-Encoding."""
    chunks = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    with Web(robots(b"HTTP/1.1 200 x\r\n" + fields + b"\r\n" + chunks)) as site:
        requests, stats = crawl(site, "/x")
    assert (requests, stats["robotstxt/forbidden"]) == (["/robots.txt"], 1)


def test_a_missing_robots_txt_allows_everything():
    with Web(robots(answer(404))) as site:
        requests, _ = crawl(site, "/x")
    assert requests == ["/robots.txt", "/x"]


@pytest.mark.parametrize("handlers", HANDLERS)
def test_a_coding_is_decoded(handlers):
    coded = answer(200, gzip.compress(b"user-agent: *\ndisallow: /private\n"), "content-encoding: gzip")
    with Web(robots(coded)) as site:
        requests, _ = crawl(site, "/private", "/x", DOWNLOAD_HANDLERS=handlers)
    assert requests == ["/robots.txt", "/x"]


def test_redirects_are_followed_to_another_origin():
    with Web(robots(FILE)) as there, Web(lambda connection, request: None) as here:
        moved = robots(answer(301, b"", f"location: {there.origin}/robots.txt"))
        here.answers = [lambda connection: moved(connection, here.requests[-1])]
        requests, _ = crawl(here, "/private", "/x")
    assert (requests, len(there.requests)) == (["/robots.txt", "/x"], 1)


def test_a_proxy_of_scrapy_gets_the_request_for_robots_txt(monkeypatch):
    def respond(connection, request):
        connection.sendall(FILE if request.startswith("GET http://site.invalid/robots.txt ") else answer(200, b"page"))

    with Web(respond) as proxy:
        monkeypatch.setenv("http_proxy", f"http://me:secret@127.0.0.1:{proxy.port}")
        requests, _ = crawl(proxy, "http://site.invalid/private/x", "http://site.invalid/open")
    assert requests == ["http://site.invalid/robots.txt", "http://site.invalid/open"]
    assert all("\r\nproxy-authorization: basic " in request.lower() for request in proxy.requests)


def test_a_file_keeps_records_between_crawls(tmp_path):
    with Web(robots(FILE)) as site:
        for _ in range(2):
            requests, _ = crawl(site, "/private", ROBOTSTXT_STORE=str(tmp_path / "x.redb"))
    assert requests == ["/robots.txt"]


def test_the_settings_are_those_of_the_package():
    # Under google-2018, the status 429 is a client error like 404.
    with Web(robots(answer(429))) as site:
        requests, _ = crawl(site, "/x", ROBOTSTXT_SETTINGS={"edition": "google-2018"})
    assert requests == ["/robots.txt", "/x"]


def test_an_agent_that_names_no_product_follows_everybodys_group():
    with Web(robots(answer(200, b"user-agent: *\ndisallow: /private\n"))) as site:
        requests, _ = crawl(site, "/private", "/x", ROBOTSTXT_USER_AGENT="(none)")
    assert requests == ["/robots.txt", "/x"]


def test_user_information_changes_no_verdict():
    with Web(robots(FILE)) as site:
        origin = f"http://me:secret@127.0.0.1:{site.port}"
        requests, stats = crawl(site, f"{origin}/private/x", f"{origin}/open")
    # Scrapy's handler does not fetch a URL with user information, whatever the verdict is.
    assert (requests, stats["robotstxt/forbidden"]) == (["/robots.txt"], 1)


@pytest.mark.parametrize("handlers", HANDLERS)
def test_a_page_is_forbidden_in_the_form_that_is_sent_and_in_the_form_that_servers_read(handlers):
    rules = answer(200, b"user-agent: *\ndisallow: /private\ndisallow: /closed\n")
    forbidden = ["/a/../private/1", "//../private/2", "/a/%2e%2e/private/3", "/a\\..\\private\\4", "/closed/%2e%2e/5", "/closed/../6"]
    with Web(robots(rules)) as site:
        requests, stats = crawl(site, *(f"{site.origin}{path}" for path in forbidden), "/a/../7", DOWNLOAD_HANDLERS=handlers)
    assert (requests[0], len(requests), stats["robotstxt/forbidden"]) == ("/robots.txt", 2, len(forbidden))


@pytest.mark.parametrize("agent", ["", "Бот/1.0"])
@pytest.mark.parametrize("token", [None, "examplebot"])
def test_an_agent_that_cannot_be_sent_ends_no_crawl(agent, token):
    with Web(robots(answer(200, b"user-agent: *\ndisallow: /private\n"))) as site:
        settings = {"USER_AGENT": agent, "ROBOTSTXT_USER_AGENT": token, "LOG_LEVEL": "WARNING"}
        stats, log = run(site, ["/private", "/x"], settings)
    assert [request.split()[1] for request in site.requests] == ["/robots.txt", "/x"]
    assert stats["robotstxt/forbidden"] == 1 and log.count("USER_AGENT = ") == 1


def test_spiders_of_a_process_share_a_file(tmp_path):
    with Web(robots(FILE)) as site:
        settings = {"ROBOTSTXT_STORE": str(tmp_path / "x.redb")}
        run(site, ["/private", "/x"], settings, spiders=2)
        asked = [request.split()[1] for request in site.requests]
        assert asked.count("/x") == 2 and "/private" not in asked
        site.requests.clear()
        assert crawl(site, "/private", **settings)[0] == []


def test_the_store_of_a_file_is_opened_once_and_closed_after_its_last_crawler(tmp_path):
    path = tmp_path / "x.redb"
    store = _file_store(path)
    assert _file_store(str(tmp_path / "." / "x.redb")) is store
    with pytest.raises(OSError, match="already open") as raised:
        FileStore(path)
    assert "redis" not in str(raised.value)
    del store
    gc.collect()
    FileStore(path)


@pytest.mark.parametrize(("limit", "forbidden"), [(None, 0), (1_000_000, 1)])
def test_the_parser_alone_reads_as_much_as_the_settings_say(limit, forbidden):
    file = b"user-agent: examplebot\n" + b"#" * 600_000 + b"\ndisallow: /private\n"
    settings = {
        "DOWNLOADER_MIDDLEWARES": {},
        "ROBOTSTXT_PARSER": "robots_verdicts.scrapy.RobotsVerdictsParser",
        "ROBOTSTXT_SETTINGS": {"limit": limit},
    }
    with Web(robots(answer(200, file))) as site:
        requests, stats = crawl(site, "/private", **settings)
    assert stats.get("robotstxt/forbidden", 0) == forbidden
    assert requests == ["/robots.txt", "/private"][: 2 - forbidden]


class SendFails(RobotsTxtMiddleware):
    """The middleware with a fault: nothing is sent."""

    async def _send(self, step, retrieval, request):
        await asyncio.sleep(0.2)  # The other requests wait meanwhile.
        raise ArithmeticError("a fault")


class DriveFails(RobotsTxtMiddleware):
    """The middleware with a fault: the first retrieval does not end, and keeps its turn until Python deletes it."""

    has_failed = False

    async def _drive(self, retrieval, request):
        if self.has_failed:
            return await super()._drive(retrieval, request)
        self.has_failed = True
        retrieval.step()
        asyncio.get_running_loop().call_later(1, gc.collect)
        await asyncio.sleep(0.2)
        raise ArithmeticError("a fault")


def with_fault(fault):
    """Crawls with a middleware that has a fault. The first three requests wait for the same retrieval."""
    name = f"{__name__}.{fault.__qualname__}"
    middlewares = {"scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None, name: 100}
    with Web(robots(FILE)) as site:
        settings = {"DOWNLOADER_MIDDLEWARES": middlewares, "CONCURRENT_REQUESTS": 3}
        stats, log = run(site, ["/1", "/2", "/3", "/4"], settings)
    return [request.split()[1] for request in site.requests], stats, log


def test_an_error_while_robots_txt_is_requested_allows_nothing():
    requests, stats, log = with_fault(SendFails)
    assert (requests, stats["robotstxt/forbidden"], log.count("ArithmeticError: a fault")) == ([], 4, 1)


def test_an_error_of_a_retrieval_ends_the_requests_that_wait_for_it_and_no_others():
    requests, stats, _ = with_fault(DriveFails)
    assert requests == ["/robots.txt", "/4"]
    assert stats["downloader/exception_type_count/builtins.ArithmeticError"] == 3
