"""A request for robots.txt waits for a place in the pool of its HTTP library, because other sites take all places. The
wait says nothing about the site, so it costs the site nothing: in each test, sites that drip take the places. With an
`httpx.Client`, no request waits."""

import asyncio
import contextlib
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import aiohttp
import httpx
import pytest
from crawlee.crawlers import BeautifulSoupCrawler
from crawlee.http_clients import CurlImpersonateHttpClient
from robots_verdicts import AsyncClient, Client, Timeouts
from robots_verdicts.crawlee import obey
from robots_verdicts.scrapling import _Manager
from scrapling.fetchers import FetcherSession
from scrapling.spiders.session import SessionManager
from sites import Site, answer
from test_scrapy import run

FILE = answer(200, b"user-agent: *\ndisallow: /private\n")
LIMITS = Timeouts(connect=20, answer=5, idle=5, total=3)
RULES = {(False, "rules")}


def drip(connection):
    """Answers with one field after the other, so that only the limit of the whole request ends it."""
    with contextlib.suppress(OSError):
        connection.sendall(b"HTTP/1.1 200 x\r\n")
        while True:
            time.sleep(0.5)
            connection.sendall(b"x: x\r\n")


class Sites:
    """Sites that drip, and innocent ones."""

    def __init__(self, dripping, innocent):
        with contextlib.ExitStack() as stack:
            self.dripping = [stack.enter_context(Site(drip)) for _ in range(dripping)]
            self.innocent = [stack.enter_context(Site(FILE)) for _ in range(innocent)]
            self._stack = stack.pop_all()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._stack.close()

    def judge(self, verdicts, store):
        """Checks the verdicts on the innocent sites, and that only sites that drip are in the store."""
        assert {(verdict.allowed, verdict.basis) for verdict in verdicts} == RULES, {str(verdict) for verdict in verdicts}
        assert [len(site.requests) for site in self.innocent] == [1] * len(self.innocent)
        assert {*store} == {site.origin for site in self.dripping + self.innocent}


async def ask(client, sites, questions=1):
    """Asks a client about the sites that drip, and at the same time about the innocent sites. Returns the verdicts on
    the innocent sites."""
    dripping = [asyncio.ensure_future(client.verdict(f"{site.origin}/x")) for site in sites.dripping]
    innocent = await asyncio.gather(
        *(client.verdict(f"{site.origin}/private") for site in sites.innocent for _ in range(questions))
    )
    for verdict in await asyncio.gather(*dripping):
        assert (verdict.allowed, verdict.basis) == (False, "unreachable"), str(verdict)
    return innocent


@pytest.mark.parametrize("library", ["httpx", "aiohttp"])
@pytest.mark.parametrize("given", [True, False], ids=["given", "own"])
def test_the_default_pools_starve_no_site(library, given, monkeypatch):
    """Both libraries have 100 places by default, and 256 tasks ask. The client's own pool has a place for each."""
    monkeypatch.setattr("robots_verdicts._async_client._installed", lambda: library)

    async def asked(sites, store):
        async with contextlib.AsyncExitStack() as stack:
            http = {"httpx": httpx.AsyncClient, "aiohttp": aiohttp.ClientSession}[library]() if given else None
            if http is not None:
                await stack.enter_async_context(http)
            client = AsyncClient("examplebot", http=http, timeouts=LIMITS, store=store)
            async with client:
                return await ask(client, sites, questions=3)

    with Sites(106, 50) as sites:
        sites.judge(asyncio.run(asked(sites, store := {})), store)


@pytest.mark.parametrize("new", [httpx.AsyncClient, aiohttp.ClientSession])
def test_a_pool_that_stays_full_is_no_outage_of_a_site(new):
    """The pages of the crawler itself take all places of its pool."""

    async def asked(busy, site, store):
        limits = {"limits": httpx.Limits(max_connections=1)} if new is httpx.AsyncClient else {"connector": aiohttp.TCPConnector(limit=1)}
        async with new(**limits) as http:
            page = asyncio.ensure_future(http.get(busy.origin))
            await asyncio.sleep(0.2)
            async with AsyncClient("examplebot", http=http, store=store, timeouts=Timeouts(total=60, pool=0.5)) as client:
                verdict = await client.verdict(f"{site.origin}/x")
            page.cancel()
            return verdict

    with Site(None) as busy, Site(FILE) as site:
        busy.answers = [busy.hang]
        verdict = asyncio.run(asked(busy, site, store := {}))
    assert (verdict.allowed, verdict.basis, store, site.requests) == (False, "unreachable", {}, [])
    assert "no free connection" in str(verdict)


