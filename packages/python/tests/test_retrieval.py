"""The cache without I/O: what it asks for, what it keeps, and what it refuses."""

import gc
import logging
import threading
import time
from pathlib import Path

import pytest
import robots_verdicts
from robots_verdicts import (
    Cache,
    FileStore,
    MemoryStore,
    PublicOnly,
    Record,
    Refused,
    Request,
    Settings,
    Wait,
    report_failure,
)

FILE = b"user-agent: *\ndisallow: /private\n"
NOW = 1_900_000_000.0
URL = "https://example.com/private/x"


def retrieved(cache, url, *answers, now=None):
    """Drives a retrieval with answers: (status, fields, body), or the name of a failure. Returns the retrieval and its
    requests."""
    retrieval, requests, answers = cache.retrieval(url), [], list(answers)
    while (step := retrieval.step(now=now)) is not None:
        assert isinstance(step, Request)
        requests.append(step)
        given = answers.pop(0)
        if isinstance(given, str):
            retrieval.failed(given, now=now)
        else:
            retrieval.answered(*given, now=now)
    assert not answers
    return retrieval, requests


def test_a_retrieval_is_a_request_and_an_end():
    cache = Cache("examplebot", identification="examplebot/1.0 (+https://example.com/bot)")
    assert cache.allows(URL) is None and cache.verdict(URL) is None and len(cache) == 0
    retrieval, (request,) = retrieved(cache, URL, (200, [], FILE))
    assert request.url == "https://example.com/robots.txt" and request.limit == 512_000
    assert request.fields[0] == ("user-agent", "examplebot/1.0 (+https://example.com/bot)")
    assert dict(request.fields) == request.headers and {*request.headers["accept-encoding"].split(", ")} == {
        "gzip",
        "br",
        "deflate",
    }
    assert retrieval.ended and retrieval.key == "https://example.com" and not retrieval.allows(URL)
    assert (cache.allows(URL), cache.allows("HTTPS://EXAMPLE.com:443/x"), len(cache)) == (False, True, 1)
    verdict = cache.verdict(URL)
    assert (verdict.allowed, bool(verdict), verdict.basis, verdict.url) == (False, False, "rules", URL)
    assert verdict.evidence.rule == ("disallow", "/private") and verdict.evidence.line == 2 and verdict.source is None
    assert str(verdict).startswith("disallow: the longest matching rule is line 2")
    assert cache.allows("http://example.com/private/x") is None


@pytest.mark.parametrize(
    ("status", "error", "message"),
    [
        (99999, ValueError, "^status must be from 0 to 65535, not 99999$"),
        (-1, ValueError, "^status must be from 0 to 65535, not -1$"),
        pytest.param(10**5000, ValueError, "^status must be from 0 to 65535, not a long number$", id="long"),
        ("200", TypeError, "^status must be int, not str$"),
    ],
)
def test_a_status_is_a_number(status, error, message):
    retrieval = Cache("examplebot").retrieval(URL)
    retrieval.step()
    with pytest.raises(error, match=message):
        retrieval.answered(status, [])
    # The request is still open, so that the caller can report the answer again.
    assert retrieval.open


def test_parts_of_a_body_arrive_one_by_one():
    cache = Cache("examplebot", settings=Settings(limit=20))
    retrieval = cache.retrieval(URL)
    retrieval.step()
    assert retrieval.head(200, {"Content-Type": "text/plain"}.items())
    assert retrieval.data(FILE[:10]) and retrieval.data(FILE[10:])
    # An error in the first 64 KiB after the limit would count, so these octets are needed too.
    assert not retrieval.data(b"#" * 65_536)
    retrieval.end()
    assert retrieval.step() is None and retrieval.verdict(URL).record.body == FILE[:21]


