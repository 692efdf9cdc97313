"""Adapter for Crawlee for Python: asks the question that its crawler asks before each request."""

import asyncio
import logging
from importlib.metadata import version

from crawlee.crawlers import BeautifulSoupCrawler
from crawlee.http_clients import HttpxHttpClient
from timelines import Timeline

TIMEOUT = 5
timeline = Timeline(TIMEOUT)
logging.getLogger("crawlee").setLevel(logging.CRITICAL)


class Retriever:
    """A crawler that is never started. As in a real crawl, it has an HTTP client of its own."""

    def __init__(self, _, token):
        client = HttpxHttpClient(
            http2=False,
            verify=False,
            proxy=timeline.network.proxy,
            timeout=TIMEOUT,
            headers={"User-Agent": token},
            header_generator=None,
        )
        self.crawler = BeautifulSoupCrawler(respect_robots_txt_file=True, http_client=client, configure_logging=False)

    async def allows(self, url):
        return await self.crawler._is_allowed_based_on_robots_txt_file(url)


asyncio.run(timeline.run("Crawlee for Python", version("crawlee"), Retriever, clock=True))
