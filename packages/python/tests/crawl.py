"""A spider that follows every link, with Scrapy's robots.txt middleware and the given parser."""

import sys

import scrapy
from scrapy.crawler import CrawlerProcess

AGENT, SEED, PARSER = sys.argv[1:]


class Everywhere(scrapy.Spider):
    name = "everywhere"
    start_urls = [SEED]

    def parse(self, response):
        if isinstance(response, scrapy.http.HtmlResponse):
            yield from response.follow_all(css="a::attr(href)", callback=self.parse)


process = CrawlerProcess(
    {
        # If several requests wait for the same robots.txt, Scrapy 2.19 sends some of them without asking the parser.
        "CONCURRENT_REQUESTS": 1,
        "DOWNLOAD_DELAY": 0,
        "DOWNLOAD_TIMEOUT": 3,
        "LOG_LEVEL": "WARNING",
        "RETRY_ENABLED": False,
        "ROBOTSTXT_OBEY": True,
        "ROBOTSTXT_PARSER": PARSER,
        "ROBOTSTXT_USER_AGENT": f"Mozilla/5.0 (compatible; {AGENT}/1.0; +https://example.com/bot)",
        "USER_AGENT": f"{AGENT}/1.0",
    }
)
process.crawl(Everywhere)
process.start()
