"""Crawls from each URL of a file with Scrapy: scrapy_spider.py AGENT SEEDS [robots-verdicts|disobeying].

With the argument `robots-verdicts`, the middleware of robots-verdicts replaces Scrapy's own and follows RFC 9309. With
`disobeying`, nothing reads robots.txt, which is the default of Scrapy.
"""

import sys

import scrapy
from scrapy.crawler import CrawlerProcess

AGENT, SEEDS, *WITH = sys.argv[1:]

with open(SEEDS) as file:
    URLS = file.read().split()

MIDDLEWARES = {
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    "robots_verdicts.scrapy.RobotsTxtMiddleware": 100,
}


class Everywhere(scrapy.Spider):
    name = "everywhere"
    start_urls = URLS

    def parse(self, response):
        if isinstance(response, scrapy.http.HtmlResponse):
            yield from response.follow_all(css="a::attr(href)", callback=self.parse)


process = CrawlerProcess(
    {
        "ROBOTSTXT_OBEY": WITH != ["disobeying"],
        "DOWNLOADER_MIDDLEWARES": MIDDLEWARES if WITH == ["robots-verdicts"] else {},
        "ROBOTSTXT_SETTINGS": {"edition": "rfc9309"},
        "USER_AGENT": AGENT,
        "DOWNLOAD_TIMEOUT": 3,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "ERROR",
    }
)
process.crawl(Everywhere)
process.start()
