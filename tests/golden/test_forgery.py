"""Programs that do not solve their task and want to pass all the same, and honest look-alikes that must pass.

Tables of the visible answers (kind `special`) pass: they give the right values, and only hidden inputs can tell.
"""

from __future__ import annotations

import json
from collections import defaultdict

import pytest
from court import judge

from assay.engine import Settings
from assay.records import AssertTests, CheckTests, Problem, Trust


def problem_of(row: dict) -> Problem:
    asked = row["problem"]
    texts = asked["tests"]
    tests = CheckTests(source="\n".join(texts)) if asked["style"] == "check" else AssertTests(cases=tuple(texts))
    fields = {key: asked[key] for key in ("id", "prompt", "entry_point", "reference")}
    return Problem(**fields, tests=(tests,), setup=asked.get("setup") or "")


@pytest.fixture(scope="module")
def verdicts(shared):
    """Each row of the corpus, but for unittest's, with our verdict."""
    lines = (shared / "corpus" / "forgery.jsonl").read_text("utf-8").splitlines()
    groups = defaultdict(list)
    for row in map(json.loads, lines):
        if row["problem"]["style"] != "unittest":
            groups[row["problem"]["id"]].append(row)
    found = judge(
        ((problem_of(g[0]), [r["candidate"] for r in g]) for g in groups.values()), Settings(workers=2, time_s=1.5)
    )
    assert found.invalids == {}
    return [(row, found.verdicts[id_, n]) for id_, group in groups.items() for n, row in enumerate(group)]


def told(row: dict, verdict) -> tuple:
    return row["id"], row["note"], verdict.outcome.value, verdict.message


@pytest.mark.shared
def test_no_program_that_does_not_solve_its_task_passes(verdicts):
    forged = [(r, v) for r, v in verdicts if r["expected"] == "not_passed" and r["kind"] != "special"]
    assert len(forged) >= 50
    assert [told(r, v) for r, v in forged if v.passed] == []


@pytest.mark.shared
def test_every_honest_program_passes(verdicts):
    honest = [(r, v) for r, v in verdicts if r["expected"] == "passed"]
    assert len(honest) >= 35
    assert [told(r, v) for r, v in honest if not v.passed] == []


@pytest.mark.shared
def test_the_tables_that_pass_are_right_about_every_visible_value(verdicts):
    tables = [(r, v) for r, v in verdicts if r["kind"] == "special"]
    assert [told(r, v) for r, v in tables if not v.passed] == []
    assert {v.trust for _, v in tables} == {Trust.ANCHORED}


@pytest.mark.shared
def test_no_row_of_the_corpus_ends_without_a_verdict(verdicts):
    assert [told(r, v) for r, v in verdicts if v.outcome == "system_error"] == []
