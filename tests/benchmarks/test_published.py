from __future__ import annotations

import pytest

from assay.benchmarks import from_rows
from assay.benchmarks.published import EVALPLUS, HUMANEVAL, MBPP, SANITIZED
from assay.errors import DataError
from assay.records import AssertTests, CallTests, CheckTests, Oracle

MBPP_ROW = {
    "task_id": 7,
    "text": "Write a function to double n.",
    "code": "def helper(n):\r\n\treturn n\r\ndef twice(n):\r\n\treturn 2 * helper(n)\r\n",
    "test_setup_code": "import math\r\nx = 1",
    "test_list": ["assert twice(2) == 4", "assert twice(0) == 0"],
    "challenge_test_list": ["assert twice(-1) == -2"],
}
SANITIZED_ROW = {
    "source_file": "notebook",
    "task_id": 7,
    "prompt": "Write a function to double n.",
    "code": "def twice(n):\n  return 2 * n",
    "test_imports": ["import math", "import re"],
    "test_list": ["assert twice(2) == 4"],
}
HUMANEVAL_ROW = {
    "task_id": "Set/0",
    "prompt": 'def same(n):\n    """Return n."""\n',
    "entry_point": "same",
    "canonical_solution": "    return n\n",
    "test": "def check(candidate):\n    assert candidate(0) == 0\n",
}
EVALPLUS_ROW = {
    "task_id": "Mbpp/7",
    "prompt": '"""\nDouble n.\n"""\n',
    "entry_point": "twice",
    "canonical_solution": "\ndef twice(n):\n  return 2 * n\n",
    "base_input": [[2]],
    "plus_input": [[0], [-3]],
    "atol": 0,
    "contract": "",
    "assertion": "",
}


def only(row):
    (problem,) = from_rows([row]).problems
    return problem


def test_an_mbpp_row_keeps_challenge_tests_apart_and_loses_its_carriage_returns():
    problem = only(MBPP_ROW)
    assert problem.id == "7"
    assert problem.prompt == "Write a function to double n."
    assert problem.entry_point == "twice"
    assert problem.reference == "def helper(n):\n\treturn n\ndef twice(n):\n\treturn 2 * helper(n)\n"
    assert problem.setup == "import math\nx = 1"
    assert problem.tests == (
        AssertTests(cases=("assert twice(2) == 4", "assert twice(0) == 0")),
        AssertTests(cases=("assert twice(-1) == -2",), group="challenge"),
    )
    assert not problem.prompt_is_code


def test_an_mbpp_row_needs_neither_setup_nor_challenge_tests():
    problem = only({key: MBPP_ROW[key] for key in ("task_id", "text", "code", "test_list")})
    assert problem.setup == ""
    assert len(problem.tests) == 1


def test_the_imports_of_a_sanitized_row_are_its_setup():
    problem = only(SANITIZED_ROW)
    assert problem.setup == "import math\nimport re"
    assert problem.prompt == SANITIZED_ROW["prompt"]
    assert problem.entry_point == "twice"


def test_the_reference_of_a_humaneval_row_continues_its_prompt():
    problem = only(HUMANEVAL_ROW)
    assert problem.prompt_is_code
    assert problem.reference == HUMANEVAL_ROW["prompt"] + "    return n\n"
    assert problem.tests == (CheckTests(source=HUMANEVAL_ROW["test"]),)
    assert only({**HUMANEVAL_ROW, "canonical_solution": None}).reference is None


def test_an_evalplus_row_becomes_calls_in_two_groups():
    oracle = Oracle(name="close", atol=1e-6)
    problem = only(EVALPLUS_ROW)
    assert problem.tests == (
        CallTests(inputs=("[2]",), oracle=oracle),
        CallTests(inputs=("[0]", "[-3]"), group="plus", oracle=oracle),
    )
    assert problem.reference == EVALPLUS_ROW["canonical_solution"]
    assert not problem.prompt_is_code


def test_an_evalplus_row_of_humaneval_is_judged_by_its_inputs():
    row = {**HUMANEVAL_ROW, "base_input": [[1]], "plus_input": [], "atol": 0.01}
    problem = only(row)
    assert problem.tests == (CallTests(inputs=("[1]",), oracle=Oracle(name="close", atol=0.01)),)
    assert problem.prompt_is_code
    assert problem.reference == HUMANEVAL_ROW["prompt"] + HUMANEVAL_ROW["canonical_solution"]


@pytest.mark.parametrize(
    ("row", "change", "reason"),
    [
        (MBPP_ROW, {"test_list": []}, "'test_list' is empty"),
        (MBPP_ROW, {"test_list": "assert f(1)"}, "'test_list' must be a list of texts, not a text"),
        (MBPP_ROW, {"test_list": [1]}, "'test_list' must hold texts, not a number (1)"),
        (MBPP_ROW, {"code": 3}, "'code' must be a text, not a number (3)"),
        (MBPP_ROW, {"task_id": 1.5}, "'task_id' must be a text or a whole number"),
        (MBPP_ROW, {"task_id": True}, "'task_id' must be a text or a whole number"),
        (MBPP_ROW, {"task_id": " 7"}, "without blanks round it, not ' 7'"),
        (MBPP_ROW, {"text": None}, "'text' is missing"),
        (SANITIZED_ROW, {"test": "inputs = []"}, "origin form of MBPP+"),
        (HUMANEVAL_ROW, {"entry_point": None}, "'entry_point' is missing"),
        (EVALPLUS_ROW, {"base_input": []}, "'base_input' is empty"),
        (EVALPLUS_ROW, {"atol": "0"}, "'atol' must be a number"),
        (EVALPLUS_ROW, {"plus_input": 3}, "'plus_input' must be a list of argument lists"),
    ],
)
def test_an_unusable_published_row_is_named_with_field_and_value(row, change, reason):
    with pytest.raises(DataError) as caught:
        from_rows([{**row, **change}])
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("row", "shape"),
    [(MBPP_ROW, MBPP), (SANITIZED_ROW, SANITIZED), (HUMANEVAL_ROW, HUMANEVAL), (EVALPLUS_ROW, EVALPLUS)],
)
def test_columns_alone_tell_the_forms_apart(row, shape):
    fitting = [other for other in (MBPP, SANITIZED, HUMANEVAL, EVALPLUS) if other.fits(row)]
    assert fitting == [shape]
