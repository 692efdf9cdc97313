"""Both clients with every HTTP library, against sites on this machine."""

import sys
import asyncio
import contextlib
import errno
import gzip
import socket
import ssl
import threading
import time

import aiohttp
import httpx
import pytest
import requests
import trustme
import twisted.internet.error
from robots_verdicts import AsyncClient, Client, FileStore, PublicOnly, Refused, Settings, Timeouts
from robots_verdicts._attempt import side_of
from sites import Site, answer, reset

RULES = b"user-agent: *\ndisallow: /private\n"
FILE = answer(200, RULES, "content-type: text/plain")
QUICK = Timeouts(connect=2, answer=0.5, idle=0.5, total=2)
KINDS = ["standard", "httpx", "async httpx", "async aiohttp"]


def ask(kind, urls, *, timeouts=QUICK, tls=True, **options):
    """Asks a new client about URLs, one after the other, and returns the verdicts. `tls` is the TLS context for httpx
    and aiohttp."""
    options = {"identification": "examplebot/1.0", "timeouts": timeouts, **options}
    if kind == "standard":
        with Client("examplebot", **options) as client:
            return [client.verdict(url) for url in urls]
    if kind == "httpx":
        with httpx.Client(verify=tls) as http, Client("examplebot", http=http, **options) as client:
            return [client.verdict(url) for url in urls]

    async def asked():
        if kind == "async httpx":
            http = httpx.AsyncClient(verify=tls)
        else:
            http = aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=tls))
        async with http, AsyncClient("examplebot", http=http, **options) as client:
            return [await client.verdict(url) for url in urls]

    return asyncio.run(asked())


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


def test_rules_decide_and_one_request_serves_many_questions(kind):
    with Site(FILE) as site:
        closed, opened = ask(kind, [f"{site.origin}/private/x", f"{site.origin}/"])
        assert (closed.allowed, closed.basis, closed.evidence.line) == (False, "rules", 2)
        assert opened.allowed and opened.record.status == 200 and opened.record.body == RULES
    (request,) = site.requests
    lines = request.split("\r\n")
    assert lines[0] == "GET /robots.txt HTTP/1.1"
    fields = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
    assert fields["host"] == site.origin.removeprefix("http://")
    assert fields["user-agent"] == "examplebot/1.0"
    assert "gzip" in fields["accept-encoding"] and "cookie" not in fields


@pytest.mark.parametrize(
    ("octets", "basis"),
    [
        (answer(404), "no-file"),
        (answer(403), "no-file"),
        (answer(500), "unreachable"),
        (answer(429), "unreachable"),
        (answer(204), "rules"),
        (reset, "unreachable"),
        (b"", "unreachable"),
        (b"SSH-2.0-x\r\n", "unreachable"),
        (FILE[:-5], "unreachable"),
        (b"HTTP/1.1 200 x\r\ntransfer-encoding: chunked\r\n\r\n1f\r\nuser-agent: *\n", "unreachable"),
        (b"HTTP/1.1 200 x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nuser-agent: *\n", "unreachable"),
        (b"HTTP/1.1 200 x\r\ntransfer-encoding: chunked\r\n\r\n21\r\n" + RULES + b"\r\n0\r\n\r\n", "rules"),
        (answer(200, gzip.compress(RULES), "content-encoding: gzip"), "rules"),
        (answer(200, gzip.compress(RULES * 99)[:-9], "content-encoding: gzip"), "unreachable"),
        (answer(200, RULES, "content-encoding: gzip"), "unreachable"),
        (answer(200, RULES, "content-encoding: compress"), "unreachable"),
        (answer(200, RULES + b"#" * 2_000_000), "rules"),
    ],
)
def test_an_answer_means_what_the_edition_says(kind, octets, basis):
    with Site(octets) as site:
        (verdict,) = ask(kind, [f"{site.origin}/private/x"])
    assert verdict.basis == basis, str(verdict)
    assert verdict.allowed == (basis == "no-file") or octets == answer(204)


def test_a_body_may_end_with_the_connection(kind):
    with Site(b"HTTP/1.0 200 x\r\nserver: x\r\n\r\n" + RULES) as site:
        (verdict,) = ask(kind, [f"{site.origin}/private/x"])
    assert (verdict.allowed, verdict.basis) == (False, "rules"), str(verdict)


