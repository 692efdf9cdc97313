"""A crawler by a client of this package: crawl_client.py KIND AGENT SEED [RETRY]. It follows every link and every redirect that
robots.txt allows. KIND is `standard`, `httpx`, `async-httpx` or `async-aiohttp`. With RETRY, it waits so many seconds and asks
again about the sites that failed."""

import asyncio
import re
import sys
import time
from urllib.parse import urljoin

import aiohttp
import httpx
from robots_verdicts import AsyncClient, Client, Settings, Timeouts

KIND, AGENT, SEED, *RETRY = sys.argv[1:]
PATIENCE = 2.5
TIMEOUTS = Timeouts(connect=PATIENCE, answer=PATIENCE, idle=PATIENCE, total=4 * PATIENCE)
EDITION = "google-2022"


class Blocking:
    """A client without async, in the form of one with."""

    def __init__(self, client):
        self._client = client

    async def verdict(self, url):
        return self._client.verdict(url)


async def page(pages, url):
    """Returns the target of a redirect, and the links of a page."""
    try:
        async with pages.stream("GET", url) as answer:
            if answer.is_redirect:
                return urljoin(url, answer.headers.get("location", "")), []
            body = b""
            try:
                async for part in answer.aiter_bytes():
                    body += part
            except httpx.HTTPError:
                # If a page breaks off, the octets that arrived are still read.
                pass
            if "html" not in answer.headers.get("content-type", ""):
                return None, []
            links = re.findall(rb'<a[^>]*\shref="([^"]*)"', body)
            return None, [urljoin(url, link.decode().replace("&amp;", "&")).split("#")[0] for link in links]
    except (httpx.HTTPError, httpx.InvalidURL):
        return None, []


async def crawl(robots):
    frontier, known, waiting = [SEED], {SEED}, []
    until = time.time() + (float(RETRY[0]) * 5 if RETRY else 0)
    async with httpx.AsyncClient(headers={"user-agent": AGENT}, timeout=PATIENCE) as pages:
        while frontier or (waiting and time.time() < until):
            if not frontier:
                await asyncio.sleep(0.1)
                frontier, waiting = waiting, []
            url, hops = frontier.pop(0), 0
            while url is not None and hops <= 5:
                try:
                    verdict = await robots.verdict(url)
                except ValueError:
                    break
                if not verdict:
                    if verdict.basis == "unreachable":
                        waiting.append(url)
                    print(f"{url}: {verdict}", file=sys.stderr)
                    break
                url, links = await page(pages, url)
                hops += 1
                frontier += [link for link in links if link not in known]
                known.update(links)


async def main():
    retry = float(RETRY[0]) if RETRY else None
    settings = Settings(edition=EDITION, first_retry=retry, retry_after_503=retry)
    options = {"identification": AGENT, "settings": settings, "timeouts": TIMEOUTS}
    if KIND == "standard":
        return await crawl(Blocking(Client(AGENT, **options)))
    if KIND == "httpx":
        with httpx.Client() as http:
            return await crawl(Blocking(Client(AGENT, http=http, **options)))
    async with httpx.AsyncClient() if KIND == "async-httpx" else aiohttp.ClientSession() as http:
        async with AsyncClient(AGENT, http=http, **options) as robots:
            return await crawl(robots)


asyncio.run(main())
