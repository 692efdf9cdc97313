"""The installed package: its command, its data, and a parser and a retriever in Python as subjects."""

import base64
import json
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
import robots_conformance
from robots_conformance import DRAFTS, EDITIONS, Known, command, vectors

VERSION = version("robots-conformance")


def run(*words, **options):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **options)


def test_the_command_and_the_module_are_the_same_version():
    for words in ([command()], [sys.executable, "-m", "robots_conformance"]):
        assert run(*words, "--version").stdout == f"robots-conformance {VERSION}\n"


def test_the_module_passes_the_exit_status_on():
    assert run(sys.executable, "-m", "robots_conformance", "show", "no-such-case").returncode == 2


def test_the_package_is_typed():
    assert Path(robots_conformance.__file__).with_name("py.typed").is_file()


@pytest.mark.parametrize("edition", EDITIONS + DRAFTS)
def test_vectors_are_those_of_the_file(edition):
    def read(*options):
        items = json.loads(run(command(), "vectors", *options).stdout)
        return [item for item in items if isinstance(item, dict)]

    verdicts = read("--edition", edition) if edition in EDITIONS else []
    others = [vector for vector in read("--other") if edition in vector["editions"]]
    found = vectors(edition)
    assert len(found) == len(verdicts + others) == len({vector.id for vector in found}) > 0
    assert {vector.edition for vector in found} == {edition}
    for vector in found:
        assert isinstance(vector.robots_txt, bytes) and vector.says and vector.about and vector.section
        assert (vector.ask in ("verdict", "usage")) == (vector.url is not None)
        assert (vector.ask == "preference") == (vector.preference is not None)


def test_long_files_and_octets_are_whole():
    by_id = {vector.id: vector for vector in vectors()}
    assert len(by_id["size-line-ends-at-the-limit"].robots_txt) == 512_021
    assert any(not is_utf8(vector.robots_txt) for vector in by_id.values())
    assert max(len(vector.robots_txt) for vector in by_id.values()) > 1_000_000


def is_utf8(octets):
    try:
        octets.decode()
    except UnicodeDecodeError:
        return False
    return True


def test_what_is_asked_wrongly_is_told():
    with pytest.raises(ValueError, match="unknown edition 'rfc1'; the editions are google-2018, "):
        vectors("rfc1")
    sitemaps = next(vector for vector in vectors("google-2022") if vector.ask == "sitemaps")
    with pytest.raises(ValueError, match="asks for sitemaps, not for a verdict"):
        print(sitemaps.allowed)


KNOWN = "path-fish-prefix::/fish"
VECTOR = next(vector for vector in vectors() if vector.id == KNOWN)


@pytest.mark.parametrize(
    ("line", "answer", "message"),
    [
        ("", "false", None),
        ("", "true", f"expected disallow, got allow\n  known.txt: {KNOWN} bug WHY"),
        ("", "1 / 0", f"got ZeroDivisionError: division by zero\n  known.txt: {KNOWN} error WHY"),
        (f"{KNOWN} bug It is so.", "true", None),
        (f"{KNOWN} error It is so.", "1 / 0", None),
        (f"{KNOWN} bug It is so.", "1 / 0", f"known.txt: {KNOWN} error WHY"),
        (f"{KNOWN} bug It is so.", "false", f"{KNOWN} passes; remove it from known.txt"),
    ],
)
def test_a_known_failure_is_exactly_true(tmp_path, line, answer, message):
    (tmp_path / "known.txt").write_text(f"# Known.\n\n{line}\ngone wontfix It is gone.\n")
    known = Known(tmp_path / "known.txt")
    failure = known.failure(VECTOR, lambda *question: eval(answer, {"true": True, "false": False}))
    assert (failure is None) == (message is None)
    assert failure is None or (message in failure.message and not failure.is_advice)
    assert known.gone([VECTOR]) == ["gone"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("x", "known.txt:1: x: '' is no tag; the tags are divergence, "),
        ("\nx bug ", "known.txt:2: x: the reason is missing after the tag"),
        ("x bug a\nx bug b", "known.txt:2: x: the list has this id twice"),
    ],
)
def test_a_wrong_line_of_known_failures_is_refused(tmp_path, lines, message):
    (tmp_path / "known.txt").write_text(lines)
    with pytest.raises(ValueError, match=re.escape(message)):
        Known(tmp_path / "known.txt")