UNMARKED = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nuser-agent: *\n"
"""A file whose rules were cut off. Only the end of the connection marks its end."""


def test_a_reset_is_not_the_end_of_a_file(kind):
    def cut(connection):
        connection.sendall(UNMARKED)
        # During this pause, the client reads the octets, because a reset discards octets that were not read.
        time.sleep(0.1)
        reset(connection)

    with Site(cut) as site:
        (verdict,) = ask(kind, [f"{site.origin}/private/x"])
    assert (verdict.allowed, verdict.basis) == (False, "unreachable"), str(verdict)


def close_tls(connection):
    connection.sendall(UNMARKED + RULES)
    # Some clients do not answer a `close_notify` with their own `close_notify`.
    with contextlib.suppress(OSError):
        connection.unwrap()


@pytest.mark.parametrize(
    ("octets", "whole"),
    [
        (UNMARKED, False),
        (close_tls, True),
        (FILE[:-5], False),
        (FILE, True),
        (b"HTTP/1.1 200 x\r\ntransfer-encoding: chunked\r\n\r\n1f\r\nuser-agent: *\n", False),
        (b"HTTP/1.1 200 x\r\ntransfer-encoding: chunked\r\n\r\n21\r\n" + RULES + b"\r\n0\r\n\r\n", True),
        (answer(204), True),
    ],
)
def test_a_tls_connection_that_is_cut_is_not_the_end_of_a_file(kind, octets, whole, monkeypatch):
    """Only the standard client sees `close_notify`. Over TLS, the others refuse a body that has neither a length nor
    chunks."""
    authority = trustme.CA()
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(server)
    tls = ssl.create_default_context()
    authority.configure_trust(tls)
    monkeypatch.setattr(ssl, "create_default_context", lambda *_, **__: tls)
    with Site(octets, tls=server) as site:
        (verdict,) = ask(kind, [f"{site.origin}/private/x"], tls=tls)
    is_read = whole and (octets is not close_tls or kind == "standard")
    assert verdict.basis == ("rules" if is_read else "unreachable"), str(verdict)
    assert verdict.allowed == (octets == answer(204))


HEADS = {
    "404": b"HTTP/1.1 404 Not Found\r\nserver: x\r\n\r\n",
    "200": b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nserver: x\r\n\r\n",
    "200 with a length": b"HTTP/1.1 200 OK\r\ncontent-length: 33\r\n\r\n",
    "line feeds": b"HTTP/1.0 404 x\nserver: x\n\n",
    "early hints": b"HTTP/1.1 103 x\r\nlink: x\r\n\r\nHTTP/1.1 404 x\r\nserver: x\r\n\r\n",
}


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_a_head_that_is_cut_is_no_answer(kind, head):
    wrong = []
    with Site(None) as site:
        for end in range(len(head)):
            site.answers = [head[:end]]
            (verdict,) = ask(kind, [f"{site.origin}/x"])
            if verdict.allowed or verdict.basis != "unreachable":
                wrong.append(head[:end])
        site.answers = [head]
        (verdict,) = ask(kind, [f"{site.origin}/x"])
    assert wrong == []
    assert verdict.allowed is (b"content-length" not in head), str(verdict)


def test_a_chunked_body_that_is_cut_is_no_answer(kind):
    body = b"1\r\n#\r\n20;x=y\r\n" + RULES[1:] + b"\r\n00\r\n\r\n"
    wrong = []
    with Site(None) as site:
        for end in range(len(body) - 2):
            site.answers = [b"HTTP/1.1 200 x\r\ntransfer-encoding: chunked\r\n\r\n" + body[:end]]
            (verdict,) = ask(kind, [f"{site.origin}/x"])
            if verdict.basis != "unreachable":
                wrong.append(body[:end])
    assert wrong == []


def test_a_site_that_does_not_answer_is_left(kind):
    with Site(None) as site:
        site.answers = [site.hang]
        began = time.monotonic()
        (verdict,) = ask(kind, [f"{site.origin}/x"])
    assert (verdict.allowed, verdict.basis, verdict.record.failure) == (False, "unreachable", "timeout")
    assert time.monotonic() - began < 5


