"""Inputs are literals: read as Python reads them, quickly where they are nearly JSON, and encoded as an agent wants them."""

from __future__ import annotations

import ast
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.benchmarks.calls import literals
from assay.judge import literals as module
from assay.judge.literals import encode_inputs, read_literal
from assay.judge.wire import codec


@pytest.mark.parametrize("number", [complex(-0.0, -3), complex(1, -0.0), complex(math.nan, -math.inf), 1 + 2j])
def test_a_complex_number_is_read_with_its_signs_and_whatever_its_parts_are(number):
    (text,) = literals([number], "inputs")
    assert repr(read_literal(text)) == repr(number)


@pytest.mark.parametrize("text", ["complex(1)", "complex('1', 2)", "complex(f(), 2)", "complex(1, imag=2)"])
def test_no_other_call_is_a_literal(text):
    with pytest.raises((ValueError, TypeError)):
        read_literal(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1, 'a']", [1, "a"]),
        (" [-1.5e3] ", [-1500.0]),
        ("[{1: (2,)}, {3}]", [{1: (2,)}, {3}]),
        ("[inf, -inf]", [math.inf, -math.inf]),
        ("[1+2j]", [1 + 2j]),
    ],
)
def test_a_literal_is_read(text, value):
    assert read_literal(text) == value


_TEXTS = st.text(alphabet="()[]{}',\"\\\\ \n\u00e9aN1:#") | st.sampled_from(
    ["(", ")", ",)", "None", "True", "null", "(1,)", "{'(': []}"]
)
_LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | _TEXTS
    | st.binary(max_size=2)
)
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(_LEAVES, inner, max_size=2)
        | st.sets(_LEAVES, min_size=1, max_size=2)
    ),
    max_leaves=8,
)


def typed(value):
    """A value with the types of all its parts."""
    if isinstance(value, dict):
        return [(typed(k), typed(v)) for k, v in value.items()]
    if isinstance(value, list | tuple | set):
        parts = [typed(part) for part in value]
        return type(value), sorted(parts, key=repr) if isinstance(value, set) else parts
    return type(value), repr(value)


@settings(max_examples=400, deadline=None)
@given(st.lists(_VALUES, max_size=3))
def test_the_short_way_to_read_a_literal_gives_what_python_reads(value):
    text = repr(value)
    assert typed(read_literal(text)) == typed(ast.literal_eval(text))


@settings(max_examples=400, deadline=None)
@given(
    st.text(alphabet="()[]{}',\" 1-.e:aNone", max_size=12)
    | st.from_regex(r"\[(\(|\)|,|1|'|\[|\]| ){0,8}\]", fullmatch=True)
)
def test_whatever_text_is_read_is_what_python_reads_or_refused(text):
    try:
        want = ast.literal_eval(module._Numbers().visit(ast.parse(text.strip(), mode="eval")).body)
    except (ValueError, SyntaxError, TypeError):
        with pytest.raises((ValueError, SyntaxError, TypeError)):
            read_literal(text)
    else:
        assert typed(read_literal(text)) == typed(want)


@pytest.mark.parametrize(
    "text", ["[null]", "[true]", "['a', false]", "[NaN]", "[Infinity]", "[-Infinity]", "[01]", "[1,,]", "[(]", "[)(]"]
)
def test_what_only_json_reads_is_refused(text):
    with pytest.raises((ValueError, SyntaxError)):
        read_literal(text)


@pytest.mark.parametrize(
    "text",
    ["[(1)]", "[()]", "[(1,)]", "[(1, )]", "[((1, 2),)]", "[(1, 2,)]", "[')', (1,)]", "['(', ')']", "[{'(': 1}]"],
)
def test_only_a_comma_makes_a_tuple(text):
    assert read_literal(text) == ast.literal_eval(text)


def test_a_literal_may_hold_nan():
    (value,) = read_literal("[nan]")
    assert math.isnan(value)


@pytest.mark.parametrize("text", ["[f(1)]", "[x]", "__import__('os')", "[1 + x]", "[lambda: 1]"])
def test_anything_else_is_refused(text):
    with pytest.raises(ValueError):
        read_literal(text)


def encoded_one_by_one(texts):
    return tuple(codec.encode((tuple(read_literal(text)), ())) for text in texts)


@pytest.mark.parametrize(
    "texts",
    [
        ["[1, 'a']", "[[1.5, -2], (3,)]", "[]", "[None, {'a': True}]"],
        ["[nan]", "[1]", "[2]"],
        ["['it\\'s']", "[1, 2]", "['|']", '["|"]'],
        ["['x']"],
        [],
    ],
)
def test_inputs_read_in_one_go_are_those_read_one_by_one(texts):
    assert encode_inputs(texts) == encoded_one_by_one(texts)


@pytest.mark.parametrize(
    "texts", [["[1, 2", "3]"], ["[1], [2", "3]"], ["[1]", "[2], [3]", "[4"], ["[0],'|',[1],[2", "3]"]]
)
def test_a_bracket_out_of_place_is_refused_whatever_follows(texts):
    with pytest.raises((ValueError, SyntaxError)):
        encode_inputs(texts)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(_VALUES, max_size=2), max_size=4))
def test_all_inputs_together_give_what_each_gives(values):
    texts = [repr(value) for value in values]
    assert [typed(list(codec.decode(data)[0])) for data in encode_inputs(texts)] == [
        typed(list(codec.decode(codec.encode(tuple(value))))) for value in values
    ]
