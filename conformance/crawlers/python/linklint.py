"""Checks the links of a site by Linklint, those to other sites too: linklint.py FOLDER AGENT SEED."""

import os
import sys
import urllib.parse

folder, agent, seed = sys.argv[1:]
url = urllib.parse.urlsplit(seed)
port = ["-port", str(url.port)] if url.port else []
os.execvp("linklint", ["linklint", "-doc", os.path.join(folder, "doc"), "-net", "-http", "-host", url.hostname, *port, "-timeout", "3", "/@"])
