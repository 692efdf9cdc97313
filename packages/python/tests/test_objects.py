"""Pickles, limits, messages and the version."""

import copy
import inspect
import pickle
import re
import tempfile
from importlib.metadata import version

import pytest
import robots_verdicts
from robots_conformance import EDITIONS, vectors
from robots_verdicts import (
    Cache,
    FileStore,
    MemoryStore,
    PublicOnly,
    Refused,
    Settings,
    _native,
    parse,
    product_tokens,
)
from robots_verdicts.protego import Protego


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_vector_from_a_pickle(edition):
    wrong = []
    for vector in vectors(edition):
        if vector.ask != "verdict":
            continue
        robots = parse(vector.robots_txt, edition=edition)
        rules, verdict = robots.rules_for(vector.tokens), robots.verdict(vector.tokens, vector.url)
        again = [pickle.loads(pickle.dumps(one)) for one in (robots, rules, verdict)]
        given = {verdict, again[0].verdict(vector.tokens, vector.url), again[1].verdict(vector.url), again[2]}
        if len(given) != 1 or str(again[2]) != str(verdict) or again[1].rules != rules.rules:
            wrong.append(vector.name)
    assert wrong == []


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_has_the_edition_the_limit_and_the_agent(protocol):
    text = "user-agent: a\ndisallow: x\nuser-agent: *\ndisallow: /y\n"
    robots = parse(text, edition="google-2018", limit=27)
    again = pickle.loads(pickle.dumps(robots, protocol))
    assert (again.edition, again.rules_for("*").rules) == ("google-2018", robots.rules_for("*").rules)
    for agent in ("a", "b", "*"):
        rules = pickle.loads(pickle.dumps(parse(text).rules_for(agent), protocol))
        rules = pickle.loads(pickle.dumps(rules, protocol))
        assert rules.verdict("/y") == parse(text).verdict(agent, "/y")
    assert copy.deepcopy(Protego.parse(text)).can_fetch("/y", "b") is False


def test_a_usage_from_a_pickle():
    robots = parse("user-agent: *\ncontent-usage: train-ai=n\ndisallow: /x\n", edition="aipref-2026-08")
    for url in ("/", "/x"):
        usage = robots.usage("a", url, header="search=y")
        again = pickle.loads(pickle.dumps(usage))
        rules = pickle.loads(pickle.dumps(robots.rules_for("a")))
        assert (again, str(again), again.preferences, again.lines) == (usage, str(usage), usage.preferences, usage.lines)
        assert rules.usage(url, header="search=y") == usage


def test_the_limit_can_be_changed():
    text = "user-agent: *\n" + "#" * 600_000 + "\ndisallow: /x\n"
    assert parse(text).allows("a", "/x") is True
    assert parse(text, limit=2**20).allows("a", "/x") is False
    assert pickle.loads(pickle.dumps(parse(text, limit=2**20))).allows("a", "/x") is False
    assert parse(text, limit=0).allows("a", "/x") is True


def test_the_version_is_that_of_the_package():
    assert robots_verdicts.__version__ == version("robots-verdicts")


def test_all_agents_are_a_crawler_without_a_token():
    robots = parse("user-agent: *\ndisallow: /x\ncrawl-delay: 2\nuser-agent: a\nallow: /\n")
    assert (robots.allows("*", "/x"), robots.rules_for("*").allows("/x"), robots.crawl_delay("*")) == (False, False, 2)


def test_values_are_those_of_the_file_or_of_a_crawler():
    robots = parse("host: a\nuser-agent: a\ncrawl-delay: 1\nuser-agent: b\nCrawl-Delay: 2 # s\nallow: /\n")
    assert (robots.values("Host"), robots.values("crawl-delay")) == (["a"], ["1", "2"])
    assert (robots.values("crawl-delay", "a"), robots.values("crawl-delay", "b")) == (["1", "2"], ["2"])
    assert robots.values("crawl-delay", "c") == []


URL = "https://example.com/x"


class Lying(list):
    """A list that reports a length that it does not have."""

    def __len__(self):
        return 2**62


def retrieving():
    """Returns a retrieval whose request is open."""
    retrieval = Cache("a").retrieval(URL)
    retrieval.step()
    return retrieval


def arriving():
    """Returns a retrieval whose answer is arriving."""
    retrieval = retrieving()
    retrieval.head(200, [])
    return retrieval


def ended():
    """Returns a retrieval that has ended."""
    retrieval = retrieving()
    retrieval.answered(200, [("etag", '"1"')], b"user-agent: *\ndisallow: /x\n")
    assert retrieval.step() is None
    return retrieval


SETTINGS = {
    "edition": "rfc9309",
    "limit": 2_000_000,
    "redirects": 7,
    "shortest_life": 0.1,
    "longest_life": 1e9 + 0.3,
    "stale_while_revalidate": 1 / 3,
    "stale_if_error": 86_400,
    "first_retry": 0,
    "retry_after_503": 1e-9,
    "longest_retry": 12345678.9,
    "outage_gap": 1e12,
}


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_settings_from_a_pickle(protocol):
    for given in [{}, SETTINGS, *({name: value} for name, value in SETTINGS.items())]:
        settings = Settings(**given)
        again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(settings, protocol)), protocol))
        assert again == settings == copy.deepcopy(settings), given
        assert (again.edition, again.limit) == (settings.edition, settings.limit)
        assert (again == Settings()) is (given == {}), given


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_record_from_a_pickle(protocol):
    record = ended().verdict(URL).record
    again = pickle.loads(pickle.dumps(record, protocol))
    assert (again, again.body, again.to_octets()) == (record, record.body, record.to_octets())


