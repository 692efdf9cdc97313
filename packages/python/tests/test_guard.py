"""Both clients with a guard, with every HTTP library, against sites on this machine."""

import asyncio
import contextlib
import http.server
import socket
import ssl
import threading

import aiohttp
import httpx
import pytest
import trustme
from robots_verdicts import AsyncClient, Client, PublicOnly, Refused, Timeouts
from robots_verdicts._connect import Target, other_end
from robots_verdicts._httpx import httpx_proxy, httpx_transport
from sites import Site, answer
from test_clients import FILE, ask, kind, through


def only(*addresses):
    """Returns a guard that allows some addresses."""

    def guard(host, port, address, proxy):
        if address not in addresses:
            raise Refused(f"{address} is refused here")

    return guard


def test_a_guard_refuses_a_name_that_resolves_to_this_machine(kind):
    with Site(FILE) as site:
        store = {}
        (verdict,) = ask(kind, [f"http://localhost:{site.port}/x"], guard=PublicOnly(), store=store)
        assert not verdict.allowed and "loopback" in str(verdict)
        (verdict,) = ask(kind, [f"{site.origin}/x"], guard=PublicOnly(), store=store)
        assert not verdict.allowed and "loopback" in str(verdict)
    # The refusal says nothing about the site, so it is not stored.
    assert (site.requests, store) == ([], {})


def test_a_guard_refuses_a_redirect(kind):
    with Site(FILE, address="127.0.0.2") as there, Site(None) as here:
        here.answers = [answer(301, b"", f"location: {there.origin}/robots.txt")]
        (verdict,) = ask(kind, [f"{here.origin}/x"], guard=only("127.0.0.1"))
        assert not verdict.allowed and "127.0.0.2 is refused here" in str(verdict)
    assert (len(here.requests), there.requests) == (1, [])


def test_a_guard_lets_a_name_through_to_the_address_it_checked(kind):
    with Site(FILE) as site:
        (verdict,) = ask(kind, [f"http://localhost:{site.port}/x"], guard=only("127.0.0.1"))
    assert verdict.allowed and verdict.basis == "rules"
    assert f"host: localhost:{site.port}" in site.requests[0].lower()


def test_a_guard_is_called_with_the_host_the_port_the_address_and_the_proxy(kind):
    with Site(FILE) as site:
        calls = []
        (verdict,) = ask(kind, [f"http://localhost:{site.port}/x"], guard=lambda *call: calls.append(call))
    assert verdict.basis == "rules", str(verdict)
    assert ("localhost", site.port, "127.0.0.1", None) in calls and {len(call) for call in calls} == {4}


def test_no_proxy_names_the_host_and_not_its_address(kind, monkeypatch):
    with Site(answer(404)) as proxy, Site(FILE) as site:
        monkeypatch.setenv("http_proxy", proxy.origin)
        monkeypatch.setenv("no_proxy", "localhost")
        (verdict,) = ask(kind, [f"http://localhost:{site.port}/private/x"], guard=only("127.0.0.1"))
    assert (verdict.allowed, verdict.basis, proxy.requests) == (False, "rules", []), str(verdict)


@contextlib.contextmanager
def hosts_of_one_address(files, authority):
    """Serves a robots.txt for each host over https, on one address. Each host has a certificate of its own. A request
    for a host that arrives over a connection for another host is answered with 421. Yields the port and a list: for
    each request, the host for which its connection was opened, and the host that it names."""
    contexts = {host: ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER) for host in files}
    for host, context in contexts.items():
        authority.issue_cert(host).configure_cert(context)
    requests = []

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            opened, host = self.connection.opened_for, self.headers["host"].rpartition(":")[0]
            requests.append((opened, host))
            body = files[host] if opened == host else b""
            self.send_response(200 if opened == host else 421)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    def choose(connection, name, _):
        # Clients send no name if the host is an address.
        connection.opened_for = name or "127.0.0.1"
        connection.context = contexts[connection.opened_for]

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True

        def get_request(self):
            connection, address = super().get_request()
            entry = contexts["127.0.0.1"]
            entry.sni_callback = choose
            return entry.wrap_socket(connection, server_side=True), address

    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1], requests
        server.shutdown()


FILES = {"127.0.0.1": b"", "open.example": b"user-agent: *\n", "closed.example": b"user-agent: *\ndisallow: /\n"}


