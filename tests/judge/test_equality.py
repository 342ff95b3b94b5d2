"""Equality itself; what oracles make of it is in test_oracles.py."""

from __future__ import annotations

import pytest

from assay.judge.equality import same, same_elements, same_typed_elements, same_types, without_numpy


def test_without_tolerances_floats_are_compared_exactly():
    assert not same(0.1 + 0.2, 0.3)
    assert same(0.1 + 0.2, 0.3, rtol=1e-7)
    assert same({"a": [(0.1 + 0.2,)]}, {"a": [(0.3,)]}, rtol=1e-7)


def test_a_tolerance_is_for_floats_only():
    assert not same(10**9, 10**9 + 1, rtol=1e-3)
    assert same(10**9, 10.0**9 + 1, rtol=1e-3)
    assert not same(10.0**9 + 1, 10**9, rtol=1e-3)
    assert not same("0.3", "0.30", rtol=1.0, atol=1.0)
    assert not same(True, 1.01, rtol=1.0)


def test_elements_may_repeat_and_need_no_hash():
    assert same_elements([[1], [1], [2]], ([2], [1]))
    assert not same_elements([[1]], [[1], [2]])
    assert not same_elements([[1], [3]], [[1]])


def test_types_are_those_of_the_elements_not_of_their_equals():
    assert same_types([{1: {2}}], [{1: {2}}])
    assert not same_types([{1: {2}}], [{1: {2.0}}])
    assert not same_types({(1, True)}, {(1, 1)})


def test_an_error_while_comparing_is_no_equality():
    class Broken:
        def __eq__(self, other: object) -> bool:
            raise ArithmeticError

        __hash__ = None

    assert not same(Broken(), 1)


def test_numpys_values_become_pythons():
    numpy = pytest.importorskip("numpy")
    assert without_numpy(numpy.array([[1.5]])) == [[1.5]]
    assert type(without_numpy(numpy.int64(3))) is int
    assert without_numpy("text") == "text"


@pytest.mark.parametrize(
    ("got", "expected", "alike"),
    [
        ([1, (2.0, [3])], (1, [2, (3,)]), True),
        ([1.0000001], [1], True),
        ([1.1], [1], False),
        (True, 1, True),
        ({0.1 + 0.2, 1}, {0.3, 1.0}, True),
        ({0.1, 0.2}, {0.1, 0.3}, False),
        ({1}, [1], False),
        (float(10**400 // 10**100), 10**300, True),
        ("a", ["a"], False),
        (set(range(1000)), {n + 1e-9 for n in range(1000)}, False),  # too many to try each with each
        (frozenset({frozenset({0.1 + 0.2})}), {frozenset({0.3})}, True),
    ],
)
def test_a_lenient_comparison_minds_neither_the_kind_of_sequence_nor_a_little_in_numbers(got, expected, alike):
    assert same(got, expected, 1e-6, 1e-12, lenient=True) is alike
    assert same(got, expected) in (alike, False)


def test_an_array_is_leniently_a_list_of_its_numbers():
    numpy = pytest.importorskip("numpy")
    assert same(numpy.array([[1, 2]]), [(1, 2.0)], lenient=True)
    assert not same(numpy.array([1, 2]), [1, 3], lenient=True)
    assert not same(numpy.array([[1, 2]]), [1, 2], lenient=True)


def test_elements_have_partners_of_their_own_types_whether_they_can_be_hashed_or_not():
    assert same_typed_elements([1, True, [2]], ([2], True, 1))
    assert not same_typed_elements([[1]], [[True]])
    assert not same_typed_elements([1], [1, 2])
    assert not same_typed_elements([1], [1.0])