def test_a_body_that_drips_is_left(kind):
    def drip(connection):
        connection.sendall(b"HTTP/1.1 200 x\r\nserver: x\r\n\r\n")
        try:
            for _ in range(100):
                connection.sendall(b"#\n")
                time.sleep(0.1)
        except OSError:
            pass

    with Site(drip) as site:
        began = time.monotonic()
        (verdict,) = ask(kind, [f"{site.origin}/x"], timeouts=Timeouts(total=1))
    assert (verdict.basis, verdict.record.failure) == ("unreachable", "timeout")
    assert time.monotonic() - began < 5


def test_a_host_that_nobody_knows_is_unreachable(kind):
    (verdict,) = ask(kind, ["http://nobody.invalid/x"], timeouts=Timeouts())
    assert (verdict.allowed, verdict.record.failure) == (False, "dns"), str(verdict)


def test_a_port_that_refuses_is_unreachable(kind):
    with Site(FILE) as site:
        origin = site.origin
    (verdict,) = ask(kind, [f"{origin}/x"])
    assert (verdict.allowed, verdict.record.failure) == (False, "connection"), str(verdict)


def test_redirects_are_followed_to_another_origin(kind):
    with Site(FILE) as there, Site(None) as here:
        here.answers = [answer(301, b"moved", f"location: {there.origin}/elsewhere.txt")]
        closed, opened = ask(kind, [f"{here.origin}/private/x", f"{here.origin}/x"])
        assert (closed.allowed, opened.allowed) == (False, True)
        assert closed.record.hops == [(f"{here.origin}/robots.txt", 301)]
        assert closed.record.url == f"{there.origin}/elsewhere.txt"
    assert (len(here.requests), len(there.requests)) == (1, 1)


def test_a_copy_bridges_an_outage_and_is_confirmed(kind):
    now, store = [1_900_000_000.0], {}
    options = {"store": store, "clock": lambda: now[0], "settings": Settings(stale_if_error=3 * 86_400)}
    file = answer(200, RULES, 'etag: "1"')
    with Site(file, answer(503), answer(304)) as site:
        urls = [f"{site.origin}/private/x", f"{site.origin}/x"]
        assert [verdict.basis for verdict in ask(kind, urls, **options)] == ["rules", "rules"]
        # Each call of `ask` makes a new client, which knows only the records in the store.
        now[0] += 25 * 3600
        assert [(v.allowed, v.basis) for v in ask(kind, urls, **options)] == [(False, "last-copy"), (True, "last-copy")]
        now[0] += 3600
        assert [(v.allowed, v.basis) for v in ask(kind, urls, **options)] == [(False, "rules"), (True, "rules")]
    assert len(site.requests) == 3 and all('if-none-match: "1"' in sent.lower() for sent in site.requests[1:])
    assert list(store) == [site.origin]


def slow(connection):
    time.sleep(0.3)
    connection.sendall(FILE)


