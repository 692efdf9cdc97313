"""The code of docs/python.md, in crawls of sites on this machine. Few texts are replaced: `example.com` becomes the
site, `PublicOnly` a guard that allows this machine, and a time limit is shorter."""

import errno
import gzip
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import robots_verdicts
from sites import Site, answer

PAGE = (Path(__file__).parent / "python.md").read_text(encoding="utf-8")
FILE = answer(200, b"user-agent: *\ndisallow: /private\n")
TOKEN = answer(200, b"user-agent: examplebot\ndisallow: /private\n\nuser-agent: *\nallow: /\n")


def code(heading, position=0):
    """Returns a code block below a heading, by default the first."""
    section = re.split(r"^## ", PAGE, flags=re.MULTILINE)
    (section,) = (text for text in section if text.startswith(f"{heading}\n"))
    return re.findall(r"^```python\n(.*?)^```", section, flags=re.MULTILINE | re.DOTALL)[position]


class Web(Site):
    """A site with a robots.txt and pages."""

    def __init__(self, *robots, page=b"page"):
        super().__init__(None)
        self.robots = list(robots)
        self.page = page
        self.answers = [self.respond]

    def respond(self, connection):
        if self.paths()[-1] != "/robots.txt":
            connection.sendall(answer(200, self.page, "set-cookie: page=1", "content-type: text/html"))
            return
        given = self.robots.pop(0) if len(self.robots) > 1 else self.robots[0]
        connection.sendall(given)

    def paths(self):
        return [request.split()[1] for request in self.requests]


def run(heading, site, position=0, **replaced):
    """Runs a code block below a heading, by default the first. Returns the names that the code defines."""
    names = {"__name__": "recipe"}
    source = code(heading, position).replace("https://example.com/private/x", "URL").replace("https://example.com", site.origin)
    for old, new in replaced.items():
        assert old in source
        source = source.replace(old, new)
    exec(compile(source, f"docs/python.md, {heading}", "exec"), names)
    return names


@pytest.mark.parametrize(
    ("path", "fetched"),
    [
        ("/private/x", []),
        ("/x", ["/x"]),
        ("/a/../private/x", []),
        ("//../private/x", []),
        ("/a/%2e%2e/private/x", []),
        ("/a\\..\\private\\x", []),
        ("/private/../x?y", ["/x?y"]),
        ("/private/%2e%2e/x", ["/x"]),
    ],
)
def test_the_crawl_with_asyncio(path, fetched, monkeypatch, capsys):
    monkeypatch.setattr(robots_verdicts, "PublicOnly", lambda: lambda host, port, address, proxy: None)
    with Web(FILE) as site:
        run("asyncio", site, URL=f"{site.origin}{path}".replace("\\", "\\\\"))
    assert site.paths() == ["/robots.txt", *fetched]
    assert capsys.readouterr().out.startswith("allow" if fetched else "disallow")
    assert all("user-agent: examplebot/1.0 (+" in request.lower() for request in site.requests)


def test_the_crawl_without_async():
    with Web(FILE) as site:
        run("Without async", site, URL=f"{site.origin}/private/x")
    assert site.paths() == ["/robots.txt"]


@pytest.mark.parametrize(("path", "fetched"), [("/private/x", []), ("/a/../private/x", []), ("/private/../x", ["/x"])])
def test_the_crawl_with_requests_and_the_client(path, fetched):
    with Web(FILE) as site:
        run("Any other HTTP library", site, URL=f"{site.origin}{path}")
    assert site.paths() == ["/robots.txt", *fetched]
    assert all("user-agent: examplebot/1.0 (+" in request.lower() for request in site.requests)


@pytest.mark.parametrize(
    ("given", "allowed"),
    [
        (b"HTTP/1.1 200 x\r\nconnection: close\r\n\r\nuser-agent: *\n", False),
        (b"HTTP/1.1 203 x\r\nconnection: close\r\n\r\nuser-agent: *\n", False),
        (b"HTTP/1.1 206 x\r\nconnection: close\r\n\r\nuser-agent: *\n", False),
        (b"HTTP/1.1 204 x\r\nconnection: close\r\n\r\n", True),
        (b"HTTP/1.1 404 x\r\nconnection: close\r\n\r\n", True),
    ],
)
def test_the_client_with_requests_takes_no_body_that_may_be_cut(given, allowed):
    with Web(given) as site:
        names = run("Any other HTTP library", site, 1)
        assert names["verdict"](f"{site.origin}/x").allowed is allowed


