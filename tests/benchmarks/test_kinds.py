from __future__ import annotations

import ast

import pytest

from assay.benchmarks.kinds import first_arguments, is_about_time, kind_of_answer, kind_of_arguments
from assay.records import AssertTests, CallTests, CheckTests, Problem, UnittestTests


def problem(*tests, prompt="", **more):
    return Problem(id="p", prompt=prompt, tests=tests, entry_point="f", **more)


def written(found):
    return [ast.unparse(argument) for argument in found]


@pytest.mark.parametrize(
    ("tests", "arguments"),
    [
        (AssertTests(cases=("assert set(f([1], ')')) == {g(2)}",)), ["[1]", "')'"]),
        (AssertTests(cases=("x = 1", "assert f(x) == f(2)")), ["x"]),
        (AssertTests(cases=("assert f() == 0", "assert f(2) == 0")), ["2"]),
        (CheckTests(source="def check(candidate):\n    assert candidate('a(', 2) == 3"), ["'a('", "2"]),
        (CallTests(inputs=("[]", "[[1], 'a']")), ["[1]", "'a'"]),
        (CallTests(inputs=(f"[{'1, ' * 2000}]", "['a']")), ["'a'"]),
    ],
)
def test_the_first_call_that_has_arguments_is_taken(tests, arguments):
    assert written(first_arguments(problem(tests))) == arguments


def test_where_tests_hide_the_arguments_the_examples_of_a_code_prompt_show_them():
    hidden = CheckTests(source="def check(candidate):\n    for inp in inputs:\n        candidate(*inp)")
    prompt = 'def f(words):\n    """\n    >>> f(["a"], 2)\n    ["b"]\n    """\n'
    assert written(first_arguments(problem(hidden, prompt=prompt, prompt_is_code=True))) == ["['a']", "2"]
    assert first_arguments(problem(hidden, prompt="f(2) is 3")) == []


@pytest.mark.parametrize("case", ["assert f(((((", "assert f(1", "f(", "\0", "assert g(1)", "assert f('" + "(" * 9000])
def test_tests_that_cannot_be_read_show_no_arguments(case):
    assert first_arguments(problem(AssertTests(cases=(case,)))) == []


def test_tests_of_other_kinds_show_no_arguments():
    assert first_arguments(problem(UnittestTests(source="f(1)"))) == []


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        ("f(1, 'a', [])", "collections"),
        ("f(1, 'a')", "text"),
        ("f(-1)", "numbers"),
        ("f(10 ** 9, True)", "numbers"),
        ("f({1: 2})", "collections"),
        ("f((1, 2))", "collections"),
        ("f(root)", None),
        ("f(None)", None),
    ],
)
def test_a_collection_counts_before_a_text_and_a_text_before_a_number(call, kind):
    assert kind_of_arguments(first_arguments(problem(AssertTests(cases=(call,))))) == kind


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("f('2024-02-29')", True),
        ("f('on 29.2.2024')", True),
        ("f(['08:30', '9:05:10'])", True),
        ("f('1-3,7')", False),
        ("f('ratio 1:2')", False),
        ("f(2024)", False),
    ],
)
def test_dates_and_times_of_day_are_told_from_other_texts(call, told):
    assert is_about_time(first_arguments(problem(AssertTests(cases=(call,))))) is told


@pytest.mark.parametrize(
    ("tests", "kind"),
    [
        (AssertTests(cases=("assert f(1) == 'a'",)), "text"),
        (AssertTests(cases=("assert set(f(1)) == {2}",)), "collections"),
        (AssertTests(cases=("assert f(1) == -2.5",)), "numbers"),
        (AssertTests(cases=("assert f(1) == True", "assert f(2) == 3")), None),
        (AssertTests(cases=("assert f(1) is None", "assert f(2) == 3")), "numbers"),
        (AssertTests(cases=("assert math.isclose(f(1), 2.5)",)), None),
        (AssertTests(cases=("assert g(1) == 2",)), None),
        (AssertTests(cases=("assert f(1) == (",)), None),
        (CheckTests(source="def check(candidate):\n    assert candidate(1) == [2]"), "collections"),
        (CheckTests(source="def check(candidate):\n    assert candidate(1) == 2" + " " * 20_000), None),
        (CallTests(inputs=("[1]",)), None),
    ],
)
def test_the_first_answer_that_a_test_compares_tells_its_kind(tests, kind):
    assert kind_of_answer(problem(tests)) == kind


def test_where_tests_hide_the_answer_the_tests_in_the_prompt_show_it():
    prompt = '"""\nDo it.\nassert f(1) == "a"\n"""\n'
    assert kind_of_answer(problem(CallTests(inputs=("[1]",)), prompt=prompt)) == "text"
    assert kind_of_answer(problem(AssertTests(cases=("assert f(1) == 2",)), prompt=prompt)) == "numbers"