def test_threads_that_ask_about_one_origin_wait_for_one_request():
    with Site(slow) as site, Client("examplebot") as client:
        got = []
        ask = lambda number: got.append(client.allows(f"{site.origin}/{'private' if number % 2 else 'x'}"))
        threads = [threading.Thread(target=ask, args=(number,)) for number in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert (sorted(got), len(site.requests)) == ([False] * 10 + [True] * 10, 1)


@pytest.mark.parametrize("library", [httpx.AsyncClient, aiohttp.ClientSession])
def test_tasks_that_ask_about_one_origin_wait_for_one_request(library, monkeypatch):
    async def asked(origins):
        async with library() as http, AsyncClient("examplebot", http=http) as client:
            urls = [f"{origin}/{path}" for path in ("private", "x") * 20 for origin in origins]
            return await asyncio.gather(*map(client.allows, urls))

    started = []
    start = threading.Thread.start

    def record(thread):
        if not isinstance(getattr(thread._target, "__self__", None), Site):
            started.append(thread.name)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", record)
    with Site(slow) as one, Site(slow) as two:
        began = time.monotonic()
        got = asyncio.run(asked([one.origin, two.origin]))
    assert got == [False, False, True, True] * 20
    # The event loop needs no thread for look-ups either, because the hosts are addresses.
    assert (len(one.requests), len(two.requests), started) == (1, 1, [])
    assert time.monotonic() - began < 3


def test_a_question_that_is_cancelled_takes_no_other_with_it():
    async def asked(origin):
        async with AsyncClient("examplebot") as client:
            first = asyncio.ensure_future(client.allows(f"{origin}/x"))
            second = asyncio.ensure_future(client.allows(f"{origin}/private"))
            await asyncio.sleep(0.1)
            first.cancel()
            return await second, await client.allows(f"{origin}/x")

    with Site(slow) as site:
        assert asyncio.run(asked(site.origin)) == (False, True)
    assert len(site.requests) == 1


def test_a_client_that_closes_ends_its_requests():
    async def asked(origin):
        async with AsyncClient("examplebot") as client:
            question = asyncio.ensure_future(client.allows(f"{origin}/x"))
            await asyncio.sleep(0.2)
        with pytest.raises(asyncio.CancelledError):
            await question

    with Site(None) as site:
        site.answers = [site.hang]
        asyncio.run(asked(site.origin))


def test_stale_rules_are_used_while_they_are_fetched_anew():
    now = [1_900_000_000.0]

    async def asked(origin):
        settings = Settings(stale_while_revalidate=3600)
        async with AsyncClient("examplebot", settings=settings, clock=lambda: now[0]) as client:
            verdicts = [await client.verdict(f"{origin}/private")]
            now[0] += 86_401
            verdicts += [await client.verdict(f"{origin}/private") for _ in range(3)]
            await asyncio.sleep(0.5)
            return [(one.allowed, one.basis) for one in [*verdicts, await client.verdict(f"{origin}/private")]]

    with Site(FILE, answer(404)) as site:
        assert asyncio.run(asked(site.origin)) == [
            (False, "rules"),
            (False, "stale-rules"),
            (False, "stale-rules"),
            (False, "stale-rules"),
            (True, "no-file"),
        ]
    assert len(site.requests) == 2


def test_a_file_keeps_records_between_runs(tmp_path):
    with Site(FILE) as site:
        for _ in range(2):
            store = FileStore(tmp_path / "robots.redb")
            with pytest.raises(OSError, match="it is already open, here or in another process"):
                FileStore(tmp_path / "robots.redb")
            with Client("examplebot", store=store) as client:
                assert not client.allows(f"{site.origin}/private/x")
            del client
            assert store.remove_before(1.0) == 0
            del store
    assert len(site.requests) == 1


@pytest.mark.parametrize("new", [Client, AsyncClient])
def test_what_is_no_http_client_is_told(new):
    with pytest.raises(TypeError, match="http is an"):
        new("examplebot", http=3)
    with pytest.raises(ValueError, match="guard"):
        new("examplebot", http=print, guard=PublicOnly())


PRIVATE = {"authorization": "Basic eDp5", "referer": "http://example.com/", "x-key": "secret"}


@pytest.fixture
def netrc(tmp_path, monkeypatch):
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))


def hooks(asynchronous):
    """Returns hooks of httpx that add credentials to a request, and refuse each answer."""

    def add(request):
        request.headers["authorization"] = "Bearer secret"

    def refuse(response):
        raise httpx.HTTPStatusError("refused", request=response.request, response=response)

    async def add_async(request):
        add(request)

    async def refuse_async(response):
        refuse(response)

    if asynchronous:
        return {"request": [add_async], "response": [refuse_async]}
    return {"request": [add], "response": [refuse]}


def test_a_client_adds_no_cookie_and_no_credentials(kind, netrc):
    async def asked(http, url):
        async with http, AsyncClient("examplebot", http=http) as client:
            return await client.allows(url)

    http = None

    file = answer(200, RULES, "set-cookie: a=1")
    with Site(answer(302, b"", "location: /r", "set-cookie: b=2"), file) as site:
        url = f"{site.origin}/private"
        if kind == "standard":
            allowed = Client("examplebot").allows(url)
        elif kind == "httpx":
            http = httpx.Client(cookies={"q": "1"}, headers=PRIVATE, auth=("u", "p"), event_hooks=hooks(False))
            allowed = Client("examplebot", http=http).allows(url)
        elif kind == "async httpx":
            http = httpx.AsyncClient(cookies={"q": "1"}, headers=PRIVATE, auth=("u", "p"), event_hooks=hooks(True))
            allowed = asyncio.run(asked(http, url))
        else:

            async def with_session():
                jar = aiohttp.CookieJar(unsafe=True)
                http = aiohttp.ClientSession(cookie_jar=jar, cookies={"q": "1"}, headers=PRIVATE, trust_env=True)
                return await asked(http, url)

            allowed = asyncio.run(with_session())
    assert not allowed and len(site.requests) == 2
    fields = {line.split(":")[0].lower() for request in site.requests for line in request.splitlines()[1:] if line}
    assert fields <= {"host", "user-agent", "accept", "accept-encoding", "connection"}
    # The cookies of the answers do not reach the requests for pages.
    assert http is None or dict(http.cookies) == {"q": "1"}