def test_the_client_with_requests(tmp_path, monkeypatch):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    moved = answer(302, b"", "location: /robots.txt?2", "set-cookie: a=1; path=/")
    file = answer(200, b"user-agent: *\ndisallow: /private\n", "set-cookie: b=2; path=/", 'etag: "1"')
    with Web(moved, file) as site:
        site.answers = [lambda connection: connection.sendall(site.robots[min(len(site.requests), 2) - 1])]
        names = run("Any other HTTP library", site, 1)
        verdict = names["verdict"]
        assert [verdict(f"{site.origin}{path}").allowed for path in ("/private", "/x", "/a/../private")] == [False, True, False]
        assert site.paths() == ["/robots.txt", "/robots.txt?2"]
        # A site with another port gets no cookie of the first site.
        with Web(file) as other:
            assert verdict(f"{other.origin}/x").allowed
        requests = [*site.requests, *other.requests]
        names["session"].get(f"{site.origin}/x")
        requests.append(site.requests[-1])
    fields = [line.split(":")[0].lower() for request in requests for line in request.splitlines()[1:]]
    assert len(requests) == 4 and {"cookie", "authorization", "referer"}.isdisjoint(fields)


@pytest.mark.parametrize(
    ("given", "basis", "allowed"),
    [
        (answer(404), "no-file", True),
        (answer(503), "unreachable", False),
        (b"", "unreachable", False),
        (FILE[:-5], "unreachable", False),
        (answer(404, b"", "x cache: hit"), "unreachable", False),
        (answer(200, gzip.compress(b"user-agent: *\ndisallow: /\n"), "x cache: hit", "content-encoding: gzip"), "unreachable", False),
        (answer(200, b"user-agent: *\ndisallow: /\n" + b"#" * 2_000_000), "rules", False),
    ],
)
def test_answers_to_the_client_with_requests(given, basis, allowed):
    with Web(given) as site:
        verdict = run("Any other HTTP library", site, 1)["verdict"](f"{site.origin}/x")
    assert (verdict.basis, verdict.allowed) == (basis, allowed)


def test_the_client_with_requests_takes_no_407_of_a_proxy(monkeypatch):
    monkeypatch.delenv("no_proxy", raising=False)
    with Site(answer(407)) as proxy, Web(FILE) as site:
        monkeypatch.setenv("http_proxy", proxy.origin)
        verdict = run("Any other HTTP library", site, 1)["verdict"]("http://example.invalid/x")
    assert (verdict.allowed, verdict.basis) == (False, "unreachable")
    assert proxy.requests[0].startswith("GET http://example.invalid/robots.txt ")


def ask_with_requests(url, monkeypatch, get=None):
    """Asks the page's client for `requests` about a URL. Returns the verdict, and whether an outage began."""
    with Web(FILE) as site:
        names = run("Any other HTTP library", site, 1, **{"timeout=15": "timeout=1"})
    if get is not None:
        monkeypatch.setattr(names["session"], "get", get)
    verdict = names["verdict"](url)
    return verdict, verdict.record.unreachable_since is not None


@pytest.mark.parametrize("fault", ["dead", "silent", "closing"])
def test_the_client_with_requests_takes_no_failure_of_a_proxy_for_an_outage(fault, monkeypatch):
    monkeypatch.delenv("no_proxy", raising=False)
    with Site(b"") as proxy:
        if fault == "silent":
            proxy.answers = [proxy.hang]
        if fault == "dead":
            with Site(b"") as gone:
                pass
        origin = gone.origin if fault == "dead" else proxy.origin
        monkeypatch.setenv("http_proxy", origin.replace("//", "//me:secret@"))
        verdict, is_outage = ask_with_requests("http://example.invalid/x", monkeypatch)
    assert (verdict.allowed, verdict.basis, is_outage) == (False, "unreachable", False), str(verdict)
    assert f"the proxy {origin}" in str(verdict) and "secret" not in str(verdict)


