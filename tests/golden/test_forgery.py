"""Programs that do not solve their task and want to pass all the same, and honest look-alikes that must pass.

Tables of the visible answers (kind `special`) give the right values, and only hidden inputs can tell: they pass and are flagged, or fail
where agreement on hidden inputs is required.
"""

from __future__ import annotations

import json
from collections import defaultdict

import pytest
from court import judge

from assay.engine import Settings
from assay.records import AssertTests, CheckTests, Outcome, Problem, Trust, UnittestTests, Verdict


def problem_of(row: dict) -> Problem:
    asked = row["problem"]
    texts = asked["tests"]
    whole = "\n".join(texts)
    kinds = {"check": CheckTests(source=whole), "unittest": UnittestTests(source=whole)}
    tests = kinds.get(asked["style"]) or AssertTests(cases=tuple(texts))
    fields = {key: asked[key] for key in ("id", "prompt", "entry_point", "reference")}
    return Problem(**fields, tests=(tests,), setup=asked.get("setup") or "")


def judged(shared, mode: str) -> list[tuple[dict, Verdict]]:
    """Each row of the corpus with our verdict."""
    lines = (shared / "corpus" / "forgery.jsonl").read_text("utf-8").splitlines()
    groups = defaultdict(list)
    for row in map(json.loads, lines):
        groups[row["problem"]["id"]].append(row)
    settings = Settings(workers=2, time_s=1.5, hidden=mode)
    found = judge(((problem_of(g[0]), [r["candidate"] for r in g]) for g in groups.values()), settings)
    assert found.invalids == {}
    return [(row, found.verdicts[id_, n]) for id_, group in groups.items() for n, row in enumerate(group)]


@pytest.fixture(scope="module")
def verdicts(shared):
    """With what is usual: hidden inputs flag."""
    return judged(shared, "flag")


@pytest.fixture(scope="module")
def required(shared):
    """Where agreement on hidden inputs is required."""
    return judged(shared, "require")


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
def test_the_tables_are_flagged_and_no_other_program_is(verdicts):
    flagged = {r["id"] for r, v in verdicts if v.special_cased}
    assert flagged == {r["id"] for r, _ in verdicts if r["kind"] == "special"}
    assert len(flagged) >= 4


@pytest.mark.shared
def test_where_agreement_is_required_exactly_the_honest_programs_pass(required):
    wrong = [told(r, v) for r, v in required if v.passed != (r["expected"] == "passed")]
    assert wrong == []
    tables = [(r, v) for r, v in required if r["kind"] == "special"]
    assert {v.outcome for _, v in tables} == {Outcome.WRONG_ANSWER}
    assert all("hidden inputs" in v.message for _, v in tables)


@pytest.mark.shared
def test_no_row_of_the_corpus_ends_without_a_verdict(verdicts):
    assert [told(r, v) for r, v in verdicts if v.outcome == "system_error"] == []
