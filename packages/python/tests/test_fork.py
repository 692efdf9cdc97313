"""A process is forked while a thread of it fetches a robots.txt. The child has no copy of this thread, so it must not
wait for the thread's answer."""

import asyncio
import os
import select
import threading
import time

import httpx
import pytest
from robots_verdicts import AsyncClient, Client, MemoryStore
from sites import Site, answer

FILE = answer(200, b"user-agent: *\ndisallow: /private\n")

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")


def in_child(ask):
    """Returns the text that a function returns in a child of this process, or `None` if it takes more than ten seconds.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writer, ask().encode())
        finally:
            os._exit(0)
    os.close(writer)
    is_ready, _, _ = select.select([reader], [], [], 10)
    text = os.read(reader, 65536).decode() if is_ready else None
    os.kill(child, 9)
    os.waitpid(child, 0)
    os.close(reader)
    return text


def answer_slowly(connection):
    time.sleep(2)
    connection.sendall(FILE)


@pytest.mark.parametrize("http", [None, httpx.Client])
@pytest.mark.parametrize("store", [None, MemoryStore])
def test_a_child_begins_its_own_retrieval(http, store):
    with Site(answer_slowly, FILE) as site:
        client = Client("examplebot", http=http and http(), store=store and store())
        got = []
        thread = threading.Thread(target=lambda: got.append(str(client.verdict(f"{site.origin}/private"))))
        thread.start()
        while not site.requests:
            time.sleep(0.01)
        forked = in_child(lambda: str(client.verdict(f"{site.origin}/private")))
        thread.join()
    assert forked == got[0] and "`disallow: /private`" in forked
    assert len(site.requests) == 2


@pytest.mark.parametrize("library", ["httpx", "aiohttp"])
@pytest.mark.parametrize("shared", [True, False])
def test_a_child_begins_its_own_retrieval_with_asyncio(library, shared, monkeypatch):
    monkeypatch.setattr("robots_verdicts._async_client._installed", lambda: library)

    async def ask(client):
        return str(await client.verdict(f"{site.origin}/private"))

    with Site(answer_slowly, FILE) as site:
        store = MemoryStore()
        clients = [AsyncClient("examplebot", store=store) for _ in range(2)]
        got = []
        thread = threading.Thread(target=lambda: got.append(asyncio.run(ask(clients[0]))))
        thread.start()
        while not site.requests:
            time.sleep(0.01)
        # The other client of the child finds only the turn of the parent in the store.
        forked = in_child(lambda: asyncio.run(ask(clients[0 if shared else 1])))
        thread.join()
    assert forked == got[0] and "`disallow: /private`" in forked
    assert len(site.requests) == 2


def test_a_child_needs_no_lock_of_its_parent():
    with Site(FILE) as site, Client("examplebot") as client:
        with client._lock:
            forked = in_child(lambda: str(client.verdict(f"{site.origin}/private")))
    assert forked and "`disallow: /private`" in forked


def test_a_request_that_forks_ends_in_both_processes():
    def send(request, retrieval):
        retrieval.answered(200, [], b"user-agent: *\ndisallow: /private\n")
        child.append(os.fork())

    child, (reader, writer) = [], os.pipe()
    text = "an error"
    try:
        text = str(Client("examplebot", http=send).verdict("http://example.com/private"))
    finally:
        if child == [0]:
            os.write(writer, text.encode())
            os._exit(0)
    os.close(writer)
    os.waitpid(child[0], 0)
    assert os.read(reader, 65536).decode() == text
    os.close(reader)
