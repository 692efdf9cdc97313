"""Measures retrieval from Python beside other caches of robots.txt, in one run, and writes a table.

    python bench_retrieval.py [--write FILE]

Each cache asks a server on loopback for the robots.txt of many origins, one after the other, and then answers questions
from memory. Each cache runs in a separate process. The figures are medians of rounds in which all caches take turns, so
that the load of the machine affects all of them equally. The origins are addresses of 127.0.0.0/8, which Linux routes
to this machine.
"""

import asyncio
import gc
import inspect
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import time
from importlib.metadata import version

from bench import AGENT, files, main

ROUNDS = 5
ORIGINS = 1000
# All these paths are allowed, because Scrapy would raise an exception for a forbidden page.
PATHS = ("/", "/section99/x", "/articles/2024/some-title?page=2", "/search?q=robots&lang=en")
TEXT = dict(files())["middle"]


async def serve():
    """Answers every request with the file, and prints the port first."""
    body = TEXT.encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: {len(body)}\r\n\r\n".encode()

    async def answer(reader, writer):
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                writer.write(head + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(answer, "0.0.0.0", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def origins(port):
    return [f"http://127.1.{number // 250}.{number % 250 + 1}:{port}" for number in range(ORIGINS)]


def memory():
    """Returns the octets of this process that are in memory."""
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as opened:
        return int(opened.read().split()[1]) * resource.getpagesize()


async def measure(ask, port, prepare=lambda url: url):
    """Asks about each origin once, then twice about four of its URLs from memory; the second pass is timed. `ask` is a
    function of a URL, or a coroutine function."""

    async def all_of(questions):
        start = time.perf_counter()
        if inspect.iscoroutinefunction(ask):
            for question in questions:
                await ask(question)
        else:
            for question in questions:
                ask(question)
        return (time.perf_counter() - start) / len(questions)

    # First, requests to two other origins load the modules that a first request needs.
    await all_of([prepare(f"http://127.2.0.{number}:{port}/") for number in (1, 2)])
    before = memory()
    cold = await all_of([prepare(f"{origin}/section99/x") for origin in origins(port)])
    after = memory()
    urls = [origin + path for origin in origins(port) for path in PATHS]
    random.Random(7).shuffle(urls)
    questions = [prepare(url) for url in urls]
    await all_of(questions)
    warm = await all_of(questions)
    print(json.dumps({"cold": cold, "warm": warm, "memory": (after - before) / ORIGINS}), flush=True)


def blocking(port):
    from robots_verdicts import Client

    with Client(AGENT) as client:
        asyncio.run(measure(client.allows, port))


def asynchronous(port):
    from robots_verdicts import AsyncClient

    async def run():
        async with AsyncClient(AGENT) as client:
            await measure(client.allows, port)

    asyncio.run(run())


def fast_robots(port):
    from fastrobots import RobotsCache

    cache = RobotsCache(capacity=2 * ORIGINS, user_agent=AGENT)
    asyncio.run(measure(cache.allowed, port))


def scrapy(port, path="scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware"):
    from scrapy import Request, Spider
    from scrapy.crawler import CrawlerProcess
    from scrapy.utils.misc import load_object

    class Asks(Spider):
        name = "asks"

        async def start(self):
            middleware = load_object(path).from_crawler(self.crawler)
            await measure(middleware.process_request, port, Request)
            return
            yield

    settings = {"USER_AGENT": AGENT, "ROBOTSTXT_OBEY": True, "LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False}
    process = CrawlerProcess({**settings, "DOWNLOAD_DELAY": 0, "RETRY_ENABLED": False})
    process.crawl(Asks)
    process.start()


def scrapy_with_ours(port):
    scrapy(port, "robots_verdicts.scrapy.RobotsTxtMiddleware")


OURS = f"robots-verdicts {version('robots-verdicts')}"
CACHES = {
    f"{OURS}, `Client`": blocking,
    f"{OURS}, `AsyncClient`": asynchronous,
    f"fastrobots {version('fastrobots')}, `RobotsCache`": fast_robots,
    f"Scrapy {version('Scrapy')}, its middleware": scrapy,
    f"Scrapy {version('Scrapy')} with the middleware of robots-verdicts": scrapy_with_ours,
}


def table():
    found = {name: {"cold": [], "warm": [], "memory": []} for name in CACHES}
    with subprocess.Popen([sys.executable, __file__, "--serve"], stdout=subprocess.PIPE, text=True) as server:
        try:
            port = server.stdout.readline().strip()
            for _ in range(ROUNDS):
                for place, name in enumerate(CACHES):
                    command = [sys.executable, __file__, "--cache", str(place), port]
                    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
                    for what, figure in json.loads(printed).items():
                        found[name][what].append(figure)
        finally:
            server.kill()
    lines = ["| cache | cold origin | warm verdict | memory for an origin |", "|---|--:|--:|--:|"]
    for name, figures in found.items():
        cold, warm, octets = (statistics.median(figures[what]) for what in ("cold", "warm", "memory"))
        lines.append(f"| {name} | {cold * 1e3:.2f} ms | {warm * 1e6:.2f} µs | {octets / 1000:.1f} kB |")
    return "\n".join(lines)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        asyncio.run(serve())
    elif sys.argv[1:2] == ["--cache"]:
        list(CACHES.values())[int(sys.argv[2])](int(sys.argv[3]))
    else:
        main(__doc__, table, "retrieval")
