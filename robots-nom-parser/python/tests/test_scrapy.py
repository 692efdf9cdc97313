"""The middleware for Scrapy, in crawls of sites on this machine."""

import gzip
import json
import subprocess
import sys
import time

import pytest
from sites import Site, answer

SPIDER = """
import json, sys
import scrapy
from scrapy.crawler import CrawlerProcess

urls, settings = json.loads(sys.argv[1])

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
crawler = process.create_crawler(Spider)
process.crawl(crawler)
process.start()
print(json.dumps({key: value for key, value in crawler.stats.get_stats().items() if isinstance(value, int)}))
"""


def crawl(site, *paths, **settings):
    """Crawls paths of a site. Returns the requests that it got, and the statistics."""
    urls = [f"{site.origin}{path}" for path in paths]
    command = [sys.executable, "-c", SPIDER, json.dumps([urls, settings])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return [request.split()[1] for request in site.requests], json.loads(done.stdout.splitlines()[-1])


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


@pytest.mark.parametrize(
    "given",
    [
        answer(503),
        answer(429),
        b"",
        FILE[:-3],
        answer(200, gzip.compress(b"user-agent: *\nallow: /\n" * 99)[:-30], "content-encoding: gzip"),
    ],
)
def test_a_robots_txt_that_cannot_be_fetched_allows_nothing(given):
    with Web(robots(given)) as site:
        requests, stats = crawl(site, "/x", "/y")
    assert (requests, stats["robotstxt/forbidden"]) == (["/robots.txt"], 2)


def test_a_missing_robots_txt_allows_everything():
    with Web(robots(answer(404))) as site:
        requests, _ = crawl(site, "/x")
    assert requests == ["/robots.txt", "/x"]


def test_a_coding_is_decoded():
    coded = answer(200, gzip.compress(b"user-agent: *\ndisallow: /private\n"), "content-encoding: gzip")
    with Web(robots(coded)) as site:
        requests, _ = crawl(site, "/private", "/x")
    assert requests == ["/robots.txt", "/x"]


def test_redirects_are_followed_to_another_origin():
    with Web(robots(FILE)) as there, Web(lambda connection, request: None) as here:
        moved = robots(answer(301, b"", f"location: {there.origin}/robots.txt"))
        here.answers = [lambda connection: moved(connection, here.requests[-1])]
        requests, _ = crawl(here, "/private", "/x")
    assert (requests, len(there.requests)) == (["/robots.txt", "/x"], 1)


def test_a_file_keeps_records_between_crawls(tmp_path):
    with Web(robots(FILE)) as site:
        for _ in range(2):
            requests, _ = crawl(site, "/private", ROBOTSTXT_STORE=str(tmp_path / "x.redb"))
    assert requests == ["/robots.txt"]


def test_the_settings_are_those_of_the_package():
    # Under google-2018, 429 is a client error like 404.
    with Web(robots(answer(429))) as site:
        requests, _ = crawl(site, "/x", ROBOTSTXT_SETTINGS={"edition": "google-2018"})
    assert requests == ["/robots.txt", "/x"]


def test_an_agent_that_names_no_product_follows_everybodys_group():
    with Web(robots(answer(200, b"user-agent: *\ndisallow: /private\n"))) as site:
        requests, _ = crawl(site, "/private", "/x", ROBOTSTXT_USER_AGENT="(none)")
    assert requests == ["/robots.txt", "/x"]
