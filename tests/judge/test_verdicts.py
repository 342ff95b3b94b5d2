"""From a report and facts to a verdict: precedence, letters, groups, texts."""

from __future__ import annotations

import msgspec
import pytest
from court import problem

from assay.judge import Marks, Ruling, count_vacuous, unit_groups
from assay.judge.verdicts import Report, Told
from assay.records import AssertTests, CallTests, CheckTests, Execution, Limits, Outcome, StoppedBy, Trust

ASKED = problem(
    None,
    id="p",
    tests=(
        AssertTests(cases=("assert f(1)", "assert f(2)")),
        CallTests(inputs=("[1]", "[2]"), group="plus"),
        CheckTests(source="def check(c): ...", group="challenge"),
    ),
)
GROUPS = unit_groups(ASKED.tests, ("base", "plus"))
RULING = Ruling(ASKED, GROUPS, Limits(time_s=2, memory_mib=64, output_kib=8, processes=3))
MARKS = Marks(7, "digest", "L4")
ALL = ("P", "P", "PP")
TOLD = Told(letter="W", call="f(2)", expected="3", got="4", message="")


def verdict(letters=ALL, facts=None, **report):
    return RULING.verdict(MARKS, Report(letters=letters, **report), facts or Execution())


def test_each_assert_is_a_unit_and_other_tests_are_one_each_of_the_groups_that_are_asked_for():
    assert GROUPS == ("base", "base", "plus")
    assert unit_groups(ASKED.tests, ("base", "plus", "challenge")) == ("base", "base", "plus", "challenge")
    assert unit_groups(ASKED.tests, ()) == ()


def test_a_pass_carries_what_the_engine_binds_to_it_and_nothing_else():
    got = verdict(facts=Execution(time_s=1.23456, peak_mib=3.14))
    assert (got.problem_id, got.sample_index, got.job_digest, got.isolation) == ("p", 7, "digest", "L4")
    assert (got.outcome, got.cases, got.groups) == (Outcome.PASSED, "1111", {"base": (2, 2), "plus": (2, 2)})
    assert (got.passed_cases, got.total_cases, got.score) == (4, 4, 1.0)
    assert (got.message, got.first_failure, got.trust) == ("", None, Trust.ANCHORED)
    assert (got.time_s, got.peak_mib) == (1.2346, 3.1)


def test_a_row_holds_effective_time_processor_time_and_time_on_the_clock():
    got = verdict(facts=Execution(time_s=1.23456, cpu_s=2.00004, wall_s=3))
    assert (got.time_s, got.cpu_s, got.wall_s) == (1.2346, 2.0, 3.0)


AT = ((9, "f"), (3, "g"))


@pytest.mark.parametrize("report", [{"load": ("raised", "X")}, {"ended": "exit"}])
def test_a_program_that_did_not_load_or_ended_itself_is_told_with_its_frames_unless_a_limit_ended_it(report):
    assert verdict(("X", "X", "XX"), frames=AT, **report).first_failure.frames == AT
    stopped = verdict(("X", "X", "XX"), Execution(stopped_by=StoppedBy.TIME), frames=AT, **report)
    assert (stopped.outcome, stopped.first_failure.frames) == (Outcome.TIME_LIMIT, ())


def test_the_frames_of_a_case_are_those_of_the_case_that_failed_first():
    told = Told(letter="R", call="f(2)", expected="", got="", message="E: x (line 3)", frames=AT)
    assert verdict(("P", "R", "PP"), failure=told).first_failure.frames == AT
    assert verdict(("W", "R", "PP"), failure=told).first_failure.frames == ()


STOPS = {
    StoppedBy.TIME: (Outcome.TIME_LIMIT, "over 2 s"),
    StoppedBy.CPU: (Outcome.TIME_LIMIT, "over 2 s of processor time"),
    StoppedBy.WALL: (Outcome.TIME_LIMIT, "over 60 s on the clock"),
    StoppedBy.MEMORY: (Outcome.MEMORY_LIMIT, "over 64 MiB"),
    StoppedBy.OUTPUT: (Outcome.OUTPUT_LIMIT, "over 8 KiB of output"),
    StoppedBy.PROCESSES: (Outcome.RUNTIME_ERROR, "over 3 processes"),
}


