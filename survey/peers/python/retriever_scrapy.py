"""Adapter for Scrapy: asks its robots.txt middleware, in a crawl that sends no other requests."""

import os
from importlib.metadata import version

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest
from timelines import Timeline

# The default of Scrapy's setting DOWNLOAD_TIMEOUT, in seconds.
timeline = Timeline(180)


class Retriever:
    def __init__(self, crawler, token):
        self.middleware = RobotsTxtMiddleware.from_crawler(crawler)
        self.fields = {"User-Agent": token}

    async def allows(self, url):
        try:
            await self.middleware.process_request(scrapy.Request(url, headers=self.fields))
        except IgnoreRequest:
            return False
        return True


class Asking(scrapy.Spider):
    name = "asking"

    async def start(self):
        make = lambda _, token: Retriever(self.crawler, token)
        await timeline.run("Scrapy", version("scrapy"), make, clock=True)
        for request in ():
            yield request


process = CrawlerProcess({"ROBOTSTXT_OBEY": True, "USER_AGENT": "examplebot", "LOG_ENABLED": False, "TELNETCONSOLE_ENABLED": False})
process.crawl(Asking)
process.start()
