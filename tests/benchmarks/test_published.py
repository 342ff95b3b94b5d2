from __future__ import annotations

import pytest

from assay.benchmarks import from_rows
from assay.benchmarks.evalplus import EVALPLUS, HUMANEVALPLUS, MBPPPLUS
from assay.benchmarks.evalplus_origin import HUMANEVALPLUS_ORIGIN, MBPPPLUS_ORIGIN
from assay.benchmarks.published import HUMANEVAL, MBPP, PUBLISHED, SANITIZED
from assay.errors import DataError
from assay.records import AssertTests, CheckTests

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
        (HUMANEVAL_ROW, {"entry_point": None}, "'entry_point' is missing"),
    ],
)
def test_an_unusable_published_row_is_named_with_field_and_value(row, change, reason):
    with pytest.raises(DataError) as caught:
        from_rows([{**row, **change}])
    assert reason in str(caught.value)


PLUS_INPUTS = {"base_input": [[1]], "plus_input": []}
LOOP = "def check(candidate):\n    inputs = [[1]]\n    for i, inp in enumerate(inputs):\n        assertion(candidate(*inp), 1, 0)\n"


@pytest.mark.parametrize(
    ("row", "shape"),
    [
        (MBPP_ROW, MBPP),
        (SANITIZED_ROW, SANITIZED),
        (SANITIZED_ROW | {"test": LOOP}, MBPPPLUS_ORIGIN),
        (HUMANEVAL_ROW, HUMANEVAL),
        (HUMANEVAL_ROW | {"test": LOOP}, HUMANEVALPLUS_ORIGIN),
        (HUMANEVAL_ROW | PLUS_INPUTS, EVALPLUS),
        (HUMANEVAL_ROW | PLUS_INPUTS | {"task_id": "HumanEval/0"}, HUMANEVALPLUS),
        (HUMANEVAL_ROW | PLUS_INPUTS | {"task_id": "Mbpp/2"}, MBPPPLUS),
    ],
)
def test_the_first_form_that_fits_is_the_right_one(row, shape):
    assert next(form for form in PUBLISHED if form.fits(row)) is shape
