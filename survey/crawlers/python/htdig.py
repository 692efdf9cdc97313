"""Crawls from a URL with ht://Dig, which takes its settings from a file: htdig.py FOLDER AGENT SEED."""

import os
import sys

folder, agent, seed = sys.argv[1:]
config = os.path.join(folder, "htdig.conf")
with open(config, "w") as file:
    file.write(
        f"database_dir: {folder}\nstart_url: {seed}\nlimit_urls_to: http\nuser_agent: {agent}\n"
        f"robotstxt_name: {agent}\ntimeout: 3\ntcp_max_retries: 1\nserver_wait_time: 0\n"
        f"max_hop_count: 5\nserver_max_docs: -1\nallow_double_slash: true\nbad_extensions:\n"
    )
os.execvp("htdig", ["htdig", "-i", "-c", config])
