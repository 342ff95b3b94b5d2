"""Calls that tests are seen to make beforehand: just those that they make, or none."""

from __future__ import annotations

from typing import Any

import pytest

from assay.judge.foresight import foresee
from assay.judge.prepared import prepare
from assay.judge.wire import codec


def problem(*tests: dict[str, Any], setup: str = "") -> dict[str, Any]:
    return {
        "id": "p", "prompt": "", "entry_point": "f", "reference": "", "setup": setup, "prompt_is_code": False, "tests": tests,
    }  # fmt: skip


def asserts(*cases: str) -> dict[str, Any]:
    return {"type": "assert", "group": "base", "cases": cases}


def check(*lines: str) -> dict[str, Any]:
    body = "\n".join(f"    {line}" for line in lines)
    return {"type": "check", "group": "base", "source": f"def check(candidate):\n{body}\n"}


def seen(*tests: dict[str, Any], setup: str = "") -> list[Any]:
    calls = foresee(prepare(problem(*tests, setup=setup), ("base",)))
    assert all(name == "f" for name, _ in calls)
    return [codec.decode(arguments) for _, arguments in calls]


def test_the_calls_of_asserts_and_checks_come_in_the_order_of_the_tests() -> None:
    tests = asserts("assert f([1, 2], 'a') == 3", "assert abs(f(-1.5, key=(2,))) < 1", "x = f(3)\nassert x == 3, 'no'")
    assert seen(tests, check("assert candidate(4) is None", "assert not candidate({5: {6}})")) == [
        (([1, 2], "a"), ()), ((-1.5,), (("key", (2,)),)), ((3,), ()), ((4,), ()), (({5: {6}},), ()),
    ]  # fmt: skip


def test_inputs_are_calls_too() -> None:
    oracle = {"name": "exact", "rtol": 0.0, "atol": 0.0}
    calls = {"type": "calls", "group": "base", "inputs": ("[1]", "[2]"), "oracle": oracle}
    assert seen(asserts("assert f(0) == 0"), calls) == [((0,), ()), ((1,), ()), ((2,), ())]


@pytest.mark.parametrize(
    "case",
    [
        "assert f(1) == f(2)",
        "assert f(f(1)) == 2",
        "assert [f(n) for n in (1, 2)] == [1, 2]",
        "for n in (1, 2):\n    assert f(n) == n",
        "assert (lambda n: f(n))(1) == 1",
        "def g(n):\n    return f(n)\nassert g(1) == 1",
        "assert f(unknown) == 1",
        "assert f(len, print, lambda: 0) == 1",
        "assert 1 == 1",
    ],
)
def test_from_a_test_on_that_may_ask_otherwise_nothing_is_foreseen(case: str) -> None:
    found = seen(asserts("assert f(0) == 0", case, "assert f(9) == 9"))
    assert found == ([((0,), ()), ((9,), ())] if case == "assert 1 == 1" else [((0,), ())])


@pytest.mark.parametrize(
    "line",
    [
        "assert candidate(1) == candidate(2)",
        "x = [candidate(n) for n in (1, 2)]; assert x",
        "assert candidate(1) == f(1)",
    ],
)
def test_a_check_with_one_such_statement_is_left_alone(line: str) -> None:
    assert seen(check("assert candidate(0) == 0", line)) == []


def test_what_the_tests_need_from_elsewhere_is_not_made_up() -> None:
    assert seen(asserts("assert f(HALF) == 1"), setup="HALF = 0.5\n") == []
