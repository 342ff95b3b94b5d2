from __future__ import annotations

import pytest

from assay.benchmarks.statements import NOTHING, cut, statements_of
from assay.records import AssertTests, CallTests, CheckTests, Problem, StdioCase, StdioTests, UnittestTests


def problem(*tests, entry_point: str | None = "f") -> Problem:
    return Problem(id="a", prompt="", tests=tests, entry_point=entry_point)


def only(case: str):
    (found,) = statements_of(problem(AssertTests(cases=(case,))))
    return found


def test_layout_and_message_do_not_make_another_test() -> None:
    assert only("assert f( 1,[2] )==3").key == only("assert (f(1, [2]) == 3), 'no'").key
    assert only("assert f(1) == 3").key != only("assert f(1) == 3.0").key


@pytest.mark.parametrize(
    ("case", "call", "expected"),
    [
        ("assert f(1, (2,)) == [3]", "[1, (2,)]", [3]),
        ("assert 5 == f('a')", "['a']", 5),
        ("assert f() is None", "[]", None),
        ("assert f(-1)", "[-1]", True),
        ("assert not f({1: {2}})", "[{1: {2}}]", False),
        ("assert f(1) != 2", "[1]", NOTHING),
        ("assert set(f([1])) == {1}", "[[1]]", NOTHING),
        ("assert f(1) == 1 < 2", "[1]", NOTHING),
        ("assert f(1) == g(2)", "[1]", NOTHING),
        ("assert abs(f(1.5) - 2) < 1e-3", "[1.5]", NOTHING),
    ],
)
def test_input_and_answer_of_the_only_call_are_read(case: str, call: str, expected: object) -> None:
    found = only(case)
    assert (found.call, found.expected) == (call, expected)


@pytest.mark.parametrize(
    "case",
    [
        "assert f(x) == 1",
        "assert f(1) == f(2)",
        "assert f(n=1) == 1",
        "assert f(*[1]) == 1",
        "assert g(1) == 1",
        "x = 1",
    ],
)
def test_what_is_no_single_call_of_literals_has_no_input(case: str) -> None:
    assert only(case).call is None


def test_a_test_that_is_no_python_is_compared_by_its_words() -> None:
    assert only("assert  f(1 ==").key == "assert f(1 =="


CHECK = """
import math

def check(candidate):
    assert candidate(1) == 2, "a message"
    x = candidate(3)
    assert x == 4
    assert True
    assert 2 == candidate(1)
    for n in range(3):
        assert candidate(n) == n
"""


def test_in_check_only_asserts_that_rest_on_the_candidate_alone_are_compared_and_all_are_counted() -> None:
    found = statements_of(problem(CheckTests(source=CHECK)))
    assert [(s.place, s.key, s.call) for s in found] == [
        ("base 0", "f(1) == 2", "[1]"),
        ("base 3", "2 == f(1)", "[1]"),
    ]


def test_a_source_without_check_says_nothing() -> None:
    assert statements_of(problem(CheckTests(source="def test(candidate): assert candidate(1)"))) == []
    assert statements_of(problem(CheckTests(source="def check():\n    assert f(1) == 2"))) != []


def test_groups_are_numbered_each_for_itself() -> None:
    tests = (
        AssertTests(cases=("assert f(1) == 1", "assert f(2) == 2")),
        CallTests(inputs=("[1]", "[nan]"), group="plus"),
        AssertTests(cases=("assert f(3) == 3",), group="challenge"),
    )
    assert [s.place for s in statements_of(problem(*tests))] == ["base 0", "base 1", "plus 0", "plus 1", "challenge 0"]


def test_whole_programs_are_compared_by_their_input_and_suites_not_at_all() -> None:
    cases = (StdioCase(stdin="1", stdout="2"), StdioCase(stdin="1", stdout="3"))
    first, second = statements_of(problem(StdioTests(cases=cases), UnittestTests(source="")))
    assert first.key == second.key


def test_a_number_too_long_to_be_written_is_no_input() -> None:
    case = f"assert f(0x{'f' * 5000}) == 1"
    first, again, other = statements_of(problem(AssertTests(cases=(case, case, case.replace("f)", "e)")))))
    assert (first.call, first.key) == (None, again.key)
    assert first.key != other.key


def test_texts_are_cut_and_put_on_one_line() -> None:
    assert cut("assert f(\n  1) == 2") == "assert f( 1) == 2"
    assert len(cut("x" * 500)) == 80
