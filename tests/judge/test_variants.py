"""New inputs out of those that were seen: within their bounds, with what all of them have in common, the same for the same seed."""

from __future__ import annotations

import copy
import re
from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from assay.judge.variants import Variants


def variants(*seen: tuple, count: int = 200, seed: int = 0) -> list[tuple]:
    return [call for _, call in islice(Variants(list(seen), seed).make(), count)]


def test_the_same_calls_and_seed_give_the_same_variants() -> None:
    seen = [([3, 1, 2], "ab c"), ([5], "d e")]
    assert variants(*seen) == variants(*seen)
    assert variants(*seen) != variants(*seen, seed=1)


def test_what_was_seen_is_not_changed() -> None:
    seen = [([3, [1, 2]], {"a": [1]}), ([[4]], {})]
    before = copy.deepcopy(seen)
    variants(*seen)
    assert seen == before


def test_numbers_stay_near_those_that_were_seen() -> None:
    found = {n for (n,) in variants((5,), (40,))}
    assert found <= set(range(3, 43))
    assert len(found) > 10
    assert {n for (n,) in variants((10**9,))} <= set(range(10**9 - 2, 10**9 + 3))


def test_numbers_do_not_cross_zero() -> None:
    assert all(n > 0 for (n,) in variants((1,), (3,)))
    assert all(n >= 0 for (n,) in variants((0,), (3,)))
    assert all(n < 0 for (n,) in variants((-1,), (-3,)))


def test_lists_and_texts_grow_by_one_item_at_the_most() -> None:
    assert max(len(x) for (x,) in variants(([1, 2, 3],), ([4],))) == 4
    assert max(len(x) for (x,) in variants(("abc",), ("d",))) == 4


def test_sorted_lists_stay_sorted_and_lists_without_repeats_stay_so() -> None:
    assert all(x == sorted(x) for (x,) in variants(([1, 4, 9],), ([2, 3],)))
    assert all(len(set(x)) == len(x) for (x,) in variants(([9, 1, 4],), ([3, 2],)))
    assert any(x != sorted(x) for (x,) in variants(([9, 1, 4],), ([2, 3],)))


def test_a_number_that_is_always_a_lists_length_is_it_still() -> None:
    assert all(n == len(x) for x, n in variants(([1, 5, 3], 3), ([4, 2], 2)))


def test_a_number_that_is_always_a_place_in_a_list_is_it_still() -> None:
    assert all(0 <= n <= len(x) for x, n in variants(([1, 5, 3], 2), ([4, 2, 7, 7], 1)))


def test_two_lists_of_one_length_keep_it() -> None:
    assert all(len(x) == len(y) for x, y in variants(([1, 2], [3, 4]), ([5, 6, 7], [8, 9, 1])))


def test_rows_of_a_table_keep_their_length() -> None:
    assert all(len(row) == 2 for (table,) in variants(([[1, 2], [3, 4]],), ([[5, 6]],)) for row in table)


def test_the_words_of_a_text_stay_whole() -> None:
    words = {word for (text,) in variants(("one two",), ("three one four",)) for word in text.split()}
    assert words == {"one", "two", "three", "four"}


def test_a_date_or_a_sum_keeps_its_form() -> None:
    dates = {text for (text,) in variants(("2024-05-17",), ("2023-01-01",), ("2024-08-31",))}
    assert len(dates) > 10
    for text in dates:
        year, month, day = text.split("-")
        assert (len(year), len(month), len(day)) == (4, 2, 2)
        assert 2023 <= int(year) <= 2024
        assert 1 <= int(month) <= 8
        assert 1 <= int(day) <= 31
    assert {re.sub(r"\d", "", text) for (text,) in variants(("1+2",), ("(12+2)*3",))} == {"+", "(+)*"}


def test_brackets_that_were_balanced_are_balanced_still() -> None:
    assert all(x.count("(") == x.count(")") for (x,) in variants(("(())",), ("()()",)))
    assert any(x.count("(") != x.count(")") for (x,) in variants(("(()",), ("()()",)))


def test_types_stay_as_they_were() -> None:
    seen = (1, 1.5, True, "ab", [1], (1, "a"), {1}, {"a": 1}, None, b"x")
    for call in variants(seen, count=500):
        assert list(map(type, call)) == list(map(type, seen))
        assert type(call[5][1]) is str


def test_calls_of_no_arguments_or_of_what_can_not_be_varied_come_to_an_end() -> None:
    assert set(variants((None,), (b"x",))) <= {(None,), (b"x",)}


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner, max_size=3) | st.tuples(inner, inner)
    ),
    max_leaves=12,
)


@given(st.lists(st.tuples(plain, plain), min_size=1, max_size=4), st.integers(0, 5))
def test_any_plain_arguments_have_variants_with_as_many_arguments(seen: list[tuple], seed: int) -> None:
    assert {len(call) for call in variants(*seen, count=20, seed=seed)} == {2}