@pytest.mark.parametrize("stop", StoppedBy)
@pytest.mark.parametrize(
    "report", [{}, {"ended": "protocol"}, {"ended": "lost"}, {"load": ("raised", "X")}, {"contradicted": True}]
)
def test_a_limit_stands_above_everything_else(stop, report):
    got = verdict(("P", "W", "XX"), Execution(stopped_by=stop, exit_code=0), failure=TOLD, **report)
    assert (got.outcome, got.message) == STOPS[stop]
    assert not got.passed


def test_a_limit_without_a_missing_case_is_no_pass():
    assert verdict(facts=Execution(stopped_by=StoppedBy.OUTPUT)).outcome is Outcome.OUTPUT_LIMIT


@pytest.mark.parametrize(
    ("report", "facts", "outcome", "message"),
    [
        ({"ended": "protocol"}, {"exit_code": 0}, Outcome.FORBIDDEN, "the program wrote to the judge's channel"),
        (
            {"ended": "exit", "frames": ((9, "f"), (3, "g"))},
            {"killed": True},
            Outcome.RUNTIME_ERROR,
            "the program ended itself in a call (line 3)",
        ),
        ({"ended": "exit"}, {"killed": True}, Outcome.RUNTIME_ERROR, "the program ended itself in a call"),
        ({"ended": "lost"}, {"exit_code": 0}, Outcome.RUNTIME_ERROR, "the program ended itself with exit status 0"),
        ({"ended": "torn"}, {"exit_code": 3}, Outcome.RUNTIME_ERROR, "the program ended itself with exit status 3"),
        ({"ended": "lost"}, {"signal": 11}, Outcome.RUNTIME_ERROR, "the program was killed by SIGSEGV"),
        (
            {"ended": "lost"},
            {"exit_code": 0, "killed": True},
            Outcome.RUNTIME_ERROR,
            "the program closed its channel to the judge",
        ),
        ({"load": ("syntax", "SyntaxError: x")}, {}, Outcome.SYNTAX_ERROR, "SyntaxError: x"),
        (
            {"load": ("raised", "ValueError: x")},
            {},
            Outcome.RUNTIME_ERROR,
            "ValueError: x, while the program was loaded",
        ),
        ({"load": ("exit", "SystemExit: 0")}, {}, Outcome.RUNTIME_ERROR, "SystemExit: 0, while the program was loaded"),
        ({"load": ("raised", "MemoryError")}, {}, Outcome.MEMORY_LIMIT, "MemoryError"),
    ],
)
def test_what_ends_a_run_decides_and_fills_the_cases_that_were_not_run(report, facts, outcome, message):
    got = verdict(("P", "X", "XX"), Execution(**facts), **report)
    assert (got.outcome, got.message, got.cases) == (outcome, message, "1000")
    assert (got.first_failure.case, got.first_failure.group, got.first_failure.outcome) == (1, "base", outcome)
    assert got.first_failure.message == message


@pytest.mark.parametrize(
    ("letters", "outcome"),
    [
        (("P", "W", "PP"), Outcome.WRONG_ANSWER),
        (("W", "P", "RP"), Outcome.RUNTIME_ERROR),
        (("R", "W", "PM"), Outcome.MEMORY_LIMIT),
        (("P", "P", "PX"), Outcome.WRONG_ANSWER),
        (("P", "P", "P?"), Outcome.WRONG_ANSWER),
    ],
)
def test_the_worst_case_speaks_for_all(letters, outcome):
    assert verdict(letters).outcome is outcome


def test_no_case_at_all_is_no_pass():
    got = verdict(("", "", ""))
    assert (got.outcome, got.message, got.score) == (Outcome.WRONG_ANSWER, "no assertion was evaluated", 0.0)


def test_a_contradiction_leaves_no_case_that_counts():
    got = verdict(contradicted=True, delegated=True)
    assert (got.outcome, got.cases, got.score, got.trust) == (Outcome.WRONG_ANSWER, "0000", 0.0, Trust.DELEGATED)
    assert "contradict" in got.message
    assert got.first_failure.case == 0


def test_the_first_failure_is_numbered_within_its_group_and_told_as_the_judge_told_it():
    got = verdict(("P", "P", "PW"), failure=TOLD)
    assert got.message == "f(2): expected 3, got 4"
    first = got.first_failure
    assert (first.case, first.group, first.call, first.expected, first.got) == (1, "plus", "f(2)", "3", "4")
    assert got.groups == {"base": (2, 2), "plus": (1, 2)}


