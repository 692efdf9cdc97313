"""Runs Protego and this package on every file of docs/protego.md, and compares their answers with the page."""

import re
from pathlib import Path

import protego
import pytest
from robots_verdicts.protego import Protego

PAGE = (Path(__file__).parent / "protego.md").read_text(encoding="utf-8")

DIFFERENCE = re.compile(r"<!-- differs -->\n```text\n(.*?)```\n\n(.*?)(?=\n\n)", re.DOTALL)


def rows():
    for text, table in DIFFERENCE.findall(PAGE):
        for line in table.splitlines()[2:]:
            file = text.replace(r"\u2002", "\u2002").replace(r"\t", "\t")
            yield pytest.param(file, *(cell.strip() for cell in line.strip("|").split("|")))


def answer(robots, agent, asked):
    if asked == "crawl-delay":
        delay = robots.crawl_delay(agent)
        return "none" if delay is None else str(delay)
    if asked == "request-rate":
        rate = robots.request_rate(agent)
        return f"{rate.requests}/{rate.seconds}" if rate else "none"
    if asked == "visit-time":
        times = robots.visit_time(agent)
        return f"{times.start_time:%H%M}-{times.end_time:%H%M}" if times else "none"
    return "allow" if robots.can_fetch(f"https://example.com{asked}", agent) else "disallow"


@pytest.mark.parametrize(("text", "agent", "asked", "theirs", "ours"), list(rows()))
def test_the_page_says_what_both_answer(text, agent, asked, theirs, ours):
    assert answer(protego.Protego.parse(text), agent, asked) == theirs
    assert answer(Protego.parse(text), agent, asked) == ours


def test_every_table_has_a_difference():
    tables = [table for _, table in DIFFERENCE.findall(PAGE)]
    assert len(tables) == PAGE.count("<!-- differs -->") >= 10
    for table in tables:
        cells = [line.strip("|").split("|") for line in table.splitlines()[2:]]
        assert any(theirs.strip() != ours.strip() for *_, theirs, ours in cells), table
