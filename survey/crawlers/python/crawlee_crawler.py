"""Crawls from a URL with Crawlee: crawlee_crawler.py AGENT SEED [robots-verdicts].

Crawlee follows the group of `*`, whatever the agent string is. With the argument `robots-verdicts`, it follows the group
of AGENT under RFC 9309.

By default, Crawlee treats URLs as one page if they differ only in case, in a slash at the end or in `%2F`, and fetches
only the first of them. Here each URL is a page of its own, because robots.txt distinguishes them.
"""

import asyncio
import sys
from datetime import timedelta

from crawlee import ConcurrencySettings
from crawlee.crawlers import BeautifulSoupCrawler
from crawlee.http_clients import HttpxHttpClient

AGENT, SEED, *WITH = sys.argv[1:]


def http_client(**options):
    return HttpxHttpClient(http2=False, timeout=3, headers={"User-Agent": AGENT}, header_generator=None, **options)


def as_written(options):
    return {**options, "unique_key": options["url"].partition("#")[0]}


async def main():
    crawler = BeautifulSoupCrawler(
        respect_robots_txt_file=True,
        max_request_retries=0,
        request_handler_timeout=timedelta(seconds=5),
        http_client=http_client(),
        concurrency_settings=ConcurrencySettings(desired_concurrency=8),
        configure_logging=False,
    )
    if WITH == ["robots-verdicts"]:
        from robots_verdicts import Settings
        from robots_verdicts.crawlee import obey

        settings = Settings(edition="rfc9309")
        obey(crawler, AGENT, http_client=http_client(follow_redirects=False), settings=settings)

    @crawler.router.default_handler
    async def visit(context):
        await context.enqueue_links(strategy="all", transform_request_function=as_written)

    await crawler.run([SEED])


asyncio.run(main())
