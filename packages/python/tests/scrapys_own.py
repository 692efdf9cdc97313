"""Runs Scrapy's own tests of robots.txt with the middleware and the parser of this package: scrapys_own.py SDIST.

SDIST is Scrapy's source distribution. The tests in EXPECT_SOMETHING_ELSE must fail, so that the list stays right.
"""

import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

MIDDLEWARE = "tests/test_downloadermiddleware_robotstxt.py::TestRobotsTxtMiddleware"

# The tests that expect something which the package does differently on purpose.
EXPECT_SOMETHING_ELSE = [
    # Scrapy allows everything if the host of robots.txt cannot be resolved, if the request fails at once, or if another
    # middleware ignores it. The package allows nothing (RFC 9309, 2.3.1.4).
    f"{MIDDLEWARE}::test_robotstxt_error",
    f"{MIDDLEWARE}::test_robotstxt_immediate_error",
    f"{MIDDLEWARE}::test_ignore_robotstxt_request",
    f"{MIDDLEWARE}WithRerp::test_robotstxt_error",
    f"{MIDDLEWARE}WithRerp::test_robotstxt_immediate_error",
    f"{MIDDLEWARE}WithRerp::test_ignore_robotstxt_request",
    # In Scrapy, the agent `UnicödeBöt` follows its own group. It is no product token, so here it follows the groups of
    # `*` (RFC 9309, 2.2.1).
    "tests/test_robotstxt_interface.py::TestProtegoRobotParser::test_unicode_url_and_useragent",
]

# For each test file of Scrapy: the line that imports Scrapy's class, and the line that replaces it.
IMPORTS = {
    "tests/test_downloadermiddleware_robotstxt.py": (
        "from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware\n",
        "from robots_verdicts.scrapy import RobotsTxtMiddleware\n",
    ),
    "tests/test_robotstxt_interface.py": (
        "from scrapy.robotstxt import (\n    ProtegoRobotParser,\n",
        "from robots_verdicts.scrapy import RobotsVerdictsParser as ProtegoRobotParser\nfrom scrapy.robotstxt import (\n",
    ),
}


def unpack(sdist, folder):
    """Unpacks the tests. Scrapy itself is left out, because the installed package is tested."""
    wanted = ("tests/", "conftest.py", "pyproject.toml")
    with tarfile.open(sdist) as archive:
        for member in archive:
            member.name = member.name.partition("/")[2]
            if member.name.startswith(wanted):
                archive.extract(member, folder, filter="data")
    for name, (theirs, ours) in IMPORTS.items():
        text = (folder / name).read_text(encoding="utf-8")
        assert text.count(theirs) == 1, f"{name} no longer has the import {theirs!r}"
        (folder / name).write_text(text.replace(theirs, ours), encoding="utf-8")


def run(folder, *arguments):
    """Runs pytest. Returns its status and its output."""
    command = [sys.executable, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def main(sdist):
    with tempfile.TemporaryDirectory() as folder:
        unpack(sdist, Path(folder))
        for test in EXPECT_SOMETHING_ELSE:
            status, output = run(folder, test)
            if status != 1:
                sys.exit(f"{output}\nerror: {test} does not fail: remove it from EXPECT_SOMETHING_ELSE")
        deselected = [f"--deselect={test}" for test in EXPECT_SOMETHING_ELSE]
        status, output = run(folder, *IMPORTS, *deselected)
        if status != 0:
            sys.exit(output)
        print(output.splitlines()[-1])


if __name__ == "__main__":
    main(sys.argv[1])
