from __future__ import annotations

import pytest

from assay.benchmarks.calls import argument_lists
from assay.benchmarks.fields import UnusableRow


def test_json_values_become_python_literals():
    assert argument_lists([[1, "a"], [None, True, {"k": [1.5]}]], "inputs") == (
        "[1, 'a']",
        "[None, True, {'k': [1.5]}]",
    )


def test_floats_that_have_no_literal_are_written_by_name():
    given = [[float("nan")], [float("inf"), -float("inf")]]
    assert argument_lists(given, "inputs") == ("[nan]", "[inf, -inf]")
    assert argument_lists("[[nan], [inf, -inf]]", "inputs") == ("[nan]", "[inf, -inf]")


def test_a_literal_keeps_what_json_cannot_say():
    assert argument_lists("[[(1, 2), {3}, set(), b'x', 1 + 2j]]", "plus") == ("[(1, 2), {3}, set(), b'x', (1+2j)]",)


def test_a_tuple_of_arguments_is_a_list_of_arguments():
    assert argument_lists("[(1, 2), [3]]", "plus") == ("[1, 2]", "[3]")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (3, "'inputs' must be a list of argument lists, not a number (3)"),
        ({"a": 1}, "not an object"),
        ([1], "'inputs' item 0 must be a list of arguments, not a number (1)"),
        ("[[1], 2]", "item 1 must be a list of arguments"),
        ("[[open('x')]]", "'inputs' is no Python literal"),
        ("[[1]", "'inputs' is no Python literal"),
        ("[[name]]", "'inputs' is no Python literal"),
        ("(" * 5000, "'inputs' is no Python literal"),
    ],
)
def test_what_is_no_list_of_argument_lists_is_refused(value: object, reason: str):
    with pytest.raises(UnusableRow) as caught:
        argument_lists(value, "inputs")
    assert reason in str(caught.value)
