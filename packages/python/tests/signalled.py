"""An extension of Scrapy that counts the signals `robots_parsed`."""

from scrapy import signals


class Extension:
    """Counts the signals, and those whose parser forbids a page."""

    def __init__(self, crawler):
        self._stats = crawler.stats
        if hasattr(signals, "robots_parsed"):  # Scrapy has it from 2.18 on.
            crawler.signals.connect(self._parsed, signals.robots_parsed)

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    def _parsed(self, robotparser, request):
        self._stats.inc_value("signalled/count")
        if not robotparser.allowed("https://example.com/private/x", "examplebot"):
            self._stats.inc_value("signalled/forbids")
