"""Crawls from each URL of a file, and asks a library that fetches robots.txt by itself: own_fetch.py LIBRARY AGENT SEEDS.

LIBRARY is urllib (urllib.robotparser, Python's own), robotexclusionrulesparser or mcp (mcp-server-fetch). For mcp, a
function of the server fetches the pages; for the other two, urllib does.
"""

import asyncio
import collections
import html.parser
import socket
import sys
import urllib.error
import urllib.parse
import urllib.request
import urllib.robotparser

LIBRARY, AGENT, SEEDS = sys.argv[1:]
TIMEOUT = 3
socket.setdefaulttimeout(TIMEOUT)


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links = []

    def handle_starttag(self, tag, attributes):
        self.links += [value for name, value in attributes if tag == "a" and name == "href" and value]


class Urllib:
    """Uses one parser for each robots.txt, as in the documentation of the library."""

    def __init__(self):
        self.parsers = {}

    def allows(self, url):
        at = urllib.parse.urljoin(url, "/robots.txt")
        if at not in self.parsers:
            parser = urllib.robotparser.RobotFileParser(at)
            try:
                parser.read()
            except Exception:
                # The parser has read no file, so can_fetch returns False for every page.
                pass
            self.parsers[at] = parser
        return self.parsers[at].can_fetch(AGENT, url)


class Exclusion:
    def __init__(self):
        import robotexclusionrulesparser

        self.library = robotexclusionrulesparser
        self.parsers = {}

    def allows(self, url):
        at = urllib.parse.urljoin(url, "/robots.txt")
        if at not in self.parsers:
            parser = self.library.RobotExclusionRulesParser()
            parser.user_agent = AGENT
            try:
                parser.fetch(at, timeout=TIMEOUT)
            except Exception as error:
                # For most answers, the library raises an error and leaves the decision to its caller. A decision of this
                # program would not be the decision of the library, so the crawl ends here and the case stays undecided.
                sys.exit(f"{at}: {error!r}")
            self.parsers[at] = parser
        return self.parsers[at].is_allowed(AGENT, url)


class Asks(urllib.request.HTTPRedirectHandler):
    """Asks the library about the target of a page's redirect before it follows the redirect."""

    def redirect_request(self, request, answer, code, message, headers, target):
        if not library.allows(target):
            return None
        return super().redirect_request(request, answer, code, message, headers, target)


def get(url):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), Asks)
    opener.addheaders = [("User-Agent", AGENT)]
    with opener.open(url, timeout=TIMEOUT) as response:
        return response.url, response.read(1 << 20).decode("utf-8", "replace")


def mcp_get(url):
    from mcp_server_fetch import server
    from pydantic import AnyUrl

    # The server's tool parses its argument with AnyUrl too.
    url = str(AnyUrl(url))

    async def fetch():
        await server.check_may_autonomously_fetch_url(url, AGENT, allow_private_ips=True)
        return await server.fetch_url(
            url, AGENT, force_raw=True, allow_private_ips=True, check_robots_txt=True
        )

    return url, asyncio.run(asyncio.wait_for(fetch(), 4 * TIMEOUT))[0]


library = {"urllib": Urllib, "robotexclusionrulesparser": Exclusion}.get(LIBRARY, lambda: None)()
with open(SEEDS) as file:
    queue = collections.deque(file.read().split())
known = set(queue)
while queue:
    url = queue.popleft()
    try:
        if LIBRARY == "mcp":
            url, page = mcp_get(url)
        elif not library.allows(url):
            continue
        else:
            url, page = get(url)
    except Exception:
        continue
    links = Links()
    links.feed(page)
    for link in links.links:
        link = urllib.parse.urldefrag(urllib.parse.urljoin(url, link))[0]
        if link.startswith("http") and link not in known:
            known.add(link)
            queue.append(link)
