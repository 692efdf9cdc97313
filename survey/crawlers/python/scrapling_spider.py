"""Crawls from each URL of a file with Scrapling: scrapling_spider.py AGENT SEEDS [robots-verdicts].

Scrapling follows the group of `*`, whatever the agent string is. With the argument `robots-verdicts`, it follows the
group of AGENT under RFC 9309.
"""

import sys

from scrapling.fetchers import FetcherSession
from scrapling.spiders import Response, Spider

AGENT, SEEDS, *WITH = sys.argv[1:]

with open(SEEDS) as file:
    URLS = file.read().split()

BASES = [Spider]
if WITH == ["robots-verdicts"]:
    from robots_verdicts import Settings
    from robots_verdicts.scrapling import ObeysRobotsTxt

    class Obeys(ObeysRobotsTxt):
        robots_txt_settings = Settings(edition="rfc9309")

    BASES = [Obeys, Spider]


class Everywhere(*BASES):
    name = "everywhere"
    start_urls = URLS
    robots_txt_obey = True
    robots_txt_agent = AGENT

    def configure_sessions(self, manager):
        # By default, Scrapling follows no redirect to a private address, but all addresses of the test server are
        # private.
        session = FetcherSession(
            timeout=3, retries=2, headers={"User-Agent": AGENT}, stealthy_headers=False, follow_redirects=True
        )
        manager.add("default", session)

    async def parse(self, response: Response):
        for href in response.css("a::attr(href)").getall():
            yield response.follow(href, callback=self.parse)


Everywhere().start()
