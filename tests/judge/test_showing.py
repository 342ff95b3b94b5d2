"""Any value at all becomes a short text, and nobody is asked for it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.judge.proxies import VALUED, Remote, valued
from assay.judge.showing import LENGTH, cut, show, show_call


class Refusing:
    """A session that must not be asked."""

    def operate(self, *_):
        raise AssertionError("the candidate was asked")

    call = allows = operate


class Hostile(list):
    """A value whose every method ends the test."""

    def __repr__(self):
        raise SystemExit

    __str__ = __len__ = __iter__ = __getitem__ = __bool__ = __format__ = __hash__ = __repr__


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.complex_numbers() | st.text() | st.binary(),
    lambda inner: (
        st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner) | st.sets(st.integers())
    ),
)


@given(VALUES)
def test_a_text_is_short_and_printable(value):
    text = show(value)
    assert len(text) <= LENGTH
    assert all(c.isprintable() or c == "\n" for c in text)
    text.encode()


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-99, 99) | st.text("abc", max_size=3),
        lambda i: (
            st.lists(i, max_size=3)
            | st.lists(i, max_size=3).map(tuple)
            | st.dictionaries(st.text("ab", max_size=1), i, max_size=2)
        ),
        max_leaves=5,
    )
)
def test_a_small_value_is_shown_as_python_writes_it(value):
    if len(repr(value)) <= LENGTH and repr(value).count("[") + repr(value).count("(") + repr(value).count("{") < 5:
        assert show(value) == repr(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-(10**20), "-100000000000000000000"),
        (set(), "set()"),
        (frozenset(), "frozenset()"),
        (frozenset({1}), "frozenset({1})"),
        ({"b": 1}.keys(), "dict_keys(['b'])"),
        ({"b": [1]}.items(), "dict_items([('b', [1])])"),
        ({}.values(), "dict_values([])"),
        ((1,), "(1,)"),
        ({}, "{}"),
        (Hostile([1]), "<Hostile>"),
        ([Hostile()], "[<Hostile>]"),
        (Remote(Refusing(), 1, "object", "Thing"), "<Remote>"),
        ([[[[[[1]]]]]], "[[[[[...]]]]]"),
        (bytearray(b"ab"), "b'ab'"),
        (range(3), "range(0, 3)"),
        (int, "<type>"),
    ],
)
def test_how_a_value_is_shown(value, text):
    assert show(value) == text


def test_a_value_with_a_handle_beside_it_is_shown_by_its_content():
    remote = Remote(Refusing(), 1, "iterable", "Runs")
    assert show(valued([1, 2], remote, [])) == "[1, 2]"
    assert {t for t in VALUED if not show(valued(t(), remote, []))} == set()


def test_an_integer_too_long_to_be_written_is_told_by_its_size():
    assert show(10**9999) == "<int of 33216 bits>"


def test_a_value_that_holds_itself_ends():
    value = []
    value.append(value)
    assert show(value) == "[[[[[...]]]]]"


def test_a_huge_value_is_cut_and_says_so():
    assert show(list(range(1000))).endswith("... 970 more]")
    assert len(show("x" * 10**6)) <= LENGTH
    assert len(show(["y" * 500] * 500)) <= LENGTH


def test_control_characters_and_lone_surrogates_are_written_out():
    assert cut("a\x1b[31m\x00b\ud800") == "a\\x1b[31m\\x00b\\xd800"


def test_a_call_is_shown_as_it_would_be_typed():
    assert show_call("f", ([1], "a"), {"key": None}) == "f([1], 'a', key=None)"
    assert len(show_call("f", ("x" * 1000,) * 50, {})) <= LENGTH


def test_a_list_of_lists_of_lists_is_shown_by_its_beginning_however_large_it_would_be():
    value: list = [1] * 30
    for _ in range(8):
        value = [value] * 30
    assert len(show(value)) <= LENGTH
    wide = [[[list(range(30))] * 30] * 30] * 30
    assert show(wide).startswith("[[[[0, 1, 2")
    assert len(show(wide)) <= LENGTH
