"""Crawls from a URL with RespectScraper: respectscraper_config.py FOLDER AGENT SEED.

RespectScraper takes its settings from a file, which this program writes.
"""

import json
import os
import sys

folder, agent, seed = sys.argv[1:]
config = os.path.join(folder, "config.json")
with open(config, "w") as file:
    settings = {"user_agent": f"{agent}/1.0", "timeout": 3, "max_retries": 1, "delay_seconds": 0, "same_site_only": False}
    json.dump(settings, file)
program = os.path.join(os.path.dirname(sys.executable), "respectscraper")
words = ["scrape", "--yes", "--quiet", "--config", config, "--depth", "5", "--max-pages", "100000", seed]
os.execv(program, [program, *words])
