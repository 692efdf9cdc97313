"""Writes a synthetic web archive of about RESPONSES responses: robots.txt files of many hosts in the twelve months of
2024. More hosts disallow AI crawlers from month to month. The same arguments always give the same archive.

    archive.py RESPONSES FILE.warc.gz [SEED]
"""

import gzip
import random
import sys

AGENTS = ["GPTBot", "CCBot", "ClaudeBot", "Google-Extended", "Bytespider"]
COMMON = ["/admin/", "/cart", "/search?", "/login", "/*.pdf$", "/tmp/", "/private/", "/wp-admin/"]


def file(chance, month, host):
    """The robots.txt of a host in a month: some hosts name AI crawlers, more of them later in the year."""
    rules = "".join(f"Disallow: {path}\n" for path in chance.sample(COMMON, host % 7))
    text = f"# {host}\nUser-agent: *\n{rules or 'Disallow:' + chr(10)}"
    if chance.random() < 0.15 + 0.02 * month:
        named = chance.sample(AGENTS, chance.randint(1, len(AGENTS)))
        paths = ["/"] if chance.random() < 0.8 else ["/news/", "/images/"]
        text += "\n" + "".join(f"User-agent: {agent}\n" for agent in named)
        text += "".join(f"Disallow: {path}\n" for path in paths)
    return text + f"\nSitemap: https://host{host}.example/sitemap.xml\n"


def answers(chance, month, host):
    """The responses of a host in a month, as pairs of a URL and an HTTP message."""
    url, kind = f"https://host{host}.example/robots.txt", chance.random()
    if kind < 0.08:
        yield url, "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<p>not found"
    elif kind < 0.10:
        yield url, "HTTP/1.1 503 Service Unavailable\r\n\r\n"
    elif kind < 0.12:
        yield url, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<!doctype html><title>Welcome</title>"
    elif kind < 0.16:
        target = f"https://www.host{host}.example/robots.txt"
        yield url, f"HTTP/1.1 301 Moved Permanently\r\nLocation: {target}\r\n\r\n"
        if kind < 0.15:
            yield target, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + file(chance, month, host)
    else:
        yield url, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + file(chance, month, host)


def record(kind, url, date, block):
    block = block.encode()
    head = f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n"
    head += f"Content-Type: application/http; msgtype={kind}\r\nContent-Length: {len(block)}\r\n\r\n"
    return gzip.compress(head.encode() + block + b"\r\n\r\n", 6, mtime=0)


def main(responses, path, seed=1):
    # One in 33 responses is the target of a redirect.
    hosts, written = max(1, responses * 100 // 1238), 0
    with open(path, "wb") as archive:
        for month in range(1, 13):
            for host in range(hosts):
                # A host changes its file about twice a year.
                chance = random.Random(f"{seed} {host} {month - (host + month) % 6}")
                for url, message in answers(chance, month - (host + month) % 6, host):
                    if written < responses:
                        date = f"2024-{month:02}-{1 + host % 28:02}T{host % 24:02}:00:00Z"
                        archive.write(record("request", url, date, "GET /robots.txt HTTP/1.1\r\n\r\n"))
                        archive.write(record("response", url, date, message))
                        written += 1


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:3], *map(int, sys.argv[3:4]))