SUBJECTS = {
    "right": ("lambda octets, agent, url: True", {"verdict": "allow"}),
    "with_a_line": ("lambda octets, agent, url: (False, 2)", {"verdict": "disallow", "line": 2}),
    "prints": ("lambda octets, agent, url: print('noise') is None", {"verdict": "allow"}),
    "raises": ("lambda octets, agent, url: 1 / 0 == 0", {"error": "ZeroDivisionError: division by zero"}),
    "no_verdict": ("lambda octets, agent, url: 'yes'", {"error": "TypeError: a verdict is True or False, not 'yes'"}),
}


@pytest.mark.parametrize("name", SUBJECTS)
def test_a_function_answers_the_protocol(name):
    function, expected = SUBJECTS[name]
    code = f"from robots_conformance import serve; serve({function}, name={name!r})"
    question = {"id": 1, "ask": "verdict", "robots_txt": "", "crawler": ["a"], "url": "https://example.com/"}
    asked = [{"ask": "hello", "protocol": 1}, question, {**question, "id": 2, "crawler": ["a", "b"]}, {"id": 3, "ask": "scope"}]
    done = run(sys.executable, "-c", code, input="".join(json.dumps(one) + "\n" for one in asked))
    hello, one, several, scope = map(json.loads, done.stdout.splitlines())
    assert hello["name"] == name and hello["answers"] == ["verdict"] and hello["editions"] == ["rfc9309"]
    assert one == {"id": 1, **expected}
    assert "unsupported" in several and "unsupported" in scope


RETRIEVER = """
from robots_conformance import serve

async def open_up(timeline):
    return start(timeline)

def start(timeline):
    starts = timeline.store["starts"] = timeline.store.get("starts", 0) + 1

    def may_fetch(url):
        reply = timeline.send(url, {"x": f"start {starts}, {timeline.token}, {timeline.now}"}, timeline.now + 0.5)
        print("noise")
        if "failure" in reply:
            return False, "unreachable"
        return (dict(reply["fields"])["etag"], reply["body"], reply["cut"], reply["delay"]) == ("v1", b"allow", False, 5)

    async def later(url):
        return may_fetch(url)

    return may_fetch if %s else later

serve(retriever=%s, clock=True)
"""


@pytest.mark.parametrize("start", ["start", "open_up"])
def test_a_retriever_answers_the_protocol(start):
    urls = ["https://example.com/1", "https://example.com/2"]
    question = {"id": 1, "ask": "timeline", "edition": "rfc9309", "crawler": ["a"]}
    steps = [{"at": 0, "urls": urls}, {"at": 90, "urls": urls[:1]}, {"at": 60, "urls": urls[:1], "restart": True}]
    body = base64.b64encode(b"allow").decode()
    allows = {"id": 1, "reply": {"status": 200, "fields": [["etag", "v1"]], "body": body, "delay": 5}}
    fails = {"id": 1, "reply": {"failure": "reset"}}
    asked = [
        {"ask": "hello", "protocol": 1},
        {**question, "steps": steps},
        *[allows, fails, allows, fails],
        {**question, "id": 2, "crawler": ["a", "b"], "steps": steps},
        {**question, "id": 3, "steps": [{"at": 0, "urls": urls, "ask": "usage"}]},
        {**question, "id": 4, "steps": steps},
    ]
    lines = "".join(json.dumps(one) + "\n" for one in asked)
    done = run(sys.executable, "-c", RETRIEVER % (start == "start", start), input=lines)
    hello, *requests, answer, several, usage, last, end = map(json.loads, done.stdout.splitlines())
    assert hello == {
        **{"protocol": 1, "name": start, "language": "python", "editions": ["rfc9309"]},
        **{"answers": ["timeline"], "roles": ["retriever"], "clock": True},
    }
    begin = 1893456000
    assert [one["request"] for one in requests] == [
        {"step": 0, "at": 0, "url": urls[0], "fields": {"x": f"start 1, a, {begin}"}},
        # The clock moved by half a second before the first request, and by five seconds until its reply.
        {"step": 0, "at": 6, "url": urls[1], "fields": {"x": f"start 1, a, {begin + 5.5}"}},
        {"step": 1, "at": 90, "url": urls[0], "fields": {"x": f"start 1, a, {begin + 90}"}},
        {"step": 2, "at": 60, "url": urls[0], "fields": {"x": f"start 2, a, {begin + 60}"}},
    ]
    allow, disallow = {"verdict": "allow"}, {"verdict": "disallow", "because": "unreachable"}
    assert answer == {"id": 1, "timeline": [[allow, disallow], [allow], [disallow]]}
    assert several["unsupported"] == "a crawler has one product token here, not a list"
    assert "which uses are allowed" in usage["unsupported"]
    assert last["request"]["fields"]["x"].startswith("start 1,"), "another timeline has another store"
    assert end == {"id": 4, "error": "EOFError: standard input ended before the reply"}


