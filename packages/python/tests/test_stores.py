"""The store in a file: after a fork, and with a damaged file."""

import logging
import os
import re
import traceback

import pytest
from robots_verdicts import Cache, FileStore

FILE = b"user-agent: *\ndisallow: /private\n"
ORIGINS = [f"http://host{number}.example" for number in range(40)]


def requests(store):
    """Retrieve many files with a new cache, and return the number of requests."""
    cache, number = Cache("examplebot", store=store), 0
    for origin in ORIGINS:
        retrieval = cache.retrieval(origin)
        while retrieval.step():
            retrieval.answered(200, [], FILE)
            number += 1
        assert not retrieval.allows(f"{origin}/private/x")
    return number


def in_a_child_process(work):
    """Fork, and return whether the work in the child process raises no error."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    return os.waitpid(child, 0) == (child, 0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("writes_first", [True, False])
def test_a_child_process_cannot_use_the_store_of_its_parent(writes_first, tmp_path, caplog):
    path, parent = tmp_path / "robots.redb", os.getpid()
    stores = [FileStore(path)]
    if writes_first:
        assert requests(stores[0]) == len(ORIGINS)

    def child():
        with caplog.at_level(logging.WARNING, "robots_verdicts"):
            assert requests(stores[0]) == len(ORIGINS)
        opener = f"process {parent} opened the file, and only that process can use it"
        missed = re.findall(f"cannot read the record of (.*), and the cache continues without it: {opener}", caplog.text)
        assert set(missed) == set(ORIGINS)
        with pytest.raises(OSError, match=opener):
            stores[0].remove_before(1.0)
        # The child process closes the store.
        stores.clear()
        with pytest.raises(OSError, match="already open"):
            FileStore(path)

    assert in_a_child_process(child)
    assert requests(stores[0]) == (0 if writes_first else len(ORIGINS))
    with pytest.raises(OSError, match="already open"):
        FileStore(path)
    stores.clear()
    stores.append(FileStore(path))
    assert (requests(stores[0]), stores[0].remove_before(1.0)) == (0, 0)
    assert [file.name for file in tmp_path.iterdir()] == ["robots.redb"]


def test_a_damaged_file_is_moved_aside(tmp_path, caplog):
    path = tmp_path / "robots.redb"
    requests(FileStore(path))
    path.write_bytes(damaged := path.read_bytes()[:5000])
    store = FileStore(path)
    assert f"it is now {path}.damaged" in caplog.text
    assert (tmp_path / "robots.redb.damaged").read_bytes() == damaged
    assert (requests(store), requests(store)) == (len(ORIGINS), 0)