def test_the_client_that_aiohttp_makes_sends_no_credentials(netrc, monkeypatch):
    monkeypatch.setattr("robots_verdicts._async_client._installed", lambda: "aiohttp")

    async def asked(url):
        async with AsyncClient("examplebot") as client:
            return await client.allows(url)

    with Site(FILE) as site:
        assert not asyncio.run(asked(f"{site.origin}/private"))
    assert "authorization" not in site.requests[0].lower()


@pytest.mark.parametrize("options", [{"trust_env": True}, {"proxy": "PROXY"}, {}])
def test_aiohttp_goes_through_the_proxy_of_its_session(options, monkeypatch):
    async def asked(options):
        async with aiohttp.ClientSession(**options) as http, AsyncClient("examplebot", http=http) as client:
            return await client.verdict("http://example.invalid/private/x")

    with Site(FILE) as proxy:
        monkeypatch.setenv("http_proxy", proxy.origin.replace("//", "//me:secret@"))
        monkeypatch.delenv("no_proxy", raising=False)
        verdict = asyncio.run(asked({name: proxy.origin if value == "PROXY" else value for name, value in options.items()}))
    assert verdict.basis == ("rules" if options else "unreachable")
    assert [request.splitlines()[0] for request in proxy.requests] == ["GET http://example.invalid/robots.txt HTTP/1.1"] * bool(options)
    assert ("proxy-authorization: basic" in "".join(proxy.requests).lower()) is ("trust_env" in options)


def through(kind, proxy, url, monkeypatch, **options):
    """Asks a new client about a URL, through a proxy, and returns the verdict."""
    options = {"identification": "examplebot/1.0", "timeouts": QUICK, **options}
    monkeypatch.delenv("no_proxy", raising=False)
    if kind == "standard":
        monkeypatch.setenv("http_proxy", proxy)
        monkeypatch.setenv("https_proxy", proxy)
        with Client("examplebot", **options) as client:
            return client.verdict(url)
    if kind == "httpx":
        with httpx.Client(proxy=proxy) as http, Client("examplebot", http=http, **options) as client:
            return client.verdict(url)

    async def asked():
        http = httpx.AsyncClient(proxy=proxy) if kind == "async httpx" else aiohttp.ClientSession(proxy=proxy)
        async with http, AsyncClient("examplebot", http=http, **options) as client:
            return await client.verdict(url)

    return asyncio.run(asked())


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_asks_for_credentials_is_no_site_without_a_file(kind, scheme, monkeypatch):
    with Site(answer(407, b"", "proxy-authenticate: basic")) as proxy:
        url = proxy.origin.replace("//", "//me:secret@")
        verdict = through(kind, url, f"{scheme}://example.invalid/x", monkeypatch, store=(store := {}))
    assert (verdict.allowed, verdict.basis, store) == (False, "unreachable", {}), str(verdict)
    assert "407" in str(verdict) and "secret" not in str(verdict)
    if scheme == "http":
        assert proxy.origin in str(verdict)


def cut(connection):
    connection.sendall(b"HTTP/1.1 200 x\r\nserver")


def drip(connection):
    try:
        for number in range(100):
            connection.sendall(b"HTTP/1.1 200 x\r\n" if number == 0 else b"x: x\r\n")
            time.sleep(0.1)
    except OSError:
        pass


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("fault", ["dead", "unknown", "silent", "closing", cut, drip], ids=str)
def test_a_proxy_that_fails_is_no_outage_of_a_site(kind, scheme, fault, monkeypatch):
    store = {}
    with Site(None) as proxy:
        proxy.answers = [proxy.hang if fault == "silent" else fault if callable(fault) else b""]
        if fault == "dead":
            with Site(None) as gone:
                pass
        origin = {"dead": lambda: gone.origin, "unknown": lambda: "http://nobody.invalid:1"}.get(fault, lambda: proxy.origin)()
        url = origin.replace("//", "//me:secret@")
        limits = Timeouts(connect=2, answer=0.5, idle=0.5, total=1)
        verdict = through(kind, url, f"{scheme}://example.invalid/x", monkeypatch, timeouts=limits, store=store)
    assert (verdict.allowed, verdict.basis, store) == (False, "unreachable", {}), str(verdict)
    assert f"the proxy {origin}" in str(verdict) and "secret" not in str(verdict)


