"""Crawls from each URL of a file with ht://Dig, which takes its settings from a file: htdig.py FOLDER AGENT SEEDS."""

import os
import sys
import urllib.parse

folder, agent, seeds = sys.argv[1:]
config = os.path.join(folder, "htdig.conf")
with open(seeds) as file:
    urls = file.read().split()
# By default, ht://Dig fetches only URLs that begin with a start URL. The start URL of a site is usually its root.
sites = [urllib.parse.urljoin(url, "/") for url in urls]
with open(config, "w") as file:
    file.write(
        f"database_dir: {folder}\nstart_url: {' '.join(urls)}\nlimit_urls_to: {' '.join(sites)}\n"
        f"user_agent: {agent}\nrobotstxt_name: {agent}\ntimeout: 3\n"
    )
os.execvp("htdig", ["htdig", "-i", "-c", config])
