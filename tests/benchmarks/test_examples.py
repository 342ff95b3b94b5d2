from __future__ import annotations

import pytest

from assay.benchmarks.examples import Example, examples_in
from assay.benchmarks.statements import NOTHING


def only(prompt: str) -> Example:
    (found,) = examples_in(prompt, "f")
    return found


@pytest.mark.parametrize(
    "prompt",
    [
        ">>> f(2)\n4\n",
        "    >>> f( 2 )\n    4\n    ",
        "f(2) == 4",
        "f(2) = 4.",
        "f(2) -> 4  # doubled",
        "f(2) => 4,",
        "f(2) ➞ 4",
        "f(2) \u2794 4",
        "for example f(2) returns 4",
        "f(2) should return 4",
    ],
)
def test_the_answer_beside_a_call_is_read_however_it_is_written(prompt: str) -> None:
    assert only(prompt) == Example("[2]", 4, asserted=False)


def test_an_assert_in_the_prompt_is_told_from_an_example() -> None:
    assert only("    assert f((1, 2), 'x)') == [3]\n") == Example("[(1, 2), 'x)']", [3], asserted=True)


@pytest.mark.parametrize(
    "prompt",
    [
        ">>> f(2)\n",
        ">>> f(2)\nTraceback (most recent call last):",
        "f(2) returns 4 or 5",
        "assert abs(f(2) - 4) < 1e-3",
        "f(2) and then 4",
        "f(2)\n4",
        ">>> f(2) + 1\n5",
    ],
)
def test_where_no_single_answer_stands_there_is_none(prompt: str) -> None:
    found = only(prompt)
    assert (found.call, found.value) == ("[2]", NOTHING)


@pytest.mark.parametrize(
    "prompt",
    [
        "def f():\n",
        "class f(2): ...",
        "g(2) == 4",
        "f(n) == 4",
        "o.f(2) == 4",
        "ff(2)",
        "f(2",
        "f (",
        "def f(x: int = 2):",
    ],
)
def test_what_is_no_call_with_literals_is_no_example(prompt: str) -> None:
    assert examples_in(prompt, "f") == []


def test_each_call_is_found_and_a_long_text_of_brackets_ends() -> None:
    assert [example.call for example in examples_in("f(1) f(2)\nf((3, 4))", "f")] == ["[1]", "[2]", "[(3, 4)]"]
    assert examples_in("f([" * 300 + ")" * 5000, "f") == []