def test_a_refused_tunnel_is_no_outage_of_the_site(monkeypatch):
    store = {}
    with Site(answer(502)) as proxy:
        verdict = through("standard", proxy.origin, "https://example.invalid/x", monkeypatch, store=store)
    assert "answered 502 to CONNECT" in str(verdict) and not verdict.allowed and store == {}


def test_a_body_that_is_cut_behind_a_proxy_is_a_failure_of_the_site(kind, monkeypatch):
    store = {}
    with Site(FILE[:-5]) as proxy:
        verdict = through(kind, proxy.origin, "http://example.invalid/x", monkeypatch, store=store)
    assert (verdict.allowed, list(store)) == (False, ["http://example.invalid"])


@pytest.mark.parametrize("library", [httpx.Client, httpx.AsyncClient, aiohttp.ClientSession])
def test_a_client_that_is_closed_is_no_outage_of_a_site(library):
    store = {}

    async def asked(url):
        http = library()
        await (http.close() if library is aiohttp.ClientSession else http.aclose())
        async with AsyncClient("examplebot", http=http, store=store) as client:
            return await client.verdict(url)

    with Site(FILE) as site:
        if library is httpx.Client:
            http = httpx.Client()
            http.close()
            verdict = Client("examplebot", http=http, store=store).verdict(f"{site.origin}/x")
        else:
            verdict = asyncio.run(asked(f"{site.origin}/x"))
    assert (verdict.allowed, site.requests, store) == (False, [], {}) and "closed" in str(verdict)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says that the network of this address is unreachable")
def test_the_error_of_the_site_counts_if_another_address_is_unreachable(monkeypatch):
    look_up = socket.getaddrinfo

    def both(host, *arguments, **options):
        hosts = ("127.0.0.1", "255.255.255.255") if host == "two.test" else (host,)
        return [found for each in hosts for found in look_up(each, *arguments, **options)]

    monkeypatch.setattr(socket, "getaddrinfo", both)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    verdict = Client("examplebot").verdict(f"http://two.test:{port}/x")
    assert not verdict.allowed and verdict.record.unreachable_since is not None, str(verdict)


def test_a_client_that_is_closed_during_a_request_is_no_outage_of_a_site():
    with Site(None) as site, httpx.Client() as http, Client("examplebot", http=http, store=(store := {})) as client:
        site.answers = [lambda connection: (http.close(), site.hang(connection))]
        verdict = client.verdict(f"{site.origin}/x")
    assert (verdict.allowed, store) == (False, {}) and "closed" in str(verdict)


def ask_daily(new, send, **options):
    """Asks a client once a day for 40 days, and returns the last verdict. The function `send` sends its requests."""
    now = [1_900_000_000.0]

    async def asynchronous(request, retrieval):
        send(request, retrieval)

    async def asked():
        async with AsyncClient("examplebot", http=asynchronous, clock=lambda: now[0], **options) as client:
            for _ in range(40):
                verdict = await client.verdict("https://example.com/x")
                now[0] += 86_400
            return verdict

    if new is AsyncClient:
        return asyncio.run(asked())
    client = Client("examplebot", http=send, clock=lambda: now[0], **options)
    for _ in range(40):
        verdict = client.verdict("https://example.com/x")
        now[0] += 86_400
    return verdict


class OwnError(Exception):
    pass


@pytest.mark.parametrize("new", [Client, AsyncClient])
@pytest.mark.parametrize("error", [TypeError("no such argument"), RuntimeError("closed"), OwnError("?"), KeyError("x")])
def test_an_error_of_the_program_is_logged_and_is_no_outage_of_a_site(new, error, caplog):
    def send(request, retrieval):
        try:
            raise TimeoutError("the error that was handled is not the cause")
        except TimeoutError:
            raise error

    verdict = ask_daily(new, send, store=(store := {}))
    assert (verdict.allowed, verdict.basis, store) == (False, "unreachable", {}), str(verdict)
    logged = [record for record in caplog.records if record.name.startswith("robots_verdicts")]
    assert len(logged) == 40 and {record.exc_info[1] for record in logged} == {error}
    assert "https://example.com" in logged[0].getMessage()