def test_the_client_with_requests_takes_a_407_of_a_site_for_its_answer(monkeypatch):
    with Web(answer(407)) as site:
        verdict, _ = ask_with_requests(f"{site.origin}/x", monkeypatch)
    assert (verdict.allowed, verdict.basis) == (True, "no-file")


def test_the_client_with_requests_logs_an_error_of_the_program(monkeypatch, caplog):
    def get(*_, **__):
        raise TypeError("no such argument")

    verdict, is_outage = ask_with_requests("http://example.invalid/x", monkeypatch, get)
    assert (verdict.allowed, verdict.basis, is_outage) == (False, "unreachable", False)
    assert "no such argument" in caplog.text


@pytest.mark.parametrize(
    ("number", "outage"), [(errno.ENETUNREACH, False), (errno.EMFILE, False), (errno.ECONNREFUSED, True)]
)
def test_the_client_with_requests_takes_an_error_of_this_machine_for_no_outage(number, outage, monkeypatch):
    def fail(*_, **__):
        raise OSError(number, "x")

    with Site(b"") as site:
        monkeypatch.setattr(socket.socket, "connect", fail)
        verdict, is_outage = ask_with_requests(f"{site.origin}/x", monkeypatch)
    assert (verdict.allowed, verdict.basis, is_outage) == (False, "unreachable", outage), str(verdict)


TWISTED = """
import sys
from twisted.internet.defer import gatherResults, Deferred
from twisted.internet.task import react

before, recipe, after, *urls = sys.argv[1:]
names = {}
exec(before + recipe + after, names)

def basis(verdict):
    is_outage = verdict.record.unreachable_since is not None
    return verdict.basis if is_outage or verdict.basis != "unreachable" else "here"

def main(reactor):
    # All questions are asked at the same time.
    return gatherResults([Deferred.fromCoroutine(names["verdict"](url)) for url in urls]).addCallback(
        lambda verdicts: print(*(f"{basis(verdict)}:{verdict.allowed}" for verdict in verdicts))
    )

react(main)
"""


def twisted(position, site, *paths, before="", after="", log=""):
    """Asks the code for Twisted about paths of a site, with other code before and after it. Returns the verdicts. The
    log must contain `log`, or be empty if `log` is empty."""
    urls = [f"{site.origin}{path}" for path in paths]
    command = [sys.executable, "-c", TWISTED, before, code("Twisted", position), after, *urls]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and (log in done.stderr if log else done.stderr == ""), done.stderr
    return done.stdout.split()


CUT = b"HTTP/1.1 200 x\r\nconnection: close\r\n\r\nuser-agent: *\n"


@pytest.mark.parametrize("position", [0, 1])
def test_the_clients_for_twisted_ask_once(position):
    moved = answer(301, b"gone", "location: /robots.txt?2")
    with Web() as site:
        site.answers = [lambda connection: connection.sendall([moved, TOKEN][len(site.requests) - 1])]
        verdicts = twisted(position, site, "/private", "/x", "/private/y")
    assert verdicts == ["rules:False", "rules:True", "rules:False"]
    assert site.paths() == ["/robots.txt", "/robots.txt?2"]
    assert all("user-agent: examplebot/1.0 (+" in request.lower() for request in site.requests)


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        (answer(404, b"x" * 100_000), "no-file:True"),
        (b"HTTP/1.1 404 x\r\ncontent-length: 9\r\n\r\nx", "no-file:True"),
        (b"HTTP/1.1 204 x\r\nconnection: close\r\n\r\n", "rules:True"),
        (answer(200), "rules:True"),
        (answer(503), "unreachable:False"),
        (b"", "unreachable:False"),
        (b"HTTP/1.1 404 x", "unreachable:False"),
        (b"HTTP/1.1 404 x\r\n", "unreachable:False"),
        (TOKEN[:-5], "unreachable:False"),
        (CUT, "unreachable:False"),
        (answer(200, b"user-agent: *\ndisallow: /\n" + b"#" * 2_000_000), "rules:False"),
    ],
)
def test_answers_to_the_agent_of_twisted(given, verdict):
    with Web(given) as site:
        assert twisted(1, site, "/x") == [verdict]


