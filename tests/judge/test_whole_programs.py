"""What a run's end makes of its output: a limit, then the exit status, then what was printed. The facts here are made up."""

from __future__ import annotations

import msgspec
import pytest

from assay.judge.verdicts import Marks, Ruling, unit_groups
from assay.judge.whole_programs import (
    CaseRun,
    RunReport,
    cases_of,
    ends_sample,
    is_whole_program,
    read_run,
    verdict_of_runs,
)
from assay.records import (
    AssertTests,
    Execution,
    Limits,
    Outcome,
    Problem,
    StdioCase,
    StdioTests,
    StoppedBy,
    Trust,
)

MARKS = Marks(3, "digest", "L4")
GROUPS = ("base", "plus")
TOLD = {"letter": "W", "call": "input 'x'", "expected": "'1'", "got": "'2'", "message": "line 1 of the output"}
FINE = Execution(exit_code=0, time_s=0.5, peak_mib=2)
RIGHT, WRONG = {"letter": "P"}, {"letter": "W", "failure": TOLD}
TRACE = 'Traceback (most recent call last):\n  File "/tmp/solution.py", line {}, in <module>\n    x\n{}\n'


def problem(base: int = 4, plus: int = 0) -> Problem:
    tests = [
        StdioTests(cases=tuple(StdioCase(stdin=f"{group} {n}", stdout="") for n in range(count)), group=group)
        for group, count in (("base", base), ("plus", plus))
        if count
    ]
    return Problem(id="p", prompt="?", tests=tuple(tests))


def judged(*runs: tuple[dict, Execution], asked: Problem | None = None):
    asked = asked or problem()
    ruling = Ruling(asked, unit_groups(asked.tests, GROUPS), Limits(time_s=2))
    places = list(cases_of(asked.tests, GROUPS))
    seen = [
        CaseRun(unit, number, case.stdin, read_run(report), facts)
        for (unit, number, case), (report, facts) in zip(places, runs, strict=False)
    ]
    ended = [ends_sample(ruling, run) for run in seen]
    assert not any(ended[:-1])
    assert len(seen) == len(places) or ended[-1], "the engine would have run more"
    return verdict_of_runs(ruling, MARKS, seen, [len(t.cases) for t in asked.tests])


def test_all_right_and_ended_well_is_a_pass():
    verdict = judged((RIGHT, FINE), (RIGHT, FINE), (RIGHT, Execution(exit_code=0, time_s=1.5)), (RIGHT, FINE))
    assert (verdict.outcome, verdict.cases, verdict.message, verdict.first_failure) == (
        Outcome.PASSED,
        "1111",
        "",
        None,
    )
    assert (verdict.trust, verdict.groups) == (Trust.ANCHORED, {"base": (4, 4)})
    assert (verdict.time_s, verdict.peak_mib) == (1.5, 2), "those of the case that took most"


def test_a_case_that_fails_says_nothing_about_the_next():
    verdict = judged((RIGHT, FINE), (WRONG, FINE), (RIGHT, Execution(exit_code=3)), (RIGHT, FINE))
    assert (verdict.outcome, verdict.cases) == (Outcome.RUNTIME_ERROR, "1001")
    assert verdict.message == "input 'base 2': the program ended itself with exit status 3"
    failure = verdict.first_failure
    assert failure is not None
    assert (failure.case, failure.outcome, failure.got) == (1, Outcome.WRONG_ANSWER, "'2'")


LIMITS = {
    StoppedBy.TIME: (Outcome.TIME_LIMIT, "over 2 s"),
    StoppedBy.CPU: (Outcome.TIME_LIMIT, "over 2 s of processor time"),
    StoppedBy.WALL: (Outcome.TIME_LIMIT, "over 60 s on the clock"),
    StoppedBy.MEMORY: (Outcome.MEMORY_LIMIT, "over 1024 MiB"),
    StoppedBy.OUTPUT: (Outcome.OUTPUT_LIMIT, "over 64 MiB on standard error"),
}


@pytest.mark.parametrize("stop", LIMITS)
def test_after_a_limit_the_rest_is_not_run(stop):
    verdict = judged((WRONG, FINE), (RIGHT, Execution(signal=9, stopped_by=stop)))
    outcome, message = LIMITS[stop]
    assert (verdict.outcome, verdict.cases) == (outcome, "0000")
    assert verdict.message == f"input 'base 1': {message}"
    assert verdict.first_failure is not None
    assert verdict.first_failure.outcome is Outcome.WRONG_ANSWER


def test_a_limit_stands_above_the_exit_status_and_the_output():
    verdict = judged((RIGHT, Execution(exit_code=0, stopped_by=StoppedBy.TIME)))
    assert verdict.outcome is Outcome.TIME_LIMIT
    assert verdict.first_failure is not None
    assert (verdict.first_failure.case, verdict.first_failure.outcome) == (0, Outcome.TIME_LIMIT)


