"""Crawls from a URL by Scrapy: scrapy_spider.py AGENT SEED."""

import sys

import scrapy
from scrapy.crawler import CrawlerProcess

AGENT, SEED = sys.argv[1:]


class Everywhere(scrapy.Spider):
    name = "everywhere"
    start_urls = [SEED]

    def parse(self, response):
        if isinstance(response, scrapy.http.HtmlResponse):
            yield from response.follow_all(css="a::attr(href)", callback=self.parse)


process = CrawlerProcess(
    {
        "ROBOTSTXT_OBEY": True,
        "USER_AGENT": AGENT,
        "DOWNLOAD_TIMEOUT": 3,
        "DOWNLOAD_DELAY": 0,
        "RETRY_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "ERROR",
    }
)
process.crawl(Everywhere)
process.start()
