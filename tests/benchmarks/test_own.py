from __future__ import annotations

import pytest

from assay.benchmarks import from_rows
from assay.errors import DataError
from assay.records import AssertTests, CallTests, CheckTests, Limits, Oracle, UnittestTests

ROW = {"id": "a", "prompt": "Double n.", "reference": "def twice(n):\n    return 2 * n\n"}
TESTS = {**ROW, "tests": ["assert twice(2) == 4"]}
INPUTS = {**ROW, "inputs": [[2], [0]]}
CHECK = {**ROW, "check": "def check(candidate):\n    assert candidate(1) == 2\n"}


def only(row):
    (problem,) = from_rows([row]).problems
    return problem


def refusal(row) -> str:
    with pytest.raises(DataError) as caught:
        from_rows([row])
    return str(caught.value)


def test_asserts_are_the_base_group_and_the_entry_point_is_found():
    problem = only(TESTS)
    assert problem.tests == (AssertTests(cases=("assert twice(2) == 4",)),)
    assert problem.entry_point == "twice"


def test_without_a_reference_the_entry_point_comes_from_the_first_test():
    row = {"id": 3, "prompt": "p", "tests": ["assert isclose(half(1), .5)"], "setup": "from math import isclose"}
    problem = only(row)
    assert (problem.id, problem.entry_point, problem.reference) == ("3", "half", None)
    assert problem.setup == "from math import isclose"


def test_a_check_function_is_one_kind_of_test():
    assert only(CHECK).tests == (CheckTests(source=CHECK["check"]),)


def test_inputs_are_json_lists_or_the_text_of_a_python_literal():
    assert only(INPUTS).tests == (CallTests(inputs=("[2]", "[0]")),)
    assert only({**ROW, "inputs": "[[(1, 2)]]"}).tests == (CallTests(inputs=("[(1, 2)]",)),)


def test_plus_and_challenge_are_groups_of_their_own():
    problem = only({**TESTS, "plus": [[5], [6]], "challenge": ["assert twice(9) == 18"], "oracle": "set"})
    assert problem.tests[1:] == (
        CallTests(inputs=("[5]", "[6]"), group="plus", oracle=Oracle(name="set")),
        AssertTests(cases=("assert twice(9) == 18",), group="challenge"),
    )


def test_an_empty_plus_list_is_no_group():
    assert len(only({**TESTS, "plus": [], "challenge": []}).tests) == 1


@pytest.mark.parametrize(
    ("given", "oracle"),
    [
        ("exact", Oracle()),
        ("set", Oracle(name="set")),
        ("close", Oracle(name="close", rtol=1e-7, atol=0.0)),
        ({"name": "close", "rtol": 0.5, "atol": 1}, Oracle(name="close", rtol=0.5, atol=1.0)),
    ],
)
def test_an_oracle_is_a_name_or_a_name_with_tolerances(given, oracle):
    assert only({**INPUTS, "oracle": given}).tests[0].oracle == oracle


def test_limits_split_and_tags_are_kept():
    problem = only({**TESTS, "limits": {"time_s": 20, "memory_mib": 64}, "split": "dev", "tags": ["text", "dates"]})
    assert problem.limits == Limits(time_s=20.0, memory_mib=64)
    assert (problem.split, problem.tags) == ("dev", ("text", "dates"))


