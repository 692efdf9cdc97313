"""Crawls from each start URL of a list with trafilatura: trafilatura_crawl.py SEEDS.

trafilatura stays on the host of a start URL.
"""

import sys
from copy import deepcopy

from trafilatura.settings import DEFAULT_CONFIG
from trafilatura.spider import focused_crawler

config = deepcopy(DEFAULT_CONFIG)
config["DEFAULT"]["DOWNLOAD_TIMEOUT"] = "3"
config["DEFAULT"]["SLEEP_TIME"] = "0"
# The test server has a private address, and trafilatura's protection permits no connection to private addresses.
config["DEFAULT"]["SSRF_PROTECTION"] = "off"
with open(sys.argv[1]) as file:
    for url in file.read().split():
        if url.startswith("http"):
            focused_crawler(url, max_seen_urls=10000, config=config)