def test_a_port_that_refuses_the_agent_of_twisted_begins_an_outage():
    with Web() as site:
        pass
    assert twisted(1, site, "/x") == ["unreachable:False"]


def test_an_error_of_the_program_begins_no_outage_with_twisted():
    fault = "agent.request = lambda *_: 1 / 0"
    with Web(FILE) as site:
        assert twisted(1, site, "/x", after=fault, log="ZeroDivisionError") == ["here:False"]


def test_twisted_without_tls_begins_no_outage():
    with Web(FILE) as site:
        site.origin = site.origin.replace("http:", "https:")
        missing = "import sys\nsys.modules['OpenSSL'] = None\n"
        assert twisted(1, site, "/x", before=missing, log="no failure of the network") == ["here:False"]


SCRAPY = """
import sys
import scrapy
from scrapy.crawler import CrawlerProcess

settings, seed = sys.argv[1:]

class Spider(scrapy.Spider):
    name = "spider"
    start_urls = [f"{seed}/private/x", f"{seed}/x"]

    def parse(self, response):
        pass

names = {}
exec(settings, names)
process = CrawlerProcess({name: value for name, value in names.items() if name.isupper()})
process.crawl(Spider)
process.start()
"""


def test_the_crawl_with_scrapy(tmp_path):
    with Web(TOKEN) as site:
        spider(SCRAPY, code("Scrapy"), site.origin, folder=tmp_path)
    assert site.paths() == ["/robots.txt", "/x"]
    assert all("user-agent: examplebot/1.0 (+" in request.lower() for request in site.requests)
    assert (tmp_path / "robots.redb").exists()


def spider(script, *arguments, folder):
    """Runs a crawl in a process of its own, because Scrapy and Crawlee keep state for the life of a process."""
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_the_crawl_with_scrapling():
    with Web(FILE) as site:
        names = run("Scrapling", site)
        spider = type("Named", (names["Shop"],), {"parse": lambda self, response: _nothing()})
        spider().start()
    assert site.paths()[0] == "/robots.txt" and set(site.paths()) == {"/robots.txt", "/"}


async def _nothing():
    for item in ():
        yield item


CRAWLEE = """
import asyncio, sys

recipe, seed = sys.argv[1:]

async def crawl():
    names = {}
    exec(recipe, names)

    if "visit" not in names:

        @names["crawler"].router.default_handler
        async def visit(context):
            pass

    await names["crawler"].run([f"{seed}/private/x", f"{seed}/x"])

asyncio.run(crawl())
"""


def test_the_crawl_with_crawlee(tmp_path):
    with Web(TOKEN) as site:
        spider(CRAWLEE, code("Crawlee"), site.origin, folder=tmp_path)
    assert site.paths() == ["/robots.txt", "/x"]
    assert "user-agent: examplebot/1.0 (+" in site.requests[0].lower()


def test_the_client_of_crawlee_with_a_proxy(tmp_path):
    with Site(TOKEN) as proxy, Web(answer(503)) as site:
        recipe = f"{code('Crawlee')}\n{code('Crawlee', 1)}"
        assert "http://proxy.example.net:8080" in recipe
        spider(CRAWLEE, recipe.replace("http://proxy.example.net:8080", proxy.origin), site.origin, folder=tmp_path)
    assert [request.split()[1] for request in proxy.requests] == [f"{site.origin}/robots.txt"]
    assert site.paths() == ["/x"]


def test_crawlee_requests_a_url_although_another_spelling_is_forbidden(tmp_path):
    def crawl(visit):
        with Web(answer(200, b"user-agent: *\ndisallow: /private/\n")) as shop:
            links = f'<a href="{shop.origin}/private/B">B</a> <a href="{shop.origin}/private%2Fb#b">b</a>'
            with Web(FILE, page=links.encode()) as site:
                spider(CRAWLEE, code("Crawlee") + visit, site.origin, folder=tmp_path)
            return shop.paths()

    recipe = code("Crawlee", 2).replace("enqueue_links(", 'enqueue_links(strategy="all", ')
    by_default = recipe.replace(", transform_request_function=as_written", "")
    assert crawl(recipe) == ["/robots.txt", "/private%2Fb"]
    assert by_default != recipe and crawl(by_default) == ["/robots.txt"]