@pytest.mark.parametrize("jump", [-86_400, 315_360_000])
@pytest.mark.parametrize("step", [-86_400, 1, 315_360_000])
@pytest.mark.parametrize("answer", [(503, []), "timeout", (200, [], b"user-agent: *\ndisallow: /\n")])
@pytest.mark.parametrize("restarts", [False, True])
def test_a_clock_that_jumps_allows_nothing(jump, step, answer, restarts):
    store = MemoryStore()
    cache = Cache("examplebot", store=store)
    retrieved(cache, URL, (404, []), now=NOW)
    assert cache.allows(URL, now=NOW)
    if restarts:
        cache = Cache("examplebot", store=store)
    retrieval, later = cache.retrieval(URL), NOW + jump + step
    assert isinstance(retrieval.step(now=NOW + jump), Request)
    # The clock steps during the request.
    if isinstance(answer, str):
        retrieval.failed(answer, now=later)
    else:
        retrieval.answered(*answer, now=later)
    assert retrieval.step(now=later) is None and not retrieval.allows(URL)
    for now in (later, NOW, NOW + jump, NOW + 2 * jump, NOW + 60):
        if cache.allows(URL, now=now) is None:
            retrieved(cache, URL, answer, now=now)
        assert cache.allows(URL, now=now) is False


def test_redirects_and_failures_are_steps():
    cache = Cache("examplebot")
    location = [(b"location", b"http://example.com/r\xc3\xb6bots.txt")]
    retrieval, requests = retrieved(cache, URL, (301, location), "timeout", now=NOW)
    assert [request.url for request in requests][1] == "http://example.com/r%C3%B6bots.txt"
    verdict = retrieval.verdict(URL)
    assert (verdict.allowed, verdict.basis, verdict.record.failure) == (False, "unreachable", "timeout")
    assert verdict.record.hops == [("https://example.com/robots.txt", 301)]
    assert NOW + 3600 <= verdict.until == verdict.record.next_try <= NOW + 3960
    assert "RFC 9309, 2.3.1.4" in verdict.source and verdict.evidence is None
    # The client sends no new request to the site before the time `next_try`.
    assert cache.retrieval(URL).step(now=NOW + 3599) is None
    assert cache.allows(URL, now=NOW + 3599) is False and cache.allows(URL, now=verdict.until) is None


@pytest.mark.parametrize(
    ("value", "url"),
    [
        (b"https://example.com/\xc3\xb6", "https://example.com/%C3%B6"),
        (b"https://example.com/\xc3\xb6".decode("latin-1"), "https://example.com/%C3%B6"),
        ("https://example.com/\u20ac", "https://example.com/%E2%82%AC"),
    ],
)
def test_fields_are_octets_or_what_a_library_makes_of_them(value, url):
    _, requests = retrieved(Cache("examplebot"), URL, (302, [("Location", value)]), (404, []))
    assert requests[1].url == url


def test_a_body_that_was_decoded_is_not_decoded_again():
    cache = Cache("examplebot")
    retrieval = cache.retrieval(URL)
    retrieval.step()
    retrieval.answered(200, [("Content-Encoding", "zstd")], FILE, decoded=True)
    assert retrieval.step() is None and retrieval.verdict(URL).basis == "rules"


def test_a_failure_here_is_not_kept():
    store = {}
    cache = Cache("examplebot", store=store)
    retrieval = cache.retrieval(URL)
    retrieval.step()
    retrieval.failed("connection", "the guard refuses example.com", here=True)
    assert retrieval.step() is None and store == {}
    assert "the guard refuses example.com" in str(retrieval.verdict(URL))


def test_another_retrieval_of_an_origin_waits():
    cache = Cache("examplebot")
    first, second, third = (cache.retrieval(URL) for _ in range(3))
    first.step(now=NOW)
    assert isinstance(second.step(now=NOW), Wait) and second.step(now=NOW).seconds == 0.05
    first.answered(200, [], FILE, now=NOW)
    assert isinstance(second.step(now=NOW), Wait)
    assert first.step(now=NOW) is None and second.step(now=NOW) is None and not second.allows(URL)
    # After a retrieval is deleted, the next retrieval of the origin begins. If a retrieval is kept but not continued,
    # the next one begins some time later.
    others = [cache.retrieval("https://example.net/") for _ in range(3)]
    others[0].step(now=NOW)
    assert isinstance(others[1].step(now=NOW), Wait)
    del others[0]
    gc.collect()
    assert isinstance(others[0].step(now=NOW), Request)
    assert isinstance(others[1].step(now=NOW), Wait) and isinstance(others[1].step(now=NOW + 30), Request)
    assert third.step(now=NOW) is None


