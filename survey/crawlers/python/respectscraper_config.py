"""Crawls from each URL of a file with RespectScraper: respectscraper_config.py FOLDER AGENT SEEDS.

RespectScraper crawls from one URL in each run, and takes its settings from a file, which this program writes.
"""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

folder, agent, seeds = sys.argv[1:]
config = os.path.join(folder, "config.json")
with open(config, "w") as file:
    json.dump({"user_agent": f"{agent}/1.0", "timeout": 3, "max_retries": 1, "delay_seconds": 0}, file)
program = os.path.join(os.path.dirname(sys.executable), "respectscraper")
words = [program, "scrape", "--yes", "--quiet", "--config", config, "--depth", "5"]


def crawl(url):
    subprocess.run([*words, url], stdout=subprocess.DEVNULL)


with open(seeds) as file, ThreadPoolExecutor(4) as pool:
    list(pool.map(crawl, file.read().split()))
