"""Checks whether a robots.txt meets its expectations: ``robots check`` as functions, for pytest."""

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from typing import Any, List, Mapping, Optional, Union

from ._command import command

Robots = Union[str, bytes, "os.PathLike[str]"]
"""A robots.txt: its path, the URL where it is served, or its octets."""

Expectations = Union[str, "os.PathLike[str]", Mapping[str, Any]]
"""The expectations for a robots.txt: the path of a YAML file, or the keys of such a file as a mapping."""


@dataclass(frozen=True)
class Checked:
    """An expectation, and whether the file meets it."""

    expected: str
    """The expectation as a sentence, ``Googlebot is not blocked``."""
    met: bool
    line: Optional[int]
    """The line that causes the failure; ``None`` if the expectation is met, or if no line causes the failure."""
    reason: Optional[str]
    """The actual behaviour of the file, and its reason; ``None`` if the expectation is met."""


def check(robots: Robots, expectations: Expectations, *, edition: Optional[str] = None) -> List[Checked]:
    """Compare a robots.txt with expectations, and return each expectation with its result.

    >>> check(b"user-agent: *\\ndisallow: /\\n", {"never-blocked": ["Googlebot"]})[0].met
    False

    Args:
        robots: a path, a URL, or the octets of a file.
        expectations: the path of a YAML file, or its keys: ``never-blocked``, ``blocked``, ``urls``, ``sitemaps``, ``lists``.
        edition: the edition under which the file is read; the default is ``google-2022``.

    Raises:
        ValueError: the file or the expectations cannot be read; the message names the place of the mistake.
    """
    return [
        Checked(one["expected"], one["met"], one["line"], one["reason"])
        for one in _file(robots, expectations, edition)["results"]
    ]


def assert_robots_txt(robots: Robots, expectations: Expectations, *, edition: Optional[str] = None) -> None:
    """Fail if a robots.txt does not meet its expectations. The message has the line and the reason of each failure.

    A test of a site::

        from robots_cli import assert_robots_txt

        def test_robots_txt():
            assert_robots_txt("public/robots.txt", {"never-blocked": ["Googlebot"], "urls": {"disallow": ["/private/"]}})

    The arguments are those of `check`.

    Raises:
        AssertionError: an expectation is not met.
        ValueError: the file or the expectations cannot be read; the message names the place of the mistake.
    """
    # With this variable, pytest shows the line of the test, and not this line.
    __tracebackhide__ = True
    found = _file(robots, expectations, edition)
    failed = [one for one in found["results"] if not one["met"]]
    if not failed:
        return
    name = found["file"]
    lines = [f"{name}: {len(failed)} of {len(found['results'])} expectations not met"]
    for one in failed:
        place = "" if one["line"] is None else f":{one['line']}"
        stated = ""
        if not isinstance(expectations, Mapping):
            stated = f" ({os.fspath(expectations)}:{one['at']['line']}:{one['at']['column']})"
        lines += [f"not met: {one['expected']}{stated}", f"  {name}{place}: {one['reason']}"]
    raise AssertionError("\n".join(lines))


def _file(robots: Robots, expectations: Expectations, edition: Optional[str]) -> Mapping[str, Any]:
    if isinstance(expectations, Mapping):
        with tempfile.TemporaryDirectory() as folder:
            # The command reads expectations as YAML, and every JSON text is also a YAML text.
            path = os.path.join(folder, "expectations")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(expectations, file)
            return _checked(robots, path, edition)
    return _checked(robots, os.fspath(expectations), edition)


def _checked(robots: Robots, expectations: str, edition: Optional[str]) -> Mapping[str, Any]:
    words = [command(), "check", "--format", "json"]
    if edition is not None:
        words += ["--edition", edition]
    octets = robots if isinstance(robots, bytes) else None
    name = "-" if isinstance(robots, bytes) else os.fspath(robots)
    done = subprocess.run(
        [*words, "--", expectations, name], input=octets or b"", stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False
    )
    if done.returncode not in (0, 1):
        raise ValueError(done.stderr.decode(errors="replace").strip())
    file: Mapping[str, Any] = json.loads(done.stdout)["files"][0]
    return file
