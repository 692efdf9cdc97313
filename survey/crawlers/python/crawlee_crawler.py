"""Crawls from each URL of a file with Crawlee: crawlee_crawler.py AGENT SEEDS [robots-verdicts].

Crawlee follows the group of `*`, whatever the agent string is. With the argument `robots-verdicts`, it follows the group
of AGENT under RFC 9309.
"""

import asyncio
import sys
from datetime import timedelta

from crawlee.crawlers import BeautifulSoupCrawler
from crawlee.http_clients import HttpxHttpClient

AGENT, SEEDS, *WITH = sys.argv[1:]


def http_client(**options):
    return HttpxHttpClient(http2=False, timeout=3, headers={"User-Agent": AGENT}, header_generator=None, **options)


async def main():
    crawler = BeautifulSoupCrawler(
        respect_robots_txt_file=True,
        max_request_retries=0,
        request_handler_timeout=timedelta(seconds=5),
        http_client=http_client(),
        configure_logging=False,
    )
    if WITH == ["robots-verdicts"]:
        from robots_verdicts import Settings
        from robots_verdicts.crawlee import obey

        settings = Settings(edition="rfc9309")
        obey(crawler, AGENT, http_client=http_client(follow_redirects=False), settings=settings)

    @crawler.router.default_handler
    async def visit(context):
        await context.enqueue_links()

    with open(SEEDS) as file:
        await crawler.run(file.read().split())


asyncio.run(main())
