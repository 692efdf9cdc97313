"""Crawls from each URL of a file with Crawl4AI over HTTP, without a browser: crawl4ai_crawl.py AGENT SEEDS.

Crawl4AI fetches only the given pages. This program follows the links.
"""

import asyncio
import sys
import urllib.parse

from crawl4ai import AsyncWebCrawler, BrowserConfig, CacheMode, CrawlerRunConfig, HTTPCrawlerConfig
from crawl4ai.async_crawler_strategy import AsyncHTTPCrawlerStrategy

AGENT, SEEDS = sys.argv[1:]


async def main():
    settings = HTTPCrawlerConfig(headers={"User-Agent": AGENT})
    # Crawl4AI's client for robots.txt takes the name from the browser's settings, although no browser is started here.
    browser = BrowserConfig(user_agent=AGENT, verbose=False)
    config = CrawlerRunConfig(check_robots_txt=True, cache_mode=CacheMode.BYPASS, page_timeout=3000, verbose=False)
    with open(SEEDS) as file:
        queue = file.read().split()
    known = set(queue)
    strategy = AsyncHTTPCrawlerStrategy(browser_config=settings)
    async with AsyncWebCrawler(crawler_strategy=strategy, config=browser) as crawler:
        while queue:
            url = queue.pop(0)
            result = await crawler.arun(url, config=config)
            for link in result.links.get("internal", []) + result.links.get("external", []):
                link = urllib.parse.urldefrag(urllib.parse.urljoin(url, link["href"]))[0]
                if link.startswith("http") and link not in known:
                    known.add(link)
                    queue.append(link)


asyncio.run(main())
