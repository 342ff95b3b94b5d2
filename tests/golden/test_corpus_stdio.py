"""Whole programs of the corpus come out as they should, at every level of isolation that this machine gives, and leave nothing behind."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from corpus_cases import RIGHT, read_cases
from corpus_places import PLACES, command, run_room

from assay.benchmarks import from_rows
from assay.records import Mode, Outcome, Sample, Verdict

CHECKERS = {"lines": "lines", "tokens": "tokens", "float": "numbers"}
"""Our names for the corpus's ways to compare."""

AT_EVERY_PLACE = [pytest.param(name, marks=[] if n == 0 else pytest.mark.slow) for n, name in enumerate(PLACES)]


def problem_row(case: dict[str, Any]) -> dict[str, Any]:
    """The case's problem, as a row of a user's own file."""
    given = case["limits"]
    limits = {"time_s": given["timeout_s"], "memory_mib": given["memory_mb"]}
    if "output_mb" in given:
        limits["output_kib"] = given["output_mb"] * 1024
    prompt = case.get("prompt") or case["expected"]["detail"]
    return {"id": case["id"], "prompt": prompt, "limits": limits, "cases": case["tests"], "checker": checker(case)}


def checker(case: dict[str, Any]) -> dict[str, Any]:
    """The checker that is meant; a way to compare that we have no name for is an error, and so is an option."""
    options = dict(case.get("options", {}))
    compare = options.pop("compare", None)
    if compare is None:
        assert not options
        return {"name": "whitespace"}
    tolerance = options.pop("tol", None)
    assert not options
    given = {} if tolerance is None else {"rtol": tolerance, "atol": tolerance}
    return {"name": CHECKERS[compare], **given}


def difference(case: dict[str, Any], verdict: Verdict) -> str | None:
    """What is wrong about a verdict, None where it is right."""
    expected = case["expected"]
    wanted = set().union(*(RIGHT[status] for status in (expected["status"], *expected.get("also_ok", ()))))
    if verdict.outcome not in wanted:
        return f"{case['id']}: {expected['status']} wanted, got {verdict.outcome}: {verdict.message}"
    per_test = expected.get("per_test")
    if per_test and verdict.cases != "".join("1" if status == "passed" else "0" for status in per_test):
        return f"{case['id']}: {per_test} wanted, got {verdict.cases}"
    return None


@pytest.mark.shared
@pytest.mark.timeout(300)
@pytest.mark.parametrize("place", AT_EVERY_PLACE)
def test_every_whole_program_comes_out_as_it_should(place, shared):
    cases = [case for case in read_cases(shared) if case["mode"] == "stdio" and case["language"] == "python"]
    assert len(cases) >= 32
    benchmark = from_rows(problem_row(case) for case in cases)
    assert benchmark.invalid == ()
    texts = {
        case["id"]: Sample(problem_id=case["id"], index=0, text=case["candidate"], mode=Mode.SOLUTION) for case in cases
    }
    asked = {
        "work": msgspec.to_builtins([(problem, [texts[problem.id]]) for problem in benchmark.problems]),
        "without": PLACES[place].without,
        "limits": {},
        "settings": {"workers": 2},
    }
    environment = {name: value for case in cases for name, value in case.get("env", {}).items()}
    told = run_room(command(PLACES[place]), asked, environment)
    if told["isolation"]["level"] < PLACES[place].level:
        pytest.skip(f"this machine gives {told['isolation']['level']} there")
    verdicts = {v.problem_id: v for v in msgspec.convert(told["verdicts"], list[Verdict])}
    assert told["invalids"] == {}
    assert verdicts.keys() == texts.keys()
    assert [d for case in cases if (d := difference(case, verdicts[case["id"]])) is not None] == []
    assert all(v.outcome is not Outcome.SYSTEM_ERROR for v in verdicts.values())
    assert told["strays"] == []
    assert told["before"]["descriptors"] == told["after"]["descriptors"]
