"""The middleware for Scrapy, in crawls of FTP sites on this machine."""

import socket
import threading
import time

import pytest
from sites import reset
from test_scrapy import run

RULES = b"user-agent: *\ndisallow: /private\n"


class Ftp:
    """An FTP site. It calls `give` with the data connection for robots.txt and a function that sends a reply."""

    def __init__(self, give):
        self._give = give
        self.files = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.origin = f"ftp://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _serve(self):
        while True:
            try:
                control, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(control,), daemon=True).start()

    def _talk(self, control):
        def reply(text):
            control.sendall(text.encode() + b"\r\n")

        with control, socket.create_server(("127.0.0.1", 0)) as passive:
            high, low = divmod(passive.getsockname()[1], 256)
            replies = {"USER": "331 x", "PASS": "230 x", "PASV": f"227 x (127,0,0,1,{high},{low})"}
            reply("220 x")
            for line in control.makefile("r"):
                verb, _, path = line.strip().partition(" ")
                if verb != "RETR":
                    reply(replies.get(verb, "200 x"))
                    continue
                self.files.append(path)
                with passive.accept()[0] as data:
                    try:
                        (self._give if path == "/robots.txt" else page)(data, reply)
                    except ConnectionAbortedError:
                        return


def page(data, reply):
    reply("150 x")
    data.sendall(b"page")
    data.close()
    reply("226 x")


def crawl(give, *paths):
    """Crawls paths of an FTP site. Returns the files for which the site was asked."""
    with Ftp(give) as site:
        run(site, paths, {"FTP_USER": "anonymous", "LOG_LEVEL": "ERROR"})
    return site.files


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("550 File not found", True),
        ("550 robots.txt: can't find \"it\"", True),
        ("550-The system cannot find the file specified.\r\n Win32 error: 2\r\n550 End", True),
        ("550 ", True),
        ("550 robots.txt: Device or resource busy", False),
        ("550 Internal server error", False),
        ("550 Permission denied: server load too high", False),
        ("550-No such file\r\n Try again\r\n550 End", False),
        ("550 Datei nicht da", False),
        ("530 Not logged in", False),
        ("450 Later", False),
    ],
)
def test_only_a_refusal_about_absence_or_permission_means_that_there_is_no_file(text, allowed):
    def refuse(data, reply):
        data.close()
        reply(text)

    assert crawl(refuse, "/x.txt") == ["/robots.txt", "/x.txt"][: 1 + allowed]


def give(octets, end, ending=None):
    """Returns a function that sends a file, and then a reply. Without a reply, the control connection ends."""

    def send(data, reply):
        reply("150 x")
        data.sendall(octets)
        if ending is not None:
            time.sleep(0.2)  # The client reads the octets before the reset, which would discard them.
            ending(data)
        data.close()
        if end is None:
            raise ConnectionAbortedError
        reply(end)

    return send


def test_the_rules_of_a_file_decide():
    assert crawl(give(RULES, "226 x"), "/private/x.txt", "/x.txt") == ["/robots.txt", "/x.txt"]


@pytest.mark.parametrize("end", ["426 aborted", "550 disk gone", None])
def test_a_file_without_a_reply_at_its_end_is_cut(end):
    assert crawl(give(b"user-agent: *\n", end), "/x.txt") == ["/robots.txt"]


def test_a_reset_of_the_data_is_not_noticed_if_the_server_says_that_it_sent_the_file():
    """This is a limit of Twisted. docs/python.md names it."""
    assert crawl(give(b"user-agent: *\n", "226 x", reset), "/x.txt") == ["/robots.txt", "/x.txt"]