def test_the_lists_of_a_pickle_are_read_by_iteration():
    octets = b"user-agent: b\ndisallow: /x\n"
    assert not _native._rules(octets, "rfc9309", Lying(["a", "b"])).allows("/x")
    assert _native._usage(Lying([("search", "allowed")]), "vocab-07", Lying([3]), "").lines == [3]
    with pytest.raises(ValueError, match="at most 32 product tokens"):
        _native._rules(octets, "rfc9309", ("bot" for _ in iter(int, 1)))


def test_what_belongs_to_a_process_has_no_pickle(tmp_path):
    retrieval = ended()
    for one in (Cache("a"), retrieval, retrieval.verdict(URL), MemoryStore(), FileStore(tmp_path / "x.redb")):
        with pytest.raises(TypeError, match="cannot pickle"):
            pickle.dumps(one)


VALID = {
    "robots_txt": b"", "edition": "rfc9309", "limit": None, "agent": "a", "url": URL, "name": "x", "header": "a/1",
    "vocabulary": "vocab-07", "identification": "a/1", "settings": None, "store": None, "memory": 1, "clock": None,
    "now": 1e9, "server_errors_for_missing_pages": False, "as_written": False, "status": 200, "fields": [], "body": b"",
    "decoded": False, "octets": b"", "failure": "dns", "why": "", "here": False, "path": "x.redb", "time": 1.0,
    "trust_proxy": False, "host": "example.com", "port": 80, "address": "93.184.215.14", "proxy": None,
}  # fmt: skip


class Broken:
    """A mapping whose attributes cannot be read."""

    def __getattr__(self, name):
        raise ValueError(name)


WRONG = [
    None, 3, -1, 1.5, -1.5, float("nan"), 10**40, object(), b"\xff", "", "a b", "\ud800", "\udcff\0", [], [1], ["a", "b c"],
    ["\ud800"], {"a": 1}, ["a"] * 99, Lying(["a", 1]), [Lying(["a", "b"])], [("a",)], [("a", 1)], "x" * 10**6,
    "\u202e" * 10**6, b"x" * 10**6, Broken(),
]  # fmt: skip

ROBOTS = parse("user-agent: *\ndisallow: /x\n")

FUNCTIONS = {"parse": parse, "product_tokens": product_tokens}
FUNCTIONS |= {kind.__name__: kind for kind in (Cache, FileStore, MemoryStore, PublicOnly, Settings)}

# Each key is a function that returns an object. If a call of a method may change the object, the function makes a new
# object each time. The value is the set of methods to call, or `None` for all methods. There are three entries for
# retrievals, because their methods need different states.
MAKERS = {
    lambda: ROBOTS: None,
    lambda: ROBOTS.rules_for("a"): None,
    lambda: Cache("a"): None,
    retrieving: {"step", "answered", "head", "failed", "meanwhile"},
    arriving: {"data", "end"},
    ended: {"allows", "verdict"},
    lambda: ended().verdict(URL): None,
    lambda: ended().verdict(URL).record: None,
    lambda: FileStore(f"{tempfile.mkdtemp()}/x.redb"): None,
    MemoryStore: None,
}


def guard(host, port, address, proxy):
    # This function has the parameters of `PublicOnly.__call__`, because the object itself does not state them.
    return PublicOnly()(host, port, address, proxy)


def methods(one):
    return {name for name in dir(one) if not name.startswith("_") and callable(getattr(one, name))}


def calls():
    """Yields every function and method, once for each argument that may be wrong."""
    made = {name: lambda function=function: function for name, function in FUNCTIONS.items()}
    made["PublicOnly.__call__"] = lambda: guard
    for make, names in MAKERS.items():
        one = make()
        for name in names or methods(one):
            made[f"{type(one).__name__}.{name}"] = lambda make=make, name=name: getattr(make(), name)
    for name, make in sorted(made.items()):
        for wrong in inspect.signature(make()).parameters:
            yield pytest.param(make, wrong, id=f"{name}({wrong})")


def test_every_method_of_a_retrieval_is_called():
    assert methods(retrieving()) == set().union(*(names for names in MAKERS.values() if names))


RUST = r"::|->|\.0\b|\b(Py[A-Z]\w+|Body|Octets|ProductToken|from_header|Vec|String|Option|usize|[iu](8|16|32|64)|f64|enum|extract|redis)\b"


@pytest.mark.parametrize(("make", "wrong"), list(calls()))
def test_a_message_is_in_the_words_of_python(make, wrong, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    raised = 0
    for value in WRONG:
        function = make()
        parameters = inspect.signature(function).parameters
        arguments = {key: VALID.get(key) for key in parameters} | {wrong: value}
        positional = [arguments.pop(key) for key, it in parameters.items() if it.kind != it.KEYWORD_ONLY]
        try:
            function(*positional, **arguments)
        except (TypeError, ValueError, OverflowError, OSError, Refused) as error:
            message, raised = "\n".join([str(error), *getattr(error, "__notes__", [])]), raised + 1
            assert re.search(RUST, message) is None, message
            assert 0 < len(message) < 1000, message
            assert "\u202e" not in message, message
    assert raised > 0
