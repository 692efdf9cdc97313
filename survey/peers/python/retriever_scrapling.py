"""Adapter for Scrapling: asks the manager of robots.txt files that its spiders use, with a session of a spider."""

import asyncio
import logging
from importlib.metadata import version

from scrapling.fetchers import FetcherSession
from scrapling.spiders import Spider
from scrapling.spiders.engine import CrawlerEngine
from scrapling.spiders.session import SessionManager
from timelines import Timeline

TIMEOUT = 30
timeline = Timeline(TIMEOUT)
logging.getLogger("scrapling").setLevel(logging.CRITICAL)


class Obedient(Spider):
    name = "obedient"
    start_urls = ["https://example.com/"]
    robots_txt_obey = True

    async def parse(self, response):
        yield None


class Retriever:
    """The manager of an engine that is not started. In a crawl, the engine asks the manager before each request."""

    sessions = None

    def __init__(self, _, token):
        self.manager = CrawlerEngine(Obedient(), Retriever.sessions)._robots_manager

    async def allows(self, url):
        return await self.manager.can_fetch(url, "default")


async def main():
    Retriever.sessions = SessionManager()
    # Each request is tried once, because a retry waits for a second of real time.
    session = FetcherSession(
        timeout=TIMEOUT,
        retries=1,
        proxy=timeline.network.proxy,
        verify=False,
        follow_redirects=True,
        stealthy_headers=False,
        headers={"User-Agent": "examplebot"},
    )
    Retriever.sessions.add("default", session)
    await Retriever.sessions.start()
    await timeline.run("Scrapling", version("scrapling"), Retriever, clock=True)


asyncio.run(main())
