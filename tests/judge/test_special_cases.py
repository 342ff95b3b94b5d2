"""What hidden inputs make of a verdict, and what a judge fork may tell of them."""

from __future__ import annotations

import pytest

from assay.judge.special_cases import (
    First,
    HiddenCount,
    of_tests,
    read_answers,
    read_questions,
    screen_of,
    weigh,
)
from assay.records import Execution, Outcome, Trust, Verdict

FIRST = First(call="f(2)", expected="4", got="None")


def passed() -> Verdict:
    return Verdict(
        problem_id="p", sample_index=0, outcome=Outcome.PASSED, passed_cases=2, total_cases=2, groups={"base": (2, 2)}, cases="11",
        trust=Trust.ANCHORED, time_s=0.1, peak_mib=1.0, message="", job_digest="",
    )  # fmt: skip


@pytest.mark.parametrize(("agreed", "asked", "special"), [(0, 4, True), (5, 24, True), (6, 24, False), (1, 4, False)])
def test_less_than_a_quarter_is_special_cased(agreed: int, asked: int, special: bool) -> None:
    verdict = weigh(passed(), HiddenCount(agreed, asked, FIRST), "flag")
    assert (verdict.special_cased, verdict.hidden, verdict.passed) == (special, (agreed, asked), True)
    assert weigh(passed(), HiddenCount(agreed, asked, FIRST), "require").passed is not special


def test_a_verdict_stays_as_it_is_where_nothing_could_be_asked() -> None:
    assert weigh(passed(), None, "require") == passed()


def test_a_refused_sample_says_why_and_keeps_its_cases() -> None:
    verdict = weigh(passed(), HiddenCount(1, 24, FIRST), "require")
    assert verdict.outcome is Outcome.WRONG_ANSWER
    assert verdict.message == (
        "agrees with the reference on 1 of 24 hidden inputs, though it passes the tests: f(2): expected 4, got None"
    )
    assert (verdict.cases, verdict.groups, verdict.passed_cases) == ("11", {"base": (2, 2)}, 2)
    failure = verdict.first_failure
    assert failure is not None
    assert (failure.group, failure.call, failure.expected, failure.got) == ("hidden", "f(2)", "4", "None")
    bare = weigh(passed(), HiddenCount(0, 4), "require")
    assert bare.message == "agrees with the reference on 0 of 4 hidden inputs, though it passes the tests"


def test_few_questions_decide_nothing() -> None:
    questions = tuple((b"%d" % n, b"a") for n in range(24))
    assert screen_of(questions[:7]) == ()
    assert screen_of(questions[:8]) == questions[:4]


@pytest.mark.parametrize("told", [None, 1, "ab", ((b"a",),), ((b"a", "b"),), ((b"a", b"b"),) * 25])
def test_questions_that_are_none_are_refused(told: object) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_questions(told)


@pytest.mark.parametrize(("marks", "first"), [(1, None), ("AX", None), ("A" * 25, None), ("A", {}), ("A", "no")])
def test_answers_that_are_none_are_refused(marks: object, first: object) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_answers(marks, first)


def test_the_screens_share_is_taken_off_the_time() -> None:
    facts = Execution(time_s=0.2, wall_s=0.4)
    assert of_tests(facts, 0.1).time_s == pytest.approx(0.15)
    assert of_tests(facts, 0.0) is facts
    assert of_tests(facts, 0.5) is facts
