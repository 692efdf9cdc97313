"""`robots_verdicts.warc`: the responses of an archive as columns, in each library, and docs/bulk.md about archives."""

import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import polars
import pyarrow as pa
import pytest

from robots_verdicts import arrow, warc

DOCS = next(
    folder for folder in (Path(__file__).parent, Path(__file__).parents[3] / "docs") if (folder / "bulk.md").exists()
)
ROBOTS = b"user-agent: *\ndisallow: /private\n"


def record(host, http, kind="response"):
    head = f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: https://{host}/robots.txt\r\n"
    head += f"WARC-Date: 2024-05-01T12:00:00Z\r\nContent-Type: application/http\r\nContent-Length: {len(http)}\r\n\r\n"
    return head.encode() + http + b"\r\n\r\n"


def archive(folder):
    coded = gzip.compress(ROBOTS)
    records = [
        record("a.example", b"HTTP/1.1 200 OK\r\nX: \xff\r\n\r\n" + ROBOTS),
        record("b.example", b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + coded),
        record("c.example", b"HTTP/1.1 404 Not Found\r\n\r\n"),
        record("d.example", b"HTTP/1.1 503 Busy\r\n\r\n" + ROBOTS),
        record("e.example", b"HTTP/1.1 301 Moved\r\nLocation: https://a.example/robots.txt\r\n\r\n"),
        record("f.example", b"HTTP/1.1 301 Moved\r\nLocation: https://z.example/robots.txt\r\n\r\n"),
    ]
    members = [gzip.compress(record) for record in records]
    members[2] = members[2][:60] + b"damaged" + members[2][67:]
    path = folder / "a.warc.gz"
    path.write_bytes(b"".join(members))
    return path


def test_responses(tmp_path):
    table = pa.RecordBatchReader.from_stream(warc.responses(archive(tmp_path))).read_all()
    rows = {row["url"][8:9]: row for row in table.to_pylist() if row["error"] is None}
    assert set(rows) == {"a", "b", "d", "e", "f"}
    assert rows["a"]["robots_txt"] == rows["b"]["robots_txt"] == rows["e"]["robots_txt"] == ROBOTS
    assert rows["a"]["fields"] == [{"name": "X", "value": "\N{REPLACEMENT CHARACTER}"}]
    assert rows["a"]["date"].isoformat() == "2024-05-01T12:00:00+00:00"
    assert (rows["d"]["status"], rows["d"]["access"], rows["d"]["robots_txt"]) == (503, "full-disallow", None)
    assert (rows["e"]["status"], rows["e"]["access"]) == (301, "conditional-allow")
    assert (rows["f"]["access"], rows["f"]["robots_txt"]) == (None, None)
    assert rows["f"]["reason"] == "it redirects to https://z.example/robots.txt, which the archive does not have"
    (damaged,) = [row for row in table.to_pylist() if row["error"]]
    assert damaged["access"] is None and damaged["robots_txt"] is None
    allowed = pa.array(arrow.verdicts(table["robots_txt"], "x", "/private/")).to_pylist()
    assert sorted(map(str, allowed)) == ["False", "False", "False", "None", "None", "None"]


def test_every_library_reads_them(tmp_path):
    path = archive(tmp_path)
    expected = pa.RecordBatchReader.from_stream(warc.responses(path)).read_all()
    assert polars.DataFrame(warc.responses(str(path)))["url"].to_list() == expected["url"].to_pylist()
    responses = pa.RecordBatchReader.from_stream(warc.responses(path))
    urls = duckdb.sql("select url from responses").fetchall()
    assert [url for (url,) in urls] == expected["url"].to_pylist()


def test_wrong_use(tmp_path):
    with pytest.raises(FileNotFoundError, match="missing.warc"):
        warc.responses(tmp_path / "missing.warc")
    with pytest.raises(IsADirectoryError):
        warc.responses(tmp_path)
    with pytest.raises(ValueError, match="rfc0"):
        warc.responses(archive(tmp_path), edition="rfc0")
    responses = warc.responses(archive(tmp_path))
    pa.RecordBatchReader.from_stream(responses).read_all()
    with pytest.raises(ValueError, match="have been read"):
        pa.RecordBatchReader.from_stream(responses)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the file with a page that cannot be read is Linux's")
def test_a_source_that_fails_ends_the_responses():
    batches = pa.RecordBatchReader.from_stream(warc.responses("/proc/self/mem"))
    with pytest.raises(OSError, match="at octet 0"):
        batches.read_next_batch()
    with pytest.raises(StopIteration):
        batches.read_next_batch()


def test_the_page(tmp_path, monkeypatch, capsys):
    """The examples of docs/bulk.md run as they stand, and the tables of the page are their results."""
    page = (DOCS / "bulk.md").read_text()
    monkeypatch.chdir(tmp_path)
    subprocess.run([sys.executable, DOCS / "archive.py", "10000", "crawl.warc.gz"], check=True)
    snippets = re.findall(r"^```python\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL)
    exec("".join(snippets), {})
    output = capsys.readouterr().out
    first, answered = re.findall(r"^```text\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL)
    by_engine = "[('https://example.com/private/x', False), ('https://example.com/', None)]\n[False, None]\n[False, <NA>]\n"
    assert output == first + by_engine + answered

    robots = os.environ.get("ROBOTS")
    if robots is None:
        pytest.skip("ROBOTS names no command")
    command, row = re.search(r"^\$ robots (verdicts --warc .*) > rows.jsonl\n\$ head -n 1 rows.jsonl\n(.*)$", page, re.M).groups()
    with open("rows.jsonl", "wb") as rows:
        subprocess.run([robots, *command.split()], check=True, stdout=rows)
    assert Path("rows.jsonl").read_text().splitlines()[0] == row
    months = duckdb.sql((DOCS / "history.sql").read_text()).fetchall()
    table = re.findall(r"^\| (2024-.*) \|$", page, re.M)
    assert [" | ".join(map(str, month)) for month in months] == table
    with open("rows.arrow", "wb") as rows:
        subprocess.run([robots, *command.split(), "--format", "arrow"], check=True, stdout=rows)
    rows = pa.ipc.open_stream("rows.arrow").read_all().to_pylist()
    for row, line in zip(rows, map(json.loads, open("rows.jsonl")), strict=True):
        line.setdefault("verdicts", [])
        line["date"] = line["date"].replace("Z", "+00:00")
        row["date"] = row["date"].isoformat()
        assert {key: value for key, value in row.items() if value is not None} == line


@pytest.mark.parametrize("engine", ["dask", "ray"])
def test_the_recipes(engine):
    """The recipes for engines that are not always installed."""
    pytest.importorskip(engine)
    page = (DOCS / "bulk.md").read_text()
    snippets = re.findall(r"^```python\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL)
    (recipe,) = [code for code in re.findall(r"^```py\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL) if f"import {engine}" in code]
    code = "".join(snippets[:-1]) + recipe
    output = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert output.splitlines()[-1] in ["[False, <NA>]", "[False, None]"]