@pytest.mark.parametrize("new", [Client, AsyncClient])
def test_an_error_after_the_answer_is_logged(new, caplog):
    def send(request, retrieval):
        retrieval.answered(200, [], RULES)
        raise TypeError("no such argument")

    assert ask_daily(new, send).basis == "rules"
    assert "no such argument" in caplog.text


@pytest.mark.parametrize("new", [Client, AsyncClient])
def test_a_failure_of_the_network_begins_an_outage(new, caplog):
    def send(request, retrieval):
        raise OwnError("a wrapper") from ConnectionResetError("reset")

    verdict = ask_daily(new, send, store=(store := {}))
    assert (verdict.basis, list(store), caplog.records) == ("unreachable-for-long", ["https://example.com"], [])


@pytest.mark.parametrize(
    ("error", "side"),
    [
        (socket.gaierror(-2, "x"), "network"),
        (ssl.SSLError("x"), "network"),
        (asyncio.TimeoutError(), "network"),
        (asyncio.IncompleteReadError(b"", 1), "network"),
        (httpx.ReadTimeout("x"), "network"),
        (httpx.RemoteProtocolError("x"), "network"),
        (aiohttp.ServerDisconnectedError(), "network"),
        (requests.exceptions.ChunkedEncodingError("x"), "network"),
        (httpx.ProxyError("x"), "here"),
        (httpx.PoolTimeout("x"), "here"),
        (httpx.StreamConsumed(), "here"),
        (httpx.UnsupportedProtocol("x"), "here"),
        (aiohttp.InvalidURL("x"), "here"),
        (requests.exceptions.ProxyError("x"), "here"),
        (FileNotFoundError("ca.pem"), "here"),
        (PermissionError("x"), "here"),
        (OSError(errno.ENETUNREACH, "x"), "here"),
        (OSError(errno.EMFILE, "x"), "here"),
        (OSError(errno.EHOSTUNREACH, "x"), "network"),
        (OSError("Could not find a suitable TLS CA certificate bundle, invalid path: /x"), "here"),
        (OSError("x"), "network"),
        (ConnectionRefusedError(errno.ECONNREFUSED, "x"), "network"),
        (twisted.internet.error.ConnectError(errno.ENETUNREACH, "x"), "here"),
        (twisted.internet.error.NoRouteError(errno.EHOSTUNREACH, "x"), "network"),
        (Refused("x"), "here"),
        (UnicodeError("encoding with 'idna' codec failed (UnicodeError: label too long)"), "here"),
        (AttributeError("x"), "program"),
        (ValueError("x"), "program"),
        (UnicodeDecodeError("utf-8", b"x", 0, 1, "x"), "program"),
    ],
    ids=repr,
)
def test_which_errors_are_of_the_network(error, side):
    assert side_of(error) == side


def test_a_407_of_a_site_means_what_the_edition_says(kind):
    with Site(answer(407)) as site:
        (verdict,) = ask(kind, [f"{site.origin}/x"])
    assert verdict.basis == "no-file"


@pytest.mark.parametrize("proxied", ["http_proxy", "HTTP_PROXY"])
def test_the_standard_library_goes_through_the_proxy_of_the_environment(monkeypatch, proxied):
    with Site(FILE) as proxy:
        monkeypatch.setenv(proxied, proxy.origin.replace("//", "//me:secret@"))
        monkeypatch.delenv("no_proxy", raising=False)
        (verdict,) = ask("standard", ["http://example.com/private/x"])
        assert (verdict.allowed, verdict.basis) == (False, "rules")
        (verdict,) = ask("standard", ["http://example.com/private/x"], guard=PublicOnly())
        assert "which hides its address" in str(verdict) and "secret" not in str(verdict)
    (request,) = proxy.requests
    assert request.startswith("GET http://example.com/robots.txt HTTP/1.1\r\nproxy-authorization: Basic bWU6c2VjcmV0\r\n")
    monkeypatch.setenv(proxied, proxy.origin)
    (verdict,) = ask("standard", ["http://example.com/private/x"], store=(store := {}))
    assert (verdict.allowed, store) == (False, {}) and "the proxy" in str(verdict)
