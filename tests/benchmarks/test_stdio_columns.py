"""Rows of whole programs: read strictly, so that no case is weaker than its author thinks."""

from __future__ import annotations

import pytest

from assay.benchmarks import from_rows
from assay.benchmarks.stdio_columns import CHECKER_NAMES
from assay.errors import DataError
from assay.judge.checkers import CHECKERS
from assay.records import Checker, StdioCase, StdioTests

CASE = {"stdin": "1\n", "stdout": "2\n"}
ROW = {"id": "a", "prompt": "Add one.", "cases": [CASE]}
CUSTOM = {"name": "custom", "source": "def check(stdin, expected, got):\n    return True\n"}


def read(**change):
    (problem,) = from_rows([{**ROW, **change}]).problems
    return problem


def test_a_row_becomes_a_problem_without_an_entry_point():
    problem = read(reference="print(int(input()) + 1)", limits={"time_s": 2})
    assert problem.tests == (StdioTests(cases=(StdioCase(stdin="1\n", stdout="2\n"),)),)
    assert (problem.entry_point, problem.prompt_is_code, problem.limits.time_s) == (None, False, 2.0)
    assert problem.tests[0].checker == Checker(name="whitespace")


def test_a_prompt_that_is_code_is_no_beginning_of_the_program():
    assert not read(prompt="def f(n):\n    return n\n").prompt_is_code


def test_cases_are_sorted_by_group_and_keep_their_order_in_it():
    cases = [{"stdout": "p", "group": "plus"}, {"stdout": "1"}, {"stdout": "c", "group": "challenge"}, {"stdout": "2"}]
    found = [(tests.group, [case.stdout for case in tests.cases]) for tests in read(cases=cases).tests]
    assert found == [("base", ["1", "2"]), ("plus", ["p"]), ("challenge", ["c"])]


def test_input_may_be_missing_and_with_a_checker_of_its_own_the_output_too():
    assert read(cases=[{"stdout": "x"}]).tests[0].cases == (StdioCase(stdin="", stdout="x"),)
    assert read(cases=[{"stdin": "x"}], checker=CUSTOM).tests[0].cases == (StdioCase(stdin="x", stdout=""),)


@pytest.mark.parametrize(
    ("given", "checker"),
    [
        ("tokens", Checker(name="tokens")),
        ({"name": "numbers", "rtol": 1e-9}, Checker(name="numbers", rtol=1e-9)),
        ({"name": "tokens", "ignore_case": True}, Checker(name="tokens", ignore_case=True)),
        (CUSTOM, Checker(**CUSTOM)),
    ],
)
def test_a_checker_is_read(given, checker):
    assert read(checker=given).tests[0].checker == checker


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"cases": []}, "'cases' is empty"),
        ({"cases": "1"}, "'cases' must be a list of objects"),
        ({"cases": [CASE, "1"]}, "case 1 must be an object with 'stdin' and 'stdout'"),
        ({"cases": [{"stdin": "1"}]}, "case 0: 'stdout' is missing"),
        ({"cases": [{**CASE, "stdout": 2}]}, "case 0: 'stdout' must be a text, not a number (2)"),
        ({"cases": [{"stdin": ["1"], "stdout": "2"}]}, "case 0: 'stdin' must be a text"),
        ({"cases": [{"stdin": "1", "stdot": "2"}]}, "case 0: unknown key 'stdot', did you mean 'stdout'?"),
        ({"cases": [{**CASE, "group": "hard"}]}, "case 0: 'group' must be one of base, plus, challenge"),
        ({"checker": "token"}, "'token' is unknown, did you mean 'tokens'?"),
        ({"checker": "fuzzy"}, "'fuzzy' is unknown, known are exact, whitespace"),
        ({"checker": {"name": "tokens", "rtol": 0.1}}, "'rtol' is for 'numbers' only"),
        ({"checker": {"name": "tokens", "source": "x"}}, "'source' is for 'custom' only"),
        ({"checker": {"name": "numbers", "atol": -1}}, "tolerances must not be negative or infinite"),
        ({"checker": {"name": "numbers", "tol": 1}}, "unknown field `tol`"),
        ({"checker": 3}, "'checker' a number (3)"),
        ({"checker": "custom"}, "'custom' needs 'source'"),
        ({"checker": {**CUSTOM, "source": "def check(:"}}, "'source' is not valid Python"),
        ({"checker": {**CUSTOM, "source": "x = 1"}}, "'source' must define check(stdin, expected, got)"),
        ({"checker": {**CUSTOM, "ignore_case": True}}, "'ignore_case' is not for 'custom'"),
        ({"setup": "import math"}, "'setup' has no meaning beside 'cases': a whole program stands alone"),
        ({"entry_point": "f"}, "'entry_point' has no meaning beside 'cases'"),
        ({"oracle": "exact"}, "'oracle' has no meaning beside 'cases'"),
        ({"plus": [[1]]}, "'plus' has no meaning beside 'cases': give a case its 'group'"),
        ({"challenge": ["assert f(1)"]}, "'challenge' has no meaning beside 'cases'"),
        ({"cases": None, "tests": ["assert f(1)"], "checker": "tokens"}, "'checker' is for 'cases' only"),
    ],
)
def test_an_unusable_row_is_named_with_what_is_wrong(change, reason):
    with pytest.raises(DataError) as caught:
        from_rows([{**ROW, **change}])
    assert reason in str(caught.value)


def test_a_reference_that_is_no_python_makes_the_problem_invalid():
    (invalid,) = from_rows([{**ROW, "reference": "print("}]).invalid
    assert invalid.reason == "reference is not valid Python"


def test_the_names_are_those_of_the_judge():
    assert CHECKER_NAMES == CHECKERS
