from __future__ import annotations

import pytest

from assay.benchmarks.reach import unreached
from assay.records import AssertTests, CallTests, CheckTests, Problem


def missed(*cases: str, setup: str = "", reference: str | None = None) -> list[str]:
    tests = (AssertTests(cases=cases),)
    asked = Problem(id="a", prompt="", tests=tests, entry_point="f", setup=setup, reference=reference)
    return unreached(asked)


def missed_in(body: str, before: str = "") -> list[str]:
    source = before + "def check(candidate):\n" + "".join(f"    {line}\n" for line in body.split("\n"))
    return unreached(Problem(id="a", prompt="", tests=(CheckTests(source=source),), entry_point="f"))


def test_a_test_of_another_function_misses_the_candidate() -> None:
    assert missed("assert f(1) == 1", "assert g(1) == 1", "assert 1 + 1 == 2") == [
        "assert g(1) == 1",
        "assert 1 + 1 == 2",
    ]


def test_names_lead_on_from_test_to_test_and_through_the_setup() -> None:
    assert missed("x = f(1)", "y = x + 1", "assert y == 2") == []
    assert missed("assert helper(1) == 1", setup="def helper(n):\n    return f(n)\n") == []
    assert missed("assert helper(1) == 1", setup="def helper(n):\n    return n\n") == ["assert helper(1) == 1"]


def test_an_argument_that_was_handed_to_the_candidate_leads_to_it() -> None:
    assert missed("items = [2, 1]\nf(items)\nassert items == [1, 2]") == []


def test_other_names_of_the_reference_are_the_candidates_too() -> None:
    assert missed("assert Box(1).n == 1", reference="class Box: ...\ndef f(n): ...") == []


def test_modules_and_builtins_lead_nowhere() -> None:
    assert missed("import math\nassert math.floor(f(1.5)) == 1", "assert math.floor(1.5) == len([1])") == [
        "assert math.floor(1.5) == len([1])"
    ]


def test_asserts_of_constants_are_vacuous_and_not_told_again() -> None:
    assert missed("assert True", "assert (f, 'text')", "assert (1, 2)") == []
    assert missed_in("assert True, 'it prints this'\nassert candidate(1)") == []


@pytest.mark.parametrize(
    "body",
    [
        "try:\n    candidate(-1)\n    assert False\nexcept ValueError:\n    pass",
        "for x in (1, 2):\n    assert candidate(x) == x",
        "x = [1]\ncandidate(x)\nassert x == [1]",
        "assert f(1) == 1",
    ],
)
def test_in_check_what_may_depend_on_the_candidate_is_not_accused(body: str) -> None:
    assert missed_in(body) == []


def test_in_check_an_assert_of_something_else_is_told() -> None:
    before = "def helper(n):\n    return n\n"
    assert missed_in("assert candidate(1) == 1\nassert helper(2) == 2\nx = 3\nassert x == 3", before) == [
        "assert helper(2) == 2",
        "assert x == 3",
    ]


def test_a_test_that_is_no_python_and_calls_by_input_are_not_accused() -> None:
    tests = (AssertTests(cases=("assert g(",)), CallTests(inputs=("[1]",), group="plus"), CheckTests(source="x = 1"))
    assert unreached(Problem(id="a", prompt="", tests=tests, entry_point="f")) == []