def test_a_prompt_that_begins_the_program_is_code():
    assert only({**TESTS, "prompt": "def twice(n):\n"}).prompt_is_code
    assert not only(TESTS).prompt_is_code


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({**TESTS, "refrence": "x"}, "unknown key 'refrence', did you mean 'reference'?"),
        ({**TESTS, "zzz": "x"}, "unknown key 'zzz'"),
        ({**TESTS, "id": None}, "'id' is missing"),
        ({**TESTS, "id": ""}, "'id' must be a printable text"),
        ({**TESTS, "id": "a\nb"}, "'id' must be a printable text"),
        ({**TESTS, "prompt": None}, "'prompt' is missing"),
        ({**TESTS, "check": "x"}, "exactly one of 'tests', 'check', 'inputs', 'cases', 'unittest' is needed"),
        (ROW, "none is given"),
        ({**TESTS, "tests": []}, "'tests' is empty"),
        ({**TESTS, "tests": "assert f(1)"}, "'tests' must be a list of texts, not a text"),
        ({**INPUTS, "inputs": []}, "'inputs' is empty"),
        ({**INPUTS, "inputs": [1]}, "'inputs' item 0 must be a list of arguments"),
        ({**INPUTS, "reference": None, "entry_point": "f"}, "'reference' is missing"),
        ({**TESTS, "reference": None, "plus": [[1]]}, "'reference' is missing"),
        ({**CHECK, "reference": None}, "'entry_point' is missing"),
        ({**TESTS, "entry_point": "not a name"}, "'entry_point' must be a Python name, not 'not a name'"),
        ({**INPUTS, "oracle": "clos"}, "'oracle' 'clos' is unknown, did you mean 'close'?"),
        ({**INPUTS, "oracle": {"name": "close", "tol": 1}}, "unknown field `tol`"),
        ({**INPUTS, "oracle": 3}, "'oracle' a number (3)"),
        ({**INPUTS, "oracle": {"name": "close", "atol": -1}}, "must not be negative"),
        ({**TESTS, "limits": {"time": 3}}, "unknown field `time`"),
        ({**TESTS, "limits": {"time_s": "3"}}, "'limits'"),
        ({**TESTS, "limits": {"time_s": 0}}, "'limits': 'time_s' must be a number from 0.01 to 86400, not 0"),
        ({**TESTS, "limits": {"time_s": float("nan")}}, "'time_s' must be a number from 0.01 to 86400, not nan"),
        ({**TESTS, "limits": {"time_s": 10**400}}, "Number out of range - at `$.time_s`"),
        ({**TESTS, "limits": {"disk_mib": -1}}, "'disk_mib' must be a whole number from 1 to 1048576, not -1"),
        ({**TESTS, "limits": {"network": True}}, "'network' must be false"),
        ({**TESTS, "tags": ["a", 1]}, "'tags' must hold texts"),
    ],
)
def test_an_unusable_row_is_named_with_field_and_value(row, reason):
    assert reason in refusal(row)


SUITE = {"id": "b", "prompt": "p", "entry_point": "f", "reference": "def f(x):\n    return x\n"}


def test_a_unittest_suite_is_read_with_what_may_stand_beside_it():
    source = "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(f(1), 1)\n"
    (problem,) = from_rows([{**SUITE, "unittest": source, "plus": [[2]], "challenge": ["assert f(3) == 3"]}]).problems
    assert problem.tests[0] == UnittestTests(source=source)
    assert [tests.group for tests in problem.tests] == ["base", "plus", "challenge"]


def test_a_suite_that_is_no_python_is_invalid_and_the_others_stay():
    benchmark = from_rows([{**SUITE, "split": "dev", "unittest": "class T(:"}, TESTS])
    (invalid,) = benchmark.invalid
    assert (invalid.id, invalid.split, invalid.reason) == ("b", "dev", "unittest is not valid Python")
    assert [problem.id for problem in benchmark.problems] == ["a"]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({**TESTS, "tests": ["assert twice(1) == 2", "assert twice(1"]}, "base test 1 is not valid Python"),
        ({**TESTS, "challenge": ["assert ("]}, "challenge test 0 is not valid Python"),
        ({**CHECK, "check": "def check(c):\nassert"}, "check is not valid Python"),
        ({**TESTS, "setup": "import"}, "setup is not valid Python"),
        ({**TESTS, "entry_point": "twice", "reference": "def twice(n) return"}, "reference is not valid Python"),
    ],
)
def test_a_problem_whose_code_is_no_python_is_invalid_with_the_reason(row, reason):
    (invalid,) = from_rows([row]).invalid
    assert invalid.reason == reason
