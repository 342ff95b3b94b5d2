from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.benchmarks.calls import argument_lists, literal, literals
from assay.benchmarks.fields import UnusableRow

LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=4)
)
VALUES = st.recursive(
    LEAVES | st.binary(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(LEAVES, inner, max_size=2)
    ),
    max_leaves=8,
)


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


@pytest.mark.parametrize("number", [complex(-0.0, -3), complex(1, -0.0), complex(1e308, 1e308), 1 + 2j, complex(0, 2)])
def test_a_complex_number_comes_back_with_its_signs(number):
    (text,) = literals([number], "inputs")
    assert argument_lists(f"[[{text}]]", "inputs") == (f"[{text}]",)
    assert repr(eval(text)) == repr(number)


@given(VALUES)
def test_a_literal_is_read_as_python_reads_it_whichever_way_is_taken(value):
    assert literals(repr([value]), "inputs") == (literal(value),)
    assert repr(ast.literal_eval(literal(value))) == repr(value)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("[1e5, -0.0, 0x10, 1_000]", ("100000.0", "-0.0", "16", "1000")),
        ("['(', '{', 'nan', 'é', '']", ("'('", "'{'", "'nan'", "'é'", "''")),
        ("""["it's", 'say "x"', 'a' 'b']""", ('"it\'s"', "'say \"x\"'", "'ab'")),
        (r"['a\nb', r'\d', b'x']", (r"'a\nb'", r"'\\d'", "b'x'")),
        ("[1,\n 2,]", ("1", "2")),
    ],
)
def test_what_json_and_python_write_differently_is_read_as_python(text, values):
    assert literals(text, "inputs") == values


@pytest.mark.parametrize("text", ["[true]", "[null]", "[NaN]", "[Infinity]"])
def test_words_of_json_are_no_python(text):
    with pytest.raises(UnusableRow, match="is no Python literal"):
        literals(text, "inputs")


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