BACKGROUND = """
import asyncio
from robots_conformance import serve

async def wait(timeline):
    await asyncio.sleep(0)
    timeline.send("https://example.com/x")

def start(timeline):
    async def may_fetch(url):
        if url.endswith("late"):
            timelines.append(asyncio.create_task(wait(timeline)))
        return True

    return may_fetch

timelines = []
serve(retriever=start)
assert timelines[0].cancelled()
"""


def test_a_task_ends_with_its_timeline():
    question = {"ask": "timeline", "edition": "rfc9309", "crawler": ["a"]}
    asked = [{**question, "id": id, "steps": [{"at": 0, "urls": [url]}]} for id, url in enumerate(["late", "x"])]
    done = run(sys.executable, "-c", BACKGROUND, input="".join(json.dumps(one) + "\n" for one in asked))
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"id": id, "timeline": [[{"verdict": "allow"}]]} for id in (0, 1)
    ]
    assert (done.returncode, done.stderr) == (0, "")


def test_a_subject_may_be_a_parser_and_a_retriever():
    code = "from robots_conformance import serve; serve(lambda *_: True, retriever=lambda _: lambda url: True)"
    hello = json.loads(run(sys.executable, "-c", code, input='{"ask":"hello"}\n').stdout)
    assert hello["roles"] == ["parser", "retriever"] and hello["answers"] == ["verdict", "timeline"]
    assert hello["clock"] is False
    none = run(sys.executable, "-c", "from robots_conformance import serve; serve()")
    assert "TypeError: serve() has no function; pass `verdict` or `retriever`" in none.stderr


def test_a_retriever_is_checked():
    here = Path(__file__).parent
    words = [command(), "run", "--subject", f"{sys.executable} retriever_subject.py", "--report", "json"]
    done = run(*words, cwd=here)
    report = json.loads(done.stdout)
    failed = [one["case"] for one in report["trials"] if one["outcome"] == "failed"]
    # A retriever with the flat file fails the same timelines.
    lines = (here / "known-timelines.txt").read_text().splitlines()
    assert sorted(failed) == sorted(line.split()[0] for line in lines if line[0] != "#"), done.stderr
    assert report["totals"]["passed"] > 150 and report["totals"]["errored"] == report["totals"]["unanswered"] == 0


def test_a_foreign_parser_is_checked(tmp_path):
    words = [command(), "run", "--subject", f"{sys.executable} subject.py", "--edition", "rfc9309", "--report", "json"]
    here = Path(__file__).parent
    found = run(*words, "--write-deviations", str(tmp_path / "known.yaml"), cwd=here)
    report = json.loads(found.stdout)
    assert (found.returncode, report["subject"]) == (1, "Protego"), found.stderr
    assert report["totals"]["passed"] > 900 and 0 < report["totals"]["failed"] < 100
    # A deviations file is accepted when each entry has a reason.
    listed = (tmp_path / "known.yaml").read_text()
    reasoned = re.sub(r'why: (""|\'\'|~|null)?$', "why: Seen.", listed, flags=re.MULTILINE)
    assert reasoned.count("why: Seen.") > 0, listed
    (tmp_path / "known.yaml").write_text(reasoned)
    known = run(*words, "--deviations", str(tmp_path / "known.yaml"), cwd=here)
    assert known.returncode == 0, known.stderr
    assert json.loads(known.stdout)["totals"]["deviation"] == report["totals"]["failed"]
