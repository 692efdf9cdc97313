"""Crawls each host of a list of start URLs with Linklint: linklint.py SEEDS FOLDER.

Linklint checks one host in each run, so this program runs it once for each host, with the start URLs of that host.
"""

import subprocess
import sys
import urllib.parse

seeds, folder = sys.argv[1:]
hosts = {}
with open(seeds) as file:
    for url in file.read().split():
        at = urllib.parse.urlsplit(url)
        if at.scheme == "http":
            hosts.setdefault(at.netloc, []).append(urllib.parse.urlunsplit(("", "", *at[2:])))
for number, (host, paths) in enumerate(hosts.items()):
    words = ["linklint", "-http", "-host", host, "-quiet", "-silent", "-timeout", "3", "-limit", "10000"]
    subprocess.run([*words, "-cache", folder, *paths, "/@"], stdout=subprocess.DEVNULL)
