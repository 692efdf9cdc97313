"""`robots_verdicts.arrow`: the answers equal those of `parse` row by row, in every encoding and in every engine, and those
of the command `robots verdicts`."""

import json
import os
import random
import subprocess
import sys

import duckdb
import polars
import pyarrow as pa
import pytest

import robots_verdicts
from robots_verdicts import arrow

ROBOTS = b"user-agent: *\ndisallow: /private\nsitemap: https://a.example/s\n\nuser-agent: b\nallow: /\n"


def questions(seed=9309):
    """Makes 60 files, 3 agents and 20 URLs: each file with each agent and each URL."""
    draw = random.Random(seed)
    words = ["a", "b", "A", "%41", "private", "*", "$", "", "\xe9", "x.pdf"]
    path = lambda: "/" + "/".join(draw.choices(words, k=draw.randrange(4)))
    agents = ["examplebot", "b", "*"]
    files = []
    for _ in range(60):
        lines = []
        for agent in draw.sample(agents, draw.randrange(4)):
            lines.append(f"User-agent: {agent}")
            lines += [f"{draw.choice(['Allow', 'Disallow'])}: {path()}" for _ in range(draw.randrange(12))]
        files.append("\n".join(lines).encode(draw.choice(["utf-8", "latin-1"])))
    urls = [f"https://example.com{path()}" for _ in range(20)]
    rows = [(file, agent, url) for file in files for agent in agents for url in urls]
    draw.shuffle(rows)
    return rows


ROWS = questions()
FILES, AGENTS, URLS = (list(column) for column in zip(*ROWS))


def row_by_row():
    verdicts = (robots_verdicts.parse(file).verdict(agent, url) for file, agent, url in ROWS)
    return [
        {
            "allowed": verdict.allowed,
            "line": verdict.line,
            "rule": verdict.rule and ": ".join(verdict.rule),
            "reason": verdict.reason,
            "user_agent_line": verdict.user_agent_line,
        }
        for verdict in verdicts
    ]


EXPECTED = row_by_row()
ALLOWED = [expected["allowed"] for expected in EXPECTED]


def runs(values):
    return pa.RunEndEncodedArray.from_arrays(pa.array(range(1, len(values) + 1), pa.int32()), values)


def chunks(values):
    return pa.chunked_array([values[:0], values[:1000], values[1000:1001], values[1001:]])


ENCODINGS = {
    "plain": lambda values: values,
    "dictionary": lambda values: values.dictionary_encode(),
    "dictionary in chunks": lambda values: chunks(values.dictionary_encode()),
    "runs": runs,
    "runs of a dictionary": lambda values: runs(values.dictionary_encode()),
    "chunks": chunks,
    "slice": lambda values: pa.array([None] * 7 + values.to_pylist(), values.type)[7:],
}


