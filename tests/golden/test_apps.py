"""Whole programs of APPS, against stored verdicts: the same programs pass, and the same fail."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest
from court import judge

from assay.engine import Settings
from assay.records import Checker, Limits, Mode, Problem, Sample, StdioCase, StdioTests

if TYPE_CHECKING:
    from pathlib import Path

RUNS = ("Analogical", "CoT", "Direct", "MapCoder-3-5", "SelfPlanning")
FAST = "MapCoder-3-5"


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.open(path, "rt", encoding="utf-8")]


def whole_programs(shared: Path) -> dict[str, Problem]:
    """The problems without starter code: those are read from standard input."""
    found = {}
    for row in rows(shared / "data" / "benchmarks" / "apps-150" / "problems.jsonl.gz"):
        if not row["starter_code"].strip():
            cases = tuple(StdioCase(stdin=test["input"], stdout=test["output"][0]) for test in row["test_list"])
            tests = (StdioTests(cases=cases, checker=Checker(name="tokens")),)
            found[str(row["id"])] = Problem(id=str(row["id"]), prompt="?", tests=tests, limits=Limits(time_s=5))
    return found


@pytest.mark.timeout(300)
@pytest.mark.parametrize("run", [pytest.param(run, marks=[] if run == FAST else pytest.mark.slow) for run in RUNS])
def test_stored_verdicts_are_found_again(run, shared):
    name = f"APPS.ChatGPT-{run}-APPS-Python3-0-1.jsonl.gz"
    problems = whole_programs(shared)
    assert len(problems) == 49
    folder = shared / "data" / "mapcoder"
    stored = {row["task_id"]: row["passed"] for row in rows(folder / f"verdicts-{name}") if row["task_id"] in problems}
    work = [
        (
            problems[row["task_id"]],
            [Sample(problem_id=row["task_id"], index=0, text=row["code"], mode=Mode.SOLUTION)],
        )
        for row in rows(folder / f"samples-{name}")
        if row["task_id"] in problems
    ]
    found = judge(work, Settings(workers=2))
    assert found.invalids == {}
    assert {id_: verdict.passed for (id_, _), verdict in found.verdicts.items()} == {
        id_: stored[id_] for id_, _ in found.verdicts
    }
