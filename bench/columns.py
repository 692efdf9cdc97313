"""Measures verdicts over columns, and archives, side by side in one run, and prints tables of rates.

    bench/columns.sh                makes an environment and release builds, and runs this script in it
    columns.py ROBOTS [PART [COUNT]]

ROBOTS is the command `robots`. PART is `memory`, `verdicts` or `archives`; otherwise all are measured, memory first. The
files come from the folder ROBOTS_CORPUS, or are generated. Every subject gets the same rows, or the first of them if it is
slow. The subjects take turns in several rounds, and a rate is the median of the rounds.
"""

import itertools
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa

import robots_verdicts
from robots_verdicts import arrow, warc

sys.path.append(str(Path(__file__).resolve().parent.parent / "docs"))
import archive

ROUNDS = 5
AGENT = "examplebot"
# The rows of a batch, about as many as the engines give to a function.
BATCH = 8_192


def texts():
    """The files: of ROBOTS_CORPUS, or generated."""
    folder = os.environ.get("ROBOTS_CORPUS")
    if folder is None:
        return [archive.file(random.Random(host), host % 12, host) for host in range(1_000)]
    files = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    return [path.read_bytes().decode("utf-8", "replace")[:500_000] for path in files]


def rows(count):
    """Twenty URLs for each file, in the order of the files, as a crawler's frontier has them."""
    draw, files = random.Random(46), texts()
    words = ["admin", "search", "a", "index.html", "x.pdf", "private", "cart", "?q=1"]
    for number in range(count):
        path = "/".join(draw.choices(words, k=draw.randint(1, 4)))
        yield files[number // 20 % len(files)], f"https://example.com/{path}"


class Subject:
    """What is measured: `run` handles the first rows and returns how many, and how many octets of files."""

    def __init__(self, name, run, most=None):
        self.name, self.run, self.most, self.rates = name, run, most, []


def measure(subjects, count):
    # The subject after Spark finds the caches of the processor empty, so each round has another order.
    order = random.Random(ROUNDS)
    for _ in range(ROUNDS):
        for subject in order.sample(subjects, len(subjects)):
            start = time.perf_counter()
            done = min(count, subject.most or count)
            subject.run(done)
            subject.rates.append(done / (time.perf_counter() - start))


def report(title, subjects, unit, octets):
    base = statistics.median(subjects[0].rates)
    print(f"\n| {title} | {unit}/s | MB/s | × |\n|---|--:|--:|--:|")
    for subject in subjects:
        rate = statistics.median(subject.rates)
        print(f"| {subject.name} | {rate:,.0f} | {rate * octets / 1e6:,.1f} | {rate / base:.3f} |")


def memory(_robots, count, _folder):
    """The peak memory of this process, so no library of the other parts is imported before."""
    asked = rows(count)
    while batch := list(itertools.islice(asked, BATCH)):
        files, urls = zip(*batch)
        arrow.verdicts(pa.array(files), AGENT, pa.array(urls))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"peak memory of {count:,} rows, {BATCH:,} at a time: {peak} MiB")