def test_a_failure_that_was_told_of_another_kind_of_case_is_not_put_on_the_first():
    assert verdict(("R", "W", "PP"), failure=TOLD).first_failure.call == ""


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ({}, "f(2): expected 3, got 4"),
        ({"message": "two"}, "f(2): expected 3, got 4; two"),
        ({"got": "", "expected": "assert f(2) > 1"}, "f(2): assert f(2) > 1"),
        ({"got": "", "expected": "", "message": ""}, "f(2): the assertion does not hold"),
        ({"call": "", "got": "", "expected": "", "message": "KeyError: 1"}, "KeyError: 1"),
    ],
)
def test_a_failure_is_one_line(told, text):
    assert verdict(("P", "W", "PP"), failure=msgspec.structs.replace(TOLD, **told)).message == text


@pytest.mark.parametrize("outcome", [Outcome.NO_CODE, Outcome.SYSTEM_ERROR, Outcome.FORBIDDEN])
def test_a_sample_that_was_not_judged_has_all_its_cases_and_passes_none(outcome):
    got = RULING.unjudged(MARKS, outcome, "why", (1, 1, 2))
    assert (got.outcome, got.message, got.cases, got.groups) == (
        outcome,
        "why",
        "0000",
        {"base": (0, 2), "plus": (0, 2)},
    )


GOOD = {"letters": ["P", "W", "PP"], "failure": {"letter": "W", "call": "", "expected": "", "got": "", "message": ""}}


def test_a_report_is_read():
    assert RULING.read_report(GOOD, (1, 1, 2)).letters == ("P", "W", "PP")


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        {},
        {"letters": ["P"]},
        {"letters": ["P", "P", "PP", "P"]},
        {"letters": "PPP"},
        {**GOOD, "passed": True},
        {**GOOD, "delegated": 1},
        {**GOOD, "load": ["syntax"]},
        {**GOOD, "failure": {"letter": "W"}},
        {**GOOD, "ended": 5},
        {**GOOD, "letters": ["P", "W", "PZ"]},
        {**GOOD, "frames": [[10**5000, "f"]]},
        {**GOOD, "frames": [[0, "f"]]},
        {**GOOD, "frames": [[1, "f" * 61]]},
        {**GOOD, "frames": [[1, "f"]] * 11},
        {**GOOD, "frames": [[1]]},
        {**GOOD, "load": ["raised", "x" * 5000]},
        {**GOOD, "ended": "passed"},
    ],
)
def test_anything_but_a_report_about_these_tests_is_refused(answer):
    with pytest.raises(ValueError):
        RULING.read_report(answer, (1, 1, 2))


@pytest.mark.parametrize("told", [None, (), (1, 1), (1, 1, -1), (1, 1, 10**12), (1, 1, "2")])
def test_odd_numbers_of_cases_are_refused(told):
    with pytest.raises(ValueError):
        RULING.read_totals(told)


def test_a_signal_without_a_name_is_told_by_its_number():
    got = RULING.verdict(Marks(0, "j", "L4"), Report(letters=("X", "X", "XX"), ended="lost"), Execution(signal=40))
    assert got.message == "the program was killed by signal 40"


def test_a_program_that_kills_itself_is_told_so_although_the_sandbox_makes_another_signal_of_it():
    got = verdict(("P", "X", "XX"), Execution(signal=31), ended="lost")
    assert got.message == "the program was killed by SIGSYS, as which a SIGKILL or fault signal to itself shows"


def test_vacuous_asserts_are_counted_in_texts_that_parse():
    tests = (
        AssertTests(cases=("assert True", "assert f(1) = 2", "assert f(1)")),
        CheckTests(source="def check(c):\n    assert 1\n    assert c(1)"),
    )
    assert count_vacuous(tests) == 2
    assert count_vacuous((CallTests(inputs=("[1]",)),)) == 0


def test_with_a_reference_the_numbers_of_cases_are_known():
    sure = Ruling(msgspec.structs.replace(RULING.problem, reference="f = 1"), RULING.groups, RULING.limits)
    assert sure.read_report(GOOD, (1, 1, 2)).letters == ("P", "W", "PP")
    with pytest.raises(ValueError, match="cases"):
        sure.read_report({**GOOD, "letters": ["P", "W", "PPP"]}, (1, 1, 2))