def test_stale_rules_may_be_used_meanwhile():
    cache = Cache("examplebot", settings=Settings(stale_while_revalidate=60), clock=lambda: NOW)
    retrieved(cache, URL, (200, [("cache-control", "max-age=3600")], FILE))
    assert cache.retrieval(URL).meanwhile(URL) is None
    assert cache.retrieval(URL).meanwhile(URL, now=NOW + 3630).basis == "stale-rules"
    assert cache.retrieval(URL).meanwhile(URL, now=NOW + 3660) is None
    assert cache.allows(URL, now=NOW + 3600) is None


def test_a_record_that_is_due_at_once_still_answers():
    cache = Cache("examplebot", settings=Settings(shortest_life=0), clock=lambda: NOW)
    retrieval, _ = retrieved(cache, URL, (200, [("cache-control", "max-age=0")], FILE))
    assert cache.allows(URL) is None and not retrieval.allows(URL)


@pytest.mark.parametrize("kind", ["memory", "file", "dict"])
def test_a_store_keeps_records(kind, tmp_path):
    store = {"memory": MemoryStore, "file": lambda: FileStore(tmp_path / "x.redb"), "dict": dict}[kind]()
    retrieved(Cache("examplebot", store=store), URL, (200, [("etag", '"1"')], FILE), now=NOW)
    for agent, edition in (("examplebot", "rfc9309"), ("otherbot", "google-2018")):
        cache = Cache(agent, store=store, settings=Settings(edition=edition))
        assert cache.retrieval(URL).step(now=NOW + 60) is None
        assert cache.allows(URL, now=NOW + 60) is False
    _, (request,) = retrieved(Cache("examplebot", store=store), URL, (304, []), now=NOW + 90_000)
    assert request.headers["if-none-match"] == '"1"'
    if kind == "dict":
        record = Record.from_octets(store["https://example.com"])
        assert (record.key, record.status, record.body) == ("https://example.com", 304, FILE)
        assert record == Record.from_octets(record.to_octets()) and "304" in record.end
        assert (record.at, record.validated_at, record.unreachable_since) == (NOW + 90_000, NOW + 90_000, None)


class Broken(dict):
    def __getitem__(self, key):
        raise OSError("the disk is full")

    __setitem__ = __getitem__


class Lying(list):
    """A list that reports a length that it does not have."""

    def __len__(self):
        return 2**62


WRONG_RECORDS = ["text", b"nonsense", bytearray(b"nonsense"), 3, [1, 2], Lying([1, 2]), memoryview(b"x")]


@pytest.mark.parametrize("store", [Broken(), *({"https://example.com": record} for record in WRONG_RECORDS)])
def test_a_store_that_fails_costs_no_verdict(store, caplog):
    with caplog.at_level(logging.WARNING, "robots_verdicts"):
        retrieval, requests = retrieved(Cache("examplebot", store=store), URL, (200, [], FILE))
    assert not retrieval.allows(URL) and len(requests) == 1
    if isinstance(store, Broken):
        assert "cannot read" in caplog.text and "the disk is full" in caplog.text


@pytest.mark.parametrize("record", [record for record in WRONG_RECORDS if not isinstance(record, (bytes, bytearray))])
def test_a_record_is_octets(record, caplog):
    with caplog.at_level(logging.WARNING, "robots_verdicts"):
        retrieved(Cache("examplebot", store={"https://example.com": record}), URL, (200, [], FILE))
    assert f"a record must be bytes or bytearray, not {type(record).__name__}" in caplog.text


def test_a_record_may_be_a_bytearray():
    store = {}
    retrieved(Cache("examplebot", store=store), URL, (200, [], FILE), now=NOW)
    store = {key: bytearray(record) for key, record in store.items()}
    assert Cache("examplebot", store=store).retrieval(URL).step(now=NOW) is None