def verdicts(robots, count, folder):
    import pandas
    import protego
    from robotstxt import RobotsMatcher

    asked = list(rows(count))
    octets = statistics.mean(len(text) for text, _ in asked)
    files, urls = pa.array([text for text, _ in asked]), pa.array([url for _, url in asked])
    frame = pandas.DataFrame(asked, columns=["robots_txt", "url"])
    lines = [json.dumps({"robots_txt": text, "crawler": AGENT, "url": url}) + "\n" for text, url in asked]
    questions = folder / "questions.jsonl"
    questions.write_text("".join(lines))
    dictionary = files.dictionary_encode()

    def function(column, **options):
        return lambda done: arrow.verdicts(column[:done], AGENT, urls[:done], **options)

    def row_by_row(done):
        return [robots_verdicts.parse(text).allows(AGENT, url) for text, url in asked[:done]]

    def apply(done):
        answer = lambda row: protego.Protego.parse(row.robots_txt).can_fetch(row.url, AGENT)
        return frame[:done].apply(answer, axis=1)

    def google(done):
        matcher = RobotsMatcher()
        return [matcher.is_allowed(text, AGENT, url) for text, url in asked[:done]]

    def command(done):
        environment = {**os.environ, "RAYON_NUM_THREADS": "1"}
        with questions.open() as source:
            subprocess.run(
                [robots, "--quiet", "verdicts"], stdin=source, stdout=subprocess.DEVNULL, env=environment, check=True
            )

    subjects = [
        Subject("function, 1 thread", function(files, threads=1)),
        Subject("function, 1 thread, detail", function(files, threads=1, detail=True)),
        Subject("function, 2 threads", function(files, threads=2)),
        Subject("function, 1 thread, dictionary", function(dictionary, threads=1)),
        Subject("our calls, row by row", row_by_row, 20_000),
        Subject("Protego, pandas apply", apply, 2_000),
        Subject("Google's parser (fast-robotstxt), row by row", google, 20_000),
        Subject("robots verdicts, JSON lines, 1 thread", command),
        *spark(robots, asked, folder),
    ]
    measure(subjects, count)
    report("verdicts", subjects, "rows", octets)


def spark(robots, asked, folder):
    """Spark with the function, and with `pipe`, on one core. Nothing if pyspark is not installed."""
    try:
        from pyspark.sql import SparkSession
        from pyspark.sql.functions import arrow_udf, lit
        from pyspark.sql.types import BooleanType
    except ImportError:
        print("not measured: Spark, because pyspark is not installed", file=sys.stderr)
        return []
    from pyarrow import parquet

    table = pa.table({"robots_txt": [text for text, _ in asked], "url": [url for _, url in asked]})
    parquet.write_table(table, folder / "asked.parquet")
    session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()

    @arrow_udf(BooleanType())
    def allowed(robots_txt: pa.Array, agent: pa.Array, url: pa.Array) -> pa.Array:
        return pa.array(arrow.verdicts(robots_txt, agent, url, threads=1))

    def read():
        return session.read.parquet(str(folder / "asked.parquet")).coalesce(1)

    def function(_):
        read().select(allowed("robots_txt", lit(AGENT), "url").alias("allowed")).filter("allowed").count()

    def pipe(_):
        line = lambda row: json.dumps({"robots_txt": row.robots_txt, "crawler": AGENT, "url": row.url})
        answers = read().rdd.map(line).pipe(f"env RAYON_NUM_THREADS=1 {robots} --quiet verdicts")
        answers.filter(lambda answer: json.loads(answer)["verdicts"][0]["verdict"] == "allow").count()

    return [Subject("Spark, the function, 1 core", function), Subject("Spark, pipe, 1 core", pipe)]


def archives(robots, count, folder):
    from fastwarc.warc import ArchiveIterator

    path = folder / "crawl.warc.gz"
    archive.main(count, path)
    octets = path.stat().st_size / count

    def iterate(_):
        with path.open("rb") as source:
            for _ in ArchiveIterator(source, parse_http=False):
                pass

    def command(_):
        command = [robots, "--quiet", "verdicts", "--warc", path, "--agent", "GPTBot", "--format", "arrow"]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)

    def responses(_):
        for _ in pa.RecordBatchReader.from_stream(warc.responses(path)):
            pass

    subjects = [
        Subject("fastwarc, records only", iterate),
        Subject("robots verdicts --warc --format arrow", command),
        Subject("robots_verdicts.warc", responses),
    ]
    measure(subjects, count)
    report("archives (compressed octets)", subjects, "responses", octets)


PARTS = {memory: 1_000_000, verdicts: 200_000, archives: 100_000}


def main(robots, only=None, count=None):
    for part, default in PARTS.items():
        if only in (None, part.__name__):
            with tempfile.TemporaryDirectory() as folder:
                part(robots, int(count or default), Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
