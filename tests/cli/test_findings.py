from __future__ import annotations

import pytest

from assay.benchmarks import Finding, FindingKind
from assay.cli.findings import DETAILS_SHOWN, IDS_SHOWN, KINDS, Findings
from assay.engine import ReferenceCheck
from assay.records import AssertTests, Benchmark, Fault, InvalidProblem, Problem, Trust


def problem(id_: str, case: str = "assert f(1) == 1") -> Problem:
    return Problem(id=id_, prompt="?", tests=(AssertTests(cases=(case,)),), entry_point="f", reference="?")


def checked(id_: str, **fields) -> ReferenceCheck:
    given = {
        "id": id_, "passed": True, "reason": "", "vacuous": False, "trust": Trust.ANCHORED, "time_s": 0.1, "cases": 1,
    }  # fmt: skip
    return ReferenceCheck(**(given | fields))


def findings(
    *checks: ReferenceCheck, read: tuple[Finding, ...] = (), invalid: tuple[InvalidProblem, ...] = ()
) -> Findings:
    problems = tuple(problem(check.id) for check in checks)
    benchmark = Benchmark(name="b", version=None, digest="d", problems=problems, invalid=invalid)
    return Findings(benchmark, checks, read)


def failed(id_: str, fault: Fault, **fields) -> ReferenceCheck:
    return checked(id_, passed=False, fault=fault, reason=f"why {id_}", passed_runs=0, **fields)


def test_every_kind_of_reading_has_its_place_and_weight() -> None:
    assert {kind.value for kind in FindingKind} <= set(KINDS)
    assert {weight for weight, _ in KINDS.values()} == {"error", "warning", "note"}


@pytest.mark.parametrize("fault", Fault)
def test_only_a_reference_that_is_at_fault_has_failed_but_its_problem_is_invalid_in_any_case(fault: Fault) -> None:
    found = findings(failed("a", fault))
    assert found.details()["failed"].keys() == ({"a"} if fault is not Fault.TESTS else set())
    assert found.details()["invalid"] == {"a": "why a"}
    assert not found.in_order


def test_a_reference_over_its_limit_is_slow_and_has_failed() -> None:
    found = findings(failed("a", Fault.TIME, time_s=6.0))
    assert found.details()["slow"] == {"a": "it takes 6.0 s, and its limit is 5 s; 40 s would fit"}
    assert found.details()["failed"] == {"a": "why a"}


def test_a_reference_near_its_memory_limit_is_large() -> None:
    found = findings(checked("a", peak_mib=930.4))
    assert found.details()["large"] == {"a": "it uses 930 MiB, and its limit is 1,024 MiB; 2,048 MiB would fit"}


def test_a_flaky_reference_is_told_with_its_runs_and_is_in_order() -> None:
    found = findings(checked("a", reason="under other seeds: no", runs=3, passed_runs=2))
    assert found.details()["flaky"] == {"a": "it passes 2 of 3 runs; under other seeds: no"}
    assert found.in_order


def test_problems_that_were_never_judged_come_before_those_that_failed() -> None:
    found = findings(failed("a", Fault.REFERENCE), invalid=(InvalidProblem(id="z", reason="why z"),))
    assert [row["id"] for row in found.as_json()["invalid"]] == ["z", "a"]
    assert not findings(invalid=(InvalidProblem(id="z", reason="why z"),)).in_order


def test_what_failed_is_told_to_people_once() -> None:
    text = findings(failed("a", Fault.REFERENCE)).as_text()
    assert text.count("why a") == 1
    assert "can't be judged" not in text


def test_vacuous_asserts_are_counted_without_a_reference_too() -> None:
    benchmark = Benchmark(name="b", version=None, digest="d", problems=(problem("a", "assert True; assert True"),))
    assert Findings(benchmark, (), ()).details()["vacuous"] == {"a": "2 asserts"}


def test_long_lists_are_cut_for_people_and_whole_in_json() -> None:
    many = [f"p{n}" for n in range(30)]
    read = tuple(Finding(FindingKind.NO_CALL, id_, f"detail of {id_}") for id_ in many)
    found = findings(*map(checked, many), read=read)
    text = found.as_text()
    assert f"{', '.join(many[:IDS_SHOWN])} and 22 more" in " ".join(text.split())
    assert "detail of p4" in text
    assert "detail of p5" not in text
    assert f"  and {30 - DETAILS_SHOWN} more (--json lists all)" in text
    assert found.as_json()["no_call"] == many
    assert len(found.as_json()["findings"]) == 30


def test_equal_details_are_told_together() -> None:
    read = tuple(Finding(FindingKind.FEW_SHOT_OVERLAP, id_, "shown") for id_ in ("a", "b"))
    assert "  a, b: shown" in findings(checked("a"), checked("b"), read=read).as_text()