def test_threads_with_httpx_starve_no_site():
    with Sites(2, 4) as sites, httpx.Client(limits=httpx.Limits(max_connections=2)) as http, ThreadPoolExecutor(6) as threads:
        client = Client("examplebot", http=http, timeouts=LIMITS, store=(store := {}))
        for site in sites.dripping:
            site.answers = [drip_body]
        dripping = [threads.submit(client.verdict, f"{site.origin}/x") for site in sites.dripping]
        time.sleep(0.5)
        for site in sites.innocent:
            site.answers = [answer_slowly]
        innocent = [threads.submit(client.verdict, f"{site.origin}/private") for site in sites.innocent]
        assert {each.result().basis for each in dripping} == {"unreachable"}
        sites.judge([each.result() for each in innocent], store)


def drip_body(connection):
    """Answers with a body that does not end, so that only the limit of the whole request ends it."""
    with contextlib.suppress(OSError):
        connection.sendall(b"HTTP/1.1 200 x\r\n\r\n")
        while True:
            connection.sendall(b"#\n")
            time.sleep(0.1)


def answer_slowly(connection):
    connection.sendall(FILE[:-1])
    time.sleep(0.3)
    connection.sendall(FILE[-1:])


@pytest.mark.parametrize("adapter", ["crawlee", "scrapling"])
def test_the_pool_of_curl_starves_no_site(adapter):
    """curl_cffi has ten places by default."""

    async def asked(sites, store):
        if adapter == "crawlee":
            crawler = BeautifulSoupCrawler(respect_robots_txt_file=True, configure_logging=False)
            http = CurlImpersonateHttpClient(allow_redirects=False)
            client = obey(crawler, "examplebot", http_client=http, store=store)
            client._timeouts = LIMITS
            async with http, client:
                return await ask(client, sites)

        class Spider:
            robots_txt_agent = "examplebot"
            robots_txt_identification = robots_txt_settings = None
            robots_txt_store = store

        async with SessionManager().add("default", FetcherSession(retries=1, timeout=60)) as sessions:
            client = _Manager(Spider(), sessions)._client("")
            client._timeouts = LIMITS
            return await ask(client, sites)

    with Sites(12, 6) as sites:
        sites.judge(asyncio.run(asked(sites, store := {})), store)


def test_a_browser_session_without_a_free_page_is_no_outage_of_a_site():
    class Sessions:
        def get(self, sid):
            return None

        async def fetch(self, request):
            raise TimeoutError("No pages finished to clear place in the pool within the 60s timeout period")

    class Spider:
        robots_txt_agent = "examplebot"
        robots_txt_identification = robots_txt_settings = None
        robots_txt_store = store = {}

    verdict = asyncio.run(_Manager(Spider(), Sessions())._client("browser").verdict("http://example.com/x"))
    assert (verdict.allowed, verdict.basis, Spider.store) == (False, "unreachable", {})


@pytest.mark.parametrize("new", [httpx.AsyncClient, aiohttp.ClientSession])
@pytest.mark.parametrize("guard", [None, lambda *_: None], ids=["no guard", "guard"])
def test_a_look_up_that_waits_for_a_thread_is_no_outage_of_a_site(new, guard):
    """Look-ups of other hosts hang, and have all threads of the event loop."""

    async def asked(url, store):
        loop, end = asyncio.get_running_loop(), threading.Event()
        loop.set_default_executor(ThreadPoolExecutor(2))
        hanging = [loop.run_in_executor(None, end.wait) for _ in range(2)]
        limits = Timeouts(connect=1, total=2)
        async with new() as http, AsyncClient("examplebot", http=http, guard=guard, store=store, timeouts=limits) as client:
            verdict = await client.verdict(url)
            end.set()
            await asyncio.gather(*hanging)
            return verdict

    with Site(FILE) as site:
        verdict = asyncio.run(asked(site.origin.replace("127.0.0.1", "localhost") + "/x", store := {}))
    assert (verdict.allowed, verdict.basis, store) == (False, "unreachable", {}), str(verdict)
    assert "threads" in str(verdict)


def test_a_full_downloader_of_scrapy_starves_no_site():
    """Both sites share a place of the downloader, and the first one hangs for longer than the limit of the second."""
    with Site(None) as busy, Site(FILE) as site:
        busy.answers = [busy.hang]
        settings = {"CONCURRENT_REQUESTS_PER_DOMAIN": 1, "DOWNLOAD_TIMEOUT": 1, "RETRY_TIMES": 2}
        run(site, [f"{busy.origin}/x", "/", "/private"], settings)
    assert {request.split()[1] for request in busy.requests} == {"/robots.txt"}
    assert [request.split()[1] for request in site.requests] == ["/robots.txt", "/"]
