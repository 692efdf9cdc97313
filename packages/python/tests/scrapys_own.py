"""Runs Scrapy's own tests of robots.txt with the middleware and the parser of this package: scrapys_own.py SDIST.

SDIST is Scrapy's source distribution. docs/python.md lists the tests that expect something else. Each of them must
fail, so that the list stays right.
"""

import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PAGE = (Path(__file__).parent / "python.md").read_text(encoding="utf-8")
EXPECT_SOMETHING_ELSE = re.findall(r"^\| `(tests/\S+::\S+)` \|", PAGE, flags=re.MULTILINE)

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
        assert EXPECT_SOMETHING_ELSE, "docs/python.md lists no test"
        for test in EXPECT_SOMETHING_ELSE:
            status, output = run(folder, test)
            if status != 1:
                sys.exit(f"{output}\nerror: {test} does not fail: remove it from the table in docs/python.md")
        deselected = [f"--deselect={test}" for test in EXPECT_SOMETHING_ELSE]
        status, output = run(folder, *IMPORTS, *deselected)
        if status != 0:
            sys.exit(output)
        print(output.splitlines()[-1])


if __name__ == "__main__":
    main(sys.argv[1])
