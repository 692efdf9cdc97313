"""Times the cache of fastrobots from PyPI.

Reads one JSON line {"files": {origin: text}, "urls": [...], "rounds": n} from standard input.
Prints the version and the nanoseconds of a verdict: the median of the rounds. An untimed round precedes each timed one.
"""

import importlib.metadata
import json
import statistics
import sys
import time

from fastrobots import Robots, RobotsCache

asked = json.loads(sys.stdin.readline())
cache = RobotsCache(capacity=len(asked["files"]), user_agent="examplebot")
for origin, text in asked["files"].items():
    cache.put(origin + "/", Robots.parse(text))
urls, times = asked["urls"], []
for _ in range(asked["rounds"]):
    for is_timed in (False, True):
        began = time.perf_counter_ns()
        for url in urls:
            cache.allowed(url, fetch_if_missing=False)
        if is_timed:
            times.append((time.perf_counter_ns() - began) / len(urls))
print(importlib.metadata.version("fastrobots"), statistics.median(times))
