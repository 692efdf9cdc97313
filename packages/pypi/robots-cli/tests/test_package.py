"""The installed package: its command, and the functions that check the robots.txt of a site."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
import robots_cli
from robots_cli import assert_robots_txt, check, command

VERSION = version("robots-cli")


def run(*words, **options):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **options)


def test_the_command_and_the_module_are_the_same_version():
    for words in ([command()], [sys.executable, "-m", "robots_cli"]):
        assert run(*words, "--version").stdout == f"robots {VERSION}\n"


def test_the_module_passes_the_exit_status_on():
    assert run(sys.executable, "-m", "robots_cli", "lint", "no-such-file").returncode == 2


def test_the_package_is_typed():
    assert Path(robots_cli.__file__).with_name("py.typed").is_file()


ROBOTS = b"User-agent: *\nDisallow: /private/\n\nUser-agent: GPTBot\nDisallow: /\n"
MEANT = {
    "never-blocked": ["Googlebot"],
    "blocked": ["ai"],
    "lists": {"ai": ["GPTBot"]},
    "urls": [{"agents": ["Googlebot"], "allow": ["/", "/shop/"], "disallow": ["/private/"]}],
}


def test_a_robots_txt_that_does_what_is_meant(tmp_path):
    (tmp_path / "robots.txt").write_bytes(ROBOTS)
    (tmp_path / "expect.yaml").write_text("never-blocked: [Googlebot]\nurls:\n  - disallow: [/private/]\n")
    assert_robots_txt(ROBOTS, MEANT)
    assert_robots_txt(tmp_path / "robots.txt", MEANT)
    assert_robots_txt(str(tmp_path / "robots.txt"), tmp_path / "expect.yaml", edition="rfc9309")
    assert_robots_txt(b"", {"never-blocked": ["Googlebot"]})
    checked = check(ROBOTS, MEANT)
    assert [one.met for one in checked] == [True] * 5
    assert checked[1].expected == "GPTBot is blocked" and checked[1].reason is None


def test_a_failure_has_its_line_and_its_reason(tmp_path):
    closed = ROBOTS.replace(b"/private/", b"/")
    with pytest.raises(AssertionError) as failure:
        assert_robots_txt(closed, MEANT)
    lines = str(failure.value).splitlines()
    assert lines[0] == "robots.txt: 3 of 5 expectations not met"
    assert lines[1] == "not met: Googlebot is not blocked"
    assert lines[2].startswith("  robots.txt:2: Googlebot may fetch nothing but robots.txt: disallow: the longest matching rule")
    # The report names the test and the line of the expectation.
    (tmp_path / "robots.txt").write_bytes(closed)
    (tmp_path / "expect.yaml").write_text("never-blocked: [Googlebot]\n")
    (tmp_path / "test_site.py").write_text(
        "from robots_cli import assert_robots_txt\n\n\ndef test_site():\n"
        "    assert_robots_txt('robots.txt', 'expect.yaml')\n"
    )
    report = run(sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "test_site.py", cwd=tmp_path)
    assert report.returncode == 1
    assert "test_site.py:5: AssertionError" in report.stdout, report.stdout
    assert "not met: Googlebot is not blocked (expect.yaml:1:17)" in report.stdout
    assert "_check.py" not in report.stdout


def test_a_mistake_is_no_failed_assertion(tmp_path):
    with pytest.raises(ValueError, match='unknown key "never"; the keys are never-blocked'):
        assert_robots_txt(ROBOTS, {"never": ["a"]})
    with pytest.raises(ValueError, match="cannot read .*none.txt"):
        check(tmp_path / "none.txt", MEANT)
    with pytest.raises(ValueError, match="the editions are google-2018"):
        check(ROBOTS, MEANT, edition="rfc1")