@pytest.fixture
def tls(monkeypatch):
    """A certificate authority, and a TLS context for clients that trust it. All hosts in FILES have the address
    127.0.0.1."""
    authority, context = trustme.CA(), ssl.create_default_context()
    authority.configure_trust(context)
    monkeypatch.setattr(ssl, "create_default_context", lambda *_, **__: context)
    look_up = socket.getaddrinfo

    def local(host, *arguments, **options):
        return look_up("127.0.0.1" if host in FILES else host, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", local)
    return authority, context


@pytest.fixture
def early_aiohttp(monkeypatch):
    """aiohttp as before 3.14: its pool does not distinguish connections by the name in their TLS."""
    key = aiohttp.client_reqrep.ClientRequest.connection_key
    if "server_hostname" not in aiohttp.client_reqrep.ConnectionKey._fields:
        return
    early = property(lambda request: key.fget(request)._replace(server_hostname=None))
    monkeypatch.setattr(aiohttp.client_reqrep.ClientRequest, "connection_key", early)


def test_each_host_of_an_address_has_its_own_tls_connection(kind, tls, early_aiohttp):
    authority, context = tls
    with hosts_of_one_address(FILES, authority) as (port, requests):
        hosts = ["open.example", "closed.example"]
        urls = [f"https://{host}:{port}/x" for host in hosts]
        verdicts = ask(kind, urls, tls=context, guard=only("127.0.0.1"))
    assert [(verdict.allowed, verdict.basis) for verdict in verdicts] == [(True, "rules"), (False, "rules")]
    assert requests == [(host, host) for host in hosts]


@pytest.mark.parametrize("library", [httpx.Client, httpx.AsyncClient, aiohttp.ClientSession])
def test_a_connection_that_is_already_open_is_not_used_for_another_host(library, tls, early_aiohttp):
    authority, context = tls

    async def asked(address, url):
        is_aiohttp = library is aiohttp.ClientSession
        options = {"connector": aiohttp.TCPConnector(ssl=context)} if is_aiohttp else {"verify": context}
        async with library(**options) as http:
            page = await http.get(address)
            await (page.read() if is_aiohttp else page.aread())
            async with AsyncClient("examplebot", http=http, guard=only("127.0.0.1")) as client:
                return await client.verdict(url), await client.verdict(url)

    with hosts_of_one_address(FILES, authority) as (port, requests):
        address, url = f"https://127.0.0.1:{port}/", f"https://closed.example:{port}/x"
        if library is httpx.Client:
            with library(verify=context) as http, Client("examplebot", http=http, guard=only("127.0.0.1")) as client:
                http.get(address)
                verdicts = client.verdict(url), client.verdict(url)
        else:
            verdicts = asyncio.run(asked(address, url))
    assert not any(verdict.allowed for verdict in verdicts), str(verdicts)
    assert ("127.0.0.1", "closed.example") not in requests
    assert library is aiohttp.ClientSession or requests[1:] == [("closed.example", "closed.example")]


def test_a_guard_refuses_a_connection_through_a_proxy(kind, monkeypatch):
    with Site(FILE) as proxy:
        url = proxy.origin.replace("//", "//me:secret@")
        options = {"guard": PublicOnly(), "store": (store := {})}
        verdict = through(kind, url, "http://example.invalid/private/x", monkeypatch, **options)
    assert (verdict.allowed, store, proxy.requests) == (False, {}, []), str(verdict)
    assert f"the proxy {proxy.origin}, which hides its address" in str(verdict) and "secret" not in str(verdict)


@pytest.fixture
def two_addresses(monkeypatch):
    """The host two.test has the addresses 127.0.0.1 and 127.0.0.2."""
    look_up = socket.getaddrinfo

    def both(host, *arguments, **options):
        hosts = ("127.0.0.1", "127.0.0.2") if host in ("two.test", b"two.test") else (host,)
        return [found for each in hosts for found in look_up(each, *arguments, **options)]

    monkeypatch.setattr(socket, "getaddrinfo", both)


def test_a_client_connects_only_to_the_addresses_that_the_guard_allows(kind, two_addresses):
    with Site(FILE) as refused:
        (verdict,) = ask(kind, [f"http://two.test:{refused.port}/x"], guard=only("127.0.0.2"))
    assert (verdict.allowed, refused.requests) == (False, []), str(verdict)


def test_a_client_connects_only_to_the_addresses_of_a_proxy_that_the_guard_allows(kind, two_addresses, monkeypatch):
    with Site(FILE) as refused:
        proxy = refused.origin.replace("127.0.0.1", "two.test")
        verdict = through(kind, proxy, "http://example.invalid/x", monkeypatch, guard=only("127.0.0.2"))
    assert (verdict.allowed, refused.requests) == (False, []), str(verdict)


def test_an_answer_that_has_begun_is_not_asked_for_at_another_address(kind, two_addresses):
    half = b"HTTP/1.1 200 x\r\ncontent-length: 200\r\n\r\nuser-agent: *\ndisallow: /\n"
    with Site(None) as first:

        def hang(connection):
            connection.sendall(half)
            first.closed.wait(20)

        first.answers = [hang]
        second = Site(answer(404), address="127.0.0.2", port=first.port)
        timeouts = Timeouts(connect=1, answer=1, idle=1, total=3)
        with second:
            url = f"http://two.test:{first.port}/x"
            (verdict,) = ask(kind, [url], guard=only("127.0.0.1", "127.0.0.2"), timeouts=timeouts)
    assert (verdict.allowed, len(first.requests), second.requests) == (False, 1, []), str(verdict)


def test_a_guard_may_trust_a_proxy(kind, monkeypatch):
    calls, trusting = [], PublicOnly(trust_proxy=True)

    def guard(*call):
        calls.append(call)
        trusting(*call)

    with Site(FILE) as proxy:
        verdict = through(kind, proxy.origin, "http://example.invalid/private/x", monkeypatch, guard=guard)
        secure = through(kind, proxy.origin, "https://example.invalid/private/x", monkeypatch, guard=guard)
    assert (verdict.allowed, verdict.basis) == (False, "rules"), str(verdict)
    assert calls == [("example.invalid", port, "127.0.0.1", proxy.origin) for port in (80, 443)]
    assert not secure.allowed
    assert [request.splitlines()[0] for request in proxy.requests] == [
        "GET http://example.invalid/robots.txt HTTP/1.1",
        "CONNECT example.invalid:443 HTTP/1.1",
    ]


@pytest.mark.parametrize("library", [httpx.Client, httpx.AsyncClient])
def test_a_proxy_of_httpx_with_an_ipv6_address_is_named(library):
    transport = httpx_transport(library(proxy="http://me:secret@[::1]:1"), httpx.URL("http://example.com/"))
    assert httpx_proxy(transport) == "http://[::1]:1"
    assert other_end(Target("http://example.com/"), "http://[::1]:1") == ("::1", 1)


class Transport(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """A transport of another package."""

    def handle_request(self, request):
        return httpx.Response(404)

    async def handle_async_request(self, request):
        return httpx.Response(404)


class Inherited(httpx.HTTPTransport):
    """A transport of another package that may use a proxy of its own."""


class AsyncInherited(httpx.AsyncHTTPTransport):
    """The same for asyncio."""


class Connector(aiohttp.TCPConnector):
    """A connector of another package."""


UNKNOWN = {
    httpx.Client: [
        {"transport": one} for one in (Transport(), Inherited(), httpx.HTTPTransport(uds="/nowhere"))
    ],
    httpx.AsyncClient: [
        {"transport": one} for one in (Transport(), AsyncInherited(), httpx.AsyncHTTPTransport(uds="/nowhere"))
    ],
}


@pytest.mark.parametrize(("library", "options"), [(library, one) for library, each in UNKNOWN.items() for one in each])
def test_a_guard_refuses_a_transport_that_does_not_report_its_connections(library, options):
    async def asked(http):
        async with http, AsyncClient("examplebot", http=http, guard=guard, store=store) as client:
            return await client.verdict("http://127.0.0.1/x")

    guard, store = only("127.0.0.1"), {}
    if library is httpx.Client:
        with library(**options) as http, Client("examplebot", http=http, guard=guard, store=store) as client:
            verdict = client.verdict("http://127.0.0.1/x")
    else:
        verdict = asyncio.run(asked(library(**options)))
    assert (verdict.allowed, store) == (False, {}) and "cannot check the connections" in str(verdict)


@pytest.mark.parametrize("new", [Connector, lambda: aiohttp.UnixConnector("/nowhere")], ids=["another package", "Unix socket"])
def test_a_guard_refuses_a_connector_that_does_not_report_its_connections(new):
    async def asked(url):
        async with aiohttp.ClientSession(connector=new()) as http:
            async with AsyncClient("examplebot", http=http, guard=only("127.0.0.1"), store=store) as client:
                return await client.verdict(url)

    store = {}
    with Site(answer(404)) as site:
        verdict = asyncio.run(asked(f"{site.origin}/x"))
    assert (verdict.allowed, store, site.requests) == (False, {}, []) and "cannot check the connections" in str(verdict)
