"""The adapters for Crawlee and Scrapling, in crawls of a site on this machine. They are skipped without these packages."""

import asyncio

import pytest
from sites import Site, answer

FILE = answer(200, b"user-agent: examplebot\ndisallow: /private\n\nuser-agent: *\nallow: /\n")


def page(*links):
    body = "".join(f'<a href="{link}">x</a>' for link in links)
    return answer(200, f"<html><body>{body}</body></html>".encode(), "content-type: text/html")


class Web(Site):
    """A site with a robots.txt and pages."""

    def __init__(self, robots):
        super().__init__(None)
        self.robots = robots
        self.answers = [self.respond]

    def respond(self, connection):
        path = self.requests[-1].split()[1]
        connection.sendall(self.robots if path == "/robots.txt" else page("/private/x", "/open", f"{self.origin}/a/../private/y?z"))

    def asked(self):
        return sorted({request.split()[1] for request in self.requests})


def crawlee(origin):
    crawlers = pytest.importorskip("crawlee.crawlers")
    from robots_verdicts.crawlee import obey

    async def crawl():
        crawler = crawlers.BeautifulSoupCrawler(
            respect_robots_txt_file=True, max_request_retries=0, configure_logging=False
        )
        obey(crawler, "examplebot")

        @crawler.router.default_handler
        async def visit(context):
            await context.enqueue_links()

        await crawler.run([f"{origin}/"])

    asyncio.run(crawl())


def scrapling(origin):
    spiders = pytest.importorskip("scrapling.spiders")
    from robots_verdicts.scrapling import ObeysRobotsTxt

    class Everywhere(ObeysRobotsTxt, spiders.Spider):
        name = "everywhere"
        start_urls = [f"{origin}/"]
        robots_txt_agent = "examplebot"

        async def parse(self, response):
            for link in response.css("a::attr(href)").getall():
                yield response.follow(link, callback=self.parse)

    Everywhere().start()


@pytest.mark.parametrize("crawl", [crawlee, scrapling])
def test_the_group_of_the_token_is_followed(crawl):
    with Web(FILE) as site:
        crawl(site.origin)
    assert site.asked() == ["/", "/open", "/robots.txt"]


@pytest.mark.parametrize("crawl", [crawlee, scrapling])
def test_a_robots_txt_that_fails_allows_nothing(crawl):
    with Web(b"") as site:
        crawl(site.origin)
    assert site.asked() == ["/robots.txt"]