def test_the_rules_of_a_redirects_target_apply_under_2018():
    cache = Cache("examplebot", settings=Settings(edition="google-2018"), clock=lambda: NOW)
    retrieved(cache, "https://example.net/", (200, [], b"user-agent: *\ndisallow: /r"))
    retrieval, requests = retrieved(cache, URL, (301, [("location", "https://example.net/robots2.txt")]))
    assert len(requests) == 1 and "disallowed URL" in str(retrieval.verdict(URL))


def test_sites_whose_errors_mean_nothing():
    cache = Cache("examplebot")
    retrieval = cache.retrieval(URL, server_errors_for_missing_pages=True)
    retrieval.step()
    retrieval.answered(500, [])
    assert retrieval.step() is None and retrieval.verdict(URL).basis == "no-file"


def test_threads_share_a_cache():
    cache, wrong = Cache("examplebot", memory=100_000), []

    def ask(thread):
        for number in range(300):
            url = f"https://{(number * (thread + 1)) % 50}.example.com/private"
            allowed = cache.allows(url)
            if allowed is None:
                retrieval = cache.retrieval(url)
                while (step := retrieval.step()) is not None:
                    if isinstance(step, Request):
                        retrieval.answered(200, [], FILE + b"#" * 20_000)
                allowed = retrieval.allows(url)
            if allowed:
                wrong.append(url)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: Cache("Bot/1.0"), ValueError, "product token"),
        (lambda: Cache("bot", identification="b\r\nx: y"), ValueError, "cannot be sent as User-Agent"),
        (lambda: Cache("bot", store=3), TypeError, "a store is a MemoryStore, a FileStore or a mutable mapping"),
        (lambda: Cache("bot").allows("/x"), ValueError, "not a URL with a host"),
        (lambda: Cache("bot").verdict("gopher://example.com/"), ValueError, "scheme"),
        (lambda: Cache("bot").retrieval("http://me:secret@example.com/"), ValueError, "user information"),
        (lambda: Cache("bot").retrieval(URL).answered(200, [], b""), RuntimeError, "no request is open"),
        (lambda: Cache("bot").retrieval(URL).allows(URL), RuntimeError, "has not ended"),
        (lambda: Cache("bot").allows(URL, now=-1.0), ValueError, "seconds"),
        (lambda: Settings(edition="rfc1"), ValueError, "the editions are google-2018"),
        (lambda: Settings(stale_if_error=-1), ValueError, "not a number of seconds"),
        (lambda: Record.from_octets(b"x"), ValueError, "cannot be read"),
        (lambda: PublicOnly()("example.com", 80, "here"), ValueError, "not an IP address"),
        (lambda: PublicOnly()("example.com", 80, "fe80::1%eth0"), Refused, "link-local"),
        (lambda: PublicOnly()("example.com", 80, "93.184.215.14", "http://proxy:3128"), Refused, "hides its address"),
    ],
)
def test_what_is_no_question_is_told(call, kind, message):
    with pytest.raises(kind, match=message):
        call()


def test_what_a_retrieval_refuses():
    cache = Cache("bot")
    retrieval = cache.retrieval(URL)
    retrieval.step()
    with pytest.raises(ValueError, match="use dns, timeout"):
        retrieval.failed("refused")
    with pytest.raises(RuntimeError, match="call head"):
        retrieval.end()
    retrieval.answered(404, [])
    assert retrieval.step() is None
    with pytest.raises(ValueError, match="belongs to another origin"):
        retrieval.allows("https://example.net/")
    with pytest.raises(RuntimeError, match="no request is open"):
        retrieval.answered(404, [])


def test_guards_pass_what_is_public():
    PublicOnly()("example.com", 80, "93.184.215.14")
    PublicOnly(trust_proxy=True)("example.com", 80, "10.0.0.1", "http://proxy:3128")


def test_the_stub_says_what_is_there():
    stub = (Path(robots_verdicts.__file__).parent / "_native.pyi").read_text()
    names = ("Cache", "FetchVerdict", "FileStore", "MemoryStore", "PublicOnly", "Record", "Request", "Retrieval", "Settings", "Wait")
    for name in names:
        public = {one for one in vars(getattr(robots_verdicts, name)) if not one.startswith("_")}
        block = stub.split(f"class {name}:")[1].split("\n@final")[0].split("\nclass ")[0]
        stated = {line.split("(")[0].removeprefix("    def ") for line in block.splitlines() if line.startswith("    def ")}
        assert public == {one for one in stated if not one.startswith("_")}, name