@pytest.mark.parametrize("threads", [1, 2, None])
@pytest.mark.parametrize("encoded", ENCODINGS.values(), ids=ENCODINGS.keys())
@pytest.mark.parametrize("octets", [pa.binary(), pa.large_binary(), pa.binary_view()], ids=str)
@pytest.mark.parametrize("text", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_every_encoding(octets, text, encoded, threads):
    columns = [encoded(pa.array(FILES, octets)), encoded(pa.array(AGENTS, text)), pa.array(URLS, text)]
    answers = arrow.verdicts(*columns, detail=True, threads=threads)
    assert pa.array(answers).to_pylist() == EXPECTED
    assert pa.array(arrow.verdicts(*columns, threads=threads)).to_pylist() == ALLOWED


@pytest.mark.parametrize("encoded", ENCODINGS.values(), ids=ENCODINGS.keys())
def test_threads_find_the_same_nulls(encoded):
    files = encoded(pa.array([None if row % 7 == 0 else file for row, file in enumerate(sorted(FILES))]))
    answers = [pa.array(arrow.verdicts(files, "b", pa.array(URLS), threads=threads)) for threads in (1, 3)]
    assert answers[0] == answers[1]
    assert [answer is None for answer in answers[0].to_pylist()] == [row % 7 == 0 for row in range(len(FILES))]


def test_one_file_is_shared_by_threads():
    urls = pa.array([f"/{'private' if row % 3 else 'x'}/{row}" for row in range(20_000)])
    files = pa.DictionaryArray.from_arrays(pa.array([0] * len(urls), pa.int32()), pa.array([ROBOTS]))
    answers = pa.array(arrow.verdicts(files, "examplebot", urls, threads=3))
    assert answers.to_pylist() == [row % 3 == 0 for row in range(20_000)]


def test_engines_agree(tmp_path):
    """pyarrow, Polars, DuckDB and the command give the same answers."""
    asked = pa.table({"robots_txt": FILES, "agent": AGENTS, "url": URLS, "row": range(len(ROWS))})
    by_polars = polars.from_arrow(asked).select(
        polars.struct("robots_txt", "agent", "url").map_batches(
            lambda rows: polars.Series(arrow.verdicts(*(rows.struct.field(name) for name in ("robots_txt", "agent", "url")))),
            return_dtype=polars.Boolean,
        )
    )
    assert by_polars.to_series().to_list() == ALLOWED
    connection = duckdb.connect()
    connection.create_function(
        "robots_allows",
        lambda robots_txt, agent, url: pa.array(arrow.verdicts(robots_txt, agent, url)),
        ["BLOB", "VARCHAR", "VARCHAR"],
        "BOOLEAN",
        type="arrow",
    )
    by_duckdb = connection.sql("select robots_allows(robots_txt, agent, url) from asked order by row").fetchall()
    assert [allowed for (allowed,) in by_duckdb] == ALLOWED

    # The command takes a file as text or as base64, and a crawler without a token has no name there.
    named = [row for row in range(len(ROWS)) if AGENTS[row] != "*"]
    lines = (
        json.dumps({"file": f"{FILES.index(FILES[row])}.txt", "crawler": AGENTS[row], "url": URLS[row]}) for row in named
    )
    for number, file in enumerate(FILES):
        (tmp_path / f"{number}.txt").write_bytes(file)
    command = [os.environ.get("ROBOTS", "robots"), "verdicts", "--files", "."]
    run = subprocess.run(command, input="\n".join(lines), cwd=tmp_path, text=True, capture_output=True, check=True)
    answers = [json.loads(line)["verdicts"][0] for line in run.stdout.splitlines()]
    assert [answer["verdict"] == "allow" for answer in answers] == [ALLOWED[row] for row in named]
    assert [answer.get("line") for answer in answers] == [EXPECTED[row]["line"] for row in named]


MEMORY = """
import random, resource
import pyarrow as pa
from robots_verdicts import arrow

draw = random.Random(1)
files = ["user-agent: *\\n" + "".join(f"disallow: /{draw.random()}\\n" for _ in range(50)) for _ in range(1_000)]
files = pa.DictionaryArray.from_arrays([row % 1_000 for row in range(1_000_000)], files)
urls = pa.array([f"https://example.com/{row}" for row in range(1_000_000)])
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
before = peak()
answers = pa.array(arrow.verdicts(files, "examplebot", urls, detail=DETAIL))
assert len(answers) == 1_000_000
print(peak() - before)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the unit of ru_maxrss differs")
@pytest.mark.parametrize("detail", [False, True])
def test_a_million_rows_need_little_memory(detail):
    code = MEMORY.replace("DETAIL", str(detail))
    output = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert int(output) <= 200, f"{output} MiB"


def test_a_null_is_never_an_allow():
    files = pa.array([None, b"", b"", b"", b"", b""])
    agents = pa.array(["a", None, "a b", "a", "a", "a"])
    urls = pa.array(["/", "/", "/", None, "example.com", "/"])
    answers = pa.array(arrow.verdicts(files, agents, urls, detail=True)).to_pylist()
    assert [answer["allowed"] for answer in answers] == [None, None, None, None, None, True]
    assert [answer["reason"] for answer in answers] == [
        "no-robots-txt",
        "no-agent",
        "not-a-product-token",
        "no-url",
        "not-a-url",
        "no-group",
    ]
    assert pa.array(arrow.verdicts(files, agents, urls)).to_pylist() == [None] * 5 + [True]
    assert pa.array(arrow.verdicts(pa.nulls(2), "a", "/")).to_pylist() == [None, None]
    assert pa.array(arrow.usage(files, agents, urls)).to_pylist()[:5] == [None] * 5
    assert pa.array(arrow.sitemaps(files[:2])).to_pylist() == [None, []]
    assert pa.array(arrow.groups(files[:2])).to_pylist() == [None, []]
    assert pa.array(arrow.access(pa.array([None, 70_000]))).to_pylist() == [None, None]


@pytest.mark.parametrize("kind", [pa.list_, pa.large_list])
def test_lists_of_urls(kind):
    urls = pa.array([["/private", "/x"], ["/"], None, [], ["/", None]], kind(pa.string()))
    files = pa.array([ROBOTS, None, ROBOTS, ROBOTS, b""])
    answers = pa.array(arrow.verdicts(files, "examplebot", urls))
    assert answers.to_pylist() == [[False, True], [None], None, [], [True, None]]
    assert pa.array(arrow.verdicts(files[1:], "examplebot", urls[1:])).to_pylist() == answers.to_pylist()[1:]


def test_what_files_contain():
    files = pa.array([ROBOTS, ROBOTS]).dictionary_encode()
    assert pa.array(arrow.sitemaps(files)).to_pylist() == [["https://a.example/s"]] * 2
    assert pa.array(arrow.groups(files)).to_pylist()[1] == [
        {"user_agents": ["*"], "rules": [{"kind": "disallow", "path": "/private", "line": 2}]},
        {"user_agents": ["b"], "rules": [{"kind": "allow", "path": "/", "line": 6}]},
    ]


def test_preferences():
    files = pa.array([b"user-agent: *\ndisallow: /private\ncontent-usage: train-ai=n\n"])
    usage = [pa.array(arrow.usage(files, "a", url, header="search=y")).to_pylist()[0] for url in ("/", "/private")]
    assert usage == [{"train-ai": "disallowed", "search": "allowed"}, None]


def test_access():
    statuses = pa.array([200, 204, 301, 404, 429, 503], pa.uint16())
    assert pa.array(arrow.access(statuses)).to_pylist() == [
        "conditional-allow",
        "conditional-allow",
        "follow-redirect",
        "full-allow",
        "full-disallow",
        "full-disallow",
    ]
    assert pa.array(arrow.access(statuses[2:3], redirects=5, edition="rfc9309")).to_pylist() == ["full-allow"]


FILE = pa.array([ROBOTS])


@pytest.mark.parametrize(
    ("ask", "error", "message"),
    [
        (lambda: arrow.verdicts(pa.array([1]), "a", "/"), TypeError, "robots_txt must be a column of strings or binary"),
        (lambda: arrow.verdicts([ROBOTS], "a", "/"), TypeError, "robots_txt must be an Arrow array or chunked array, not list"),
        (lambda: arrow.verdicts(FILE, "a", pa.array([b"/"])), TypeError, "url must be a column of strings, not of Binary"),
        (lambda: arrow.verdicts(FILE, pa.array([1.0]), "/"), TypeError, "agent must be a column of strings, not of Float64"),
        (lambda: arrow.verdicts(FILE, "a", 3), TypeError, "url must be an Arrow array or chunked array, not int"),
        (lambda: arrow.verdicts(FILE, "a", pa.array(["/", "/"])), ValueError, "url has 2 rows, but robots_txt has 1"),
        (lambda: arrow.verdicts(FILE, pa.array([], pa.string()), "/"), ValueError, "agent has 0 rows, but robots_txt has 1"),
        (lambda: arrow.verdicts(FILE, "a", "/", edition="x"), ValueError, "'x': unknown edition"),
        (lambda: arrow.verdicts(FILE, "a", "/", errors="x"), ValueError, "errors must be 'null' or 'raise'"),
        (lambda: arrow.verdicts(FILE, "a", "/", threads=0), ValueError, "threads must be at least 1"),
        (lambda: arrow.verdicts(FILE, "a", pa.array(["x"]), errors="raise"), ValueError, "url, row 0: 'x' is not a URL"),
        (lambda: arrow.verdicts(FILE, pa.array(["a b"]), "/", errors="raise"), ValueError, "agent, row 0: not a product"),
        (lambda: arrow.verdicts(FILE, "a b", "/"), ValueError, "'a b' is not a product token"),
        (lambda: arrow.access(pa.array(["200"])), TypeError, "status must be a column of integers, not of Utf8"),
    ],
)
def test_errors_name_the_column(ask, error, message):
    with pytest.raises(error, match=message):
        ask()


def test_a_forked_process_asks():
    """Engines fork their Python workers, also after a call."""
    asked = lambda: pa.array(arrow.verdicts(pa.array(FILES), pa.array(AGENTS), pa.array(URLS))).to_pylist() == ALLOWED
    assert asked()
    child = os.fork()
    if child == 0:
        os._exit(0 if asked() else 1)
    assert os.waitpid(child, 0)[1] == 0
