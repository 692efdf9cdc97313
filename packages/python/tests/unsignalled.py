"""A download handler that sends no signals, such as Scrapy's own for HTTP/2 and those of other packages."""

from scrapy.core.downloader.handlers._httpx import HttpxDownloadHandler
from scrapy.signalmanager import SignalManager


class Handler(HttpxDownloadHandler):
    def __init__(self, crawler):
        super().__init__(crawler)
        self.crawler = Quiet(crawler)


class Quiet:
    """A crawler whose signals nobody receives."""

    def __init__(self, crawler):
        self._crawler = crawler
        self.signals = SignalManager(self)

    def __getattr__(self, name):
        return getattr(self._crawler, name)