def test_too_much_output_is_a_limit_though_the_program_was_ended_for_it():
    verdict = judged((RIGHT, FINE), ({"letter": "X", "ended": "flood"}, Execution(killed=True, signal=9)))
    assert (verdict.outcome, verdict.cases) == (Outcome.OUTPUT_LIMIT, "1000")
    assert verdict.message == "input 'base 1': over 1024 KiB of output"


def test_a_program_that_is_no_python_is_not_run_again():
    verdict = judged(({"letter": "X", "load": ("syntax", "SyntaxError: no")}, Execution(exit_code=1)))
    assert (verdict.outcome, verdict.cases, verdict.message) == (Outcome.SYNTAX_ERROR, "0000", "SyntaxError: no")


ENDS = [
    (Execution(signal=11), Outcome.RUNTIME_ERROR, "the program was killed by SIGSEGV"),
    (Execution(exit_code=1), Outcome.RUNTIME_ERROR, "the program ended itself with exit status 1"),
    (Execution(exit_code=1, stderr=TRACE.format(4, "ValueError: x")), Outcome.RUNTIME_ERROR, "ValueError: x (line 4)"),
    (Execution(exit_code=1, stderr=TRACE.format(4, "a.b.OwnError")), Outcome.RUNTIME_ERROR, "a.b.OwnError (line 4)"),
    (Execution(exit_code=1, stderr=TRACE.format(4, "MemoryError")), Outcome.MEMORY_LIMIT, "MemoryError (line 4)"),
    (
        Execution(exit_code=1, stderr=TRACE.format(1, "numpy._core._exceptions._ArrayMemoryError: Unable to ...")),
        Outcome.MEMORY_LIMIT,
        "numpy._core._exceptions._ArrayMemoryError: Unable to ... (line 1)",
    ),
    (
        Execution(exit_code=1, stderr=TRACE.format(1, "A: 1") + "\nDuring ...\n\n" + TRACE.format(2, "B: 2\nmore")),
        Outcome.RUNTIME_ERROR,
        "B: 2 (line 2)",
    ),
    (Execution(exit_code=1, stderr="MemoryError"), Outcome.RUNTIME_ERROR, "the program ended itself with exit status 1"),
    (Execution(exit_code=2, stderr=TRACE.format(1, "MemoryError")), Outcome.RUNTIME_ERROR, "the program ended itself with exit status 2"),
    (Execution(exit_code=1, stderr=TRACE.format(1, "[] no name")), Outcome.RUNTIME_ERROR, "the program ended itself with exit status 1"),
    (Execution(exit_code=1, stderr=TRACE.format(1, "E: " + "\x1b" * 9000)), Outcome.RUNTIME_ERROR, "E: \\x1b"),
]  # fmt: skip


@pytest.mark.parametrize(("facts", "outcome", "message"), ENDS)
def test_right_output_is_no_pass_where_the_program_ended_badly(facts, outcome, message):
    runs = [(RIGHT, facts)] if outcome is Outcome.MEMORY_LIMIT else [(RIGHT, facts), *[(RIGHT, FINE)] * 3]
    verdict = judged(*runs)
    assert (verdict.outcome, verdict.cases[0]) == (outcome, "0")
    assert verdict.message.startswith(f"input 'base 0': {message}")
    assert len(verdict.message) < 400


def test_a_process_that_was_lost_never_passes_whatever_its_exit_status():
    lost = ({"letter": "X", "ended": "lost"}, Execution(exit_code=0))
    assert judged(lost, lost, lost, lost).outcome is Outcome.RUNTIME_ERROR


def test_groups_are_counted_apart_and_all_decide():
    verdict = judged((RIGHT, FINE), (RIGHT, FINE), (RIGHT, FINE), (WRONG, FINE), asked=problem(2, 2))
    assert (verdict.outcome, verdict.cases) == (Outcome.WRONG_ANSWER, "1110")
    assert verdict.groups == {"base": (2, 2), "plus": (1, 2)}
    assert verdict.first_failure is not None
    assert (verdict.first_failure.group, verdict.first_failure.case) == ("plus", 1)


@pytest.mark.parametrize(
    "answer",
    [
        None,
        {},
        {"letter": "Y"},
        {"letter": "P", "passed": True},
        {"letter": "P", "ended": "exit"},
        {"letter": "X", "load": ("raised", "x")},
        {"letter": "W", "failure": {"letter": "W"}},
        {"letter": "W", "failure": TOLD | {"got": "x" * 5000}},
    ],
)
def test_a_report_that_is_none_is_refused(answer):
    with pytest.raises(msgspec.ValidationError):
        read_run(answer)


def test_a_report_is_read():
    assert read_run({"letter": "P"}) == RunReport(letter="P")


def test_whole_programs_are_told_by_the_tests_of_the_groups():
    mixed = (AssertTests(cases=("assert f(1)",), group="plus"), *problem(1).tests)
    assert is_whole_program(mixed, ("base",))
    assert not is_whole_program(mixed, ("plus",))
    assert [(unit, number) for unit, number, _ in cases_of(problem(2, 1).tests, GROUPS)] == [(0, 0), (0, 1), (1, 0)]
    assert [(unit, number) for unit, number, _ in cases_of(problem(2, 1).tests, ("plus",))] == [(0, 0)]