@pytest.mark.parametrize("make", [MemoryStore, FileStore])
def test_caches_that_share_a_store_fetch_a_file_once(make, tmp_path):
    store = make(tmp_path / "records") if make is FileStore else make()
    first, second = (Cache(agent, store=store) for agent in ("examplebot", "otherbot"))
    one, two = first.retrieval(URL), second.retrieval(URL)
    assert isinstance(one.step(now=NOW), Request) and isinstance(two.step(now=NOW), Wait)
    one.answered(200, [], FILE, now=NOW)
    assert one.step(now=NOW) is None
    # The second cache gets the record from the store.
    assert two.step(now=NOW) is None and not two.allows(URL)


def test_caches_that_share_a_mapping_do_not_wait():
    store = {}
    for agent in ("examplebot", "otherbot"):
        assert isinstance(Cache(agent, store=store).retrieval(URL).step(now=NOW), Request)


def longest_wait(work):
    """Does work while another thread runs. Returns the longest time for which that thread could not run, and the time of
    the work."""
    times, ends = [], threading.Event()

    def run():
        while not ends.is_set():
            times.append(time.perf_counter())
            time.sleep(0.0002)

    thread = threading.Thread(target=run)
    thread.start()
    while not times:
        time.sleep(0.001)
    begin = time.perf_counter()
    work()
    end = time.perf_counter()
    ends.set()
    thread.join()
    between = [begin, *(at for at in times if begin < at < end), end]
    return max(b - a for a, b in zip(between, between[1:])), end - begin


LARGE = b"user-agent: *\n" + b"".join(b"disallow: /%d/*/x\n" % number for number in range(400_000))


@pytest.mark.parametrize("question", ["allows", "verdict"])
def test_threads_run_while_a_large_file_is_read(question):
    # On a machine with much load, the other thread may wait for a processor. So it is enough if one of several attempts
    # succeeds.
    for attempt in range(10):
        cache = Cache("examplebot", settings=Settings(limit=len(LARGE)))
        retrieved(cache, URL, (200, [], LARGE))
        # The first question parses the file, and the second one compiles its rules.
        waits = [longest_wait(lambda: getattr(cache, question)(URL)) for _ in range(2)]
        if all(longest < total / 2 for longest, total in waits):
            return
    pytest.fail(f"the other thread waited: {waits}")


def test_threads_run_while_rules_are_compiled():
    robots = robots_verdicts.parse(LARGE, limit=len(LARGE))
    waits = [longest_wait(lambda: robots.rules_for("examplebot")) for _ in range(10)]
    assert any(longest < total / 2 for longest, total in waits), waits


@pytest.mark.parametrize(
    ("error", "proxy", "outage", "logged"),
    [
        (ConnectionResetError("reset"), None, True, False),
        (ConnectionResetError("reset"), "http://me:secret@proxy.example:1", False, False),
        (Refused("refused"), None, False, False),
        (FileNotFoundError("ca.pem"), None, False, False),
        (TypeError("no such argument"), None, False, True),
    ],
    ids=repr,
)
def test_report_failure_decides_which_side_failed(error, proxy, outage, logged, caplog):
    cache = Cache("examplebot")
    retrieval = cache.retrieval(URL)
    while retrieval.step() is not None:
        report_failure(retrieval, error, proxy=proxy)
    verdict = retrieval.verdict(URL)
    assert (verdict.allowed, verdict.basis) == (False, "unreachable")
    assert (verdict.record.unreachable_since is not None, bool(caplog.records)) == (outage, logged)
    assert ("through the proxy http://proxy.example:1" in str(verdict)) is (proxy is not None)
    assert "secret" not in str(verdict)


def test_report_failure_changes_no_answer(caplog):
    retrieval = Cache("examplebot").retrieval(URL)
    retrieval.step()
    retrieval.answered(200, [], FILE)
    report_failure(retrieval, TypeError("no such argument"))
    assert retrieval.step() is None and retrieval.verdict(URL).basis == "rules" and "no such argument" in caplog.text
