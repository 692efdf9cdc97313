#!/usr/bin/env python3
"""Measures `robots audit` beside GoAccess on the same generated log, one after the other, on one core.

usage: bench/audit.py PATH-TO-ROBOTS [LINES]

The log is in a temporary folder: combined lines of visitors and crawlers, of which a tenth is requests of crawlers. A
seed makes it the same in each run. The output has the user CPU time, the time on the clock and the memory of each.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

ROBOTS = "User-agent: *\nDisallow: /cart\nDisallow: /*?sort=\n\nUser-agent: bot7\nDisallow: /\n"
BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:{0}.0) Gecko/20100101 Firefox/{0}.0"
CRAWLER = "Mozilla/5.0 (compatible; bot{0}/1.{0}; +https://bot{0}.example/about)"


def generate(path, lines):
    """Writes a log of this many lines."""
    chance = random.Random(9309)
    agents = [BROWSER.format(number) for number in range(60, 141)]
    crawlers = [CRAWLER.format(number) for number in range(40)]
    paths = [f"/shop/{kind}/{number}" for kind in ("tea", "cups", "pots") for number in range(400)]
    paths += ["/", "/robots.txt", "/cart", "/shop/tea?sort=price", "/style.css", "/logo.svg"]
    # What comes before and after the time of a line.
    visits = []
    for _ in range(200_000):
        if chance.random() < 0.1:
            agent, address = chance.choice(crawlers), f"192.0.2.{chance.randrange(256)}"
        else:
            address = f"198.{chance.randrange(18, 20)}.{chance.randrange(256)}.{chance.randrange(256)}"
            agent = chance.choice(agents)
        request = f'"GET {chance.choice(paths)} HTTP/1.1" 200 {chance.randrange(90000)}'
        visits.append((f"{address} - - [", f'] {request} "https://shop.example/" "{agent}"\n'))
    clock, written = 1_790_000_000, 0
    with open(path, "w") as log:
        while written < lines:
            at = time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime(clock))
            second = chance.choices(visits, k=min(chance.randrange(1, 8), lines - written))
            log.write("".join(before + at + after for before, after in second))
            clock, written = clock + 1, written + len(second)


def measure(name, command):
    """Runs a command on the first core, and prints its times and its memory."""
    start = time.monotonic()
    on_one_core = lambda: os.sched_setaffinity(0, {0})
    with open(os.devnull, "w") as nothing:
        process = subprocess.Popen(command, stdout=nothing, preexec_fn=on_one_core)
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{name} failed")
    clock = time.monotonic() - start
    print(f"{name:13} {usage.ru_utime:7.2f} s user {clock:7.2f} s {usage.ru_maxrss / 1024:8.1f} MiB", flush=True)
    return usage.ru_utime


def main():
    robots, lines = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    if shutil.which("goaccess") is None:
        sys.exit("goaccess is absent; apt-get install goaccess")
    with tempfile.TemporaryDirectory() as folder:
        log, file = os.path.join(folder, "access.log"), os.path.join(folder, "robots.txt")
        with open(file, "w") as out:
            out.write(ROBOTS)
        generate(log, lines)
        print(f"{lines} lines, {os.path.getsize(log) / 1e6:.0f} MB")
        ours = measure("robots audit", [robots, "audit", log, "--robots", file])
        report = os.path.join(folder, "report.json")
        options = ["--no-global-config", "--no-progress", "--log-format=COMBINED", "-o", report]
        theirs = measure("goaccess", ["goaccess", log, *options])
        print(f"ratio of user times: {theirs / ours:.2f}")


main()
