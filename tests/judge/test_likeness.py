"""Answers that say the same in other words, and answers that are made to hold up who compares them."""

from __future__ import annotations

from collections import deque
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from assay.judge.likeness import alike


@pytest.mark.parametrize(
    ("got", "wanted"),
    [
        (1, 1.004),
        (1, True),
        ("Yes ", "yes"),
        ([1, 2], (1, 2)),
        ([2, 1], [1, 2]),
        ({1, 2}, [2, 1]),
        ([[2, 1], [3]], [[3], [1, 2]]),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1.001}),
        (float("nan"), float("nan")),
        ([float("nan")], [float("nan")]),
        (deque([1]), [1]),
        (10**400, 10**400),
        ([1, "a", None], [None, "a", 1]),
        (Fraction(1, 3), 0.333),
        (Decimal("0.334"), Fraction(1, 3)),
        (Decimal("NaN"), float("nan")),
        (Decimal("Infinity"), float("inf")),
        (Fraction(10**400), 10**400),
        (1.001 + 1j, 1 + 1j),
        ([Fraction(1, 2)], [0.5001]),
        (np.float32(4.18879), 4.188790204786391),
        (np.float16(0.333), 1 / 3),
        ([np.float32(0.1)], [0.1]),
        (np.array([0.1, 0.2], dtype=np.float32), [0.1, 0.2]),
        (np.complex64(1 + 1j), 1.001 + 1j),
    ],
)
def test_these_say_the_same(got: object, wanted: object) -> None:
    assert alike(got, wanted)
    assert alike(wanted, got)


@pytest.mark.parametrize(
    ("got", "wanted"),
    [
        (1, 2),
        (0, None),
        (0, ""),
        ("a", "b"),
        ([], None),
        ([1], [1, 1]),
        (1, "1"),
        ([1], 1),
        ({"a": 1}, {"a": 2}),
        (10**400, 1.5),
        (Fraction(1, 3), 0.4),
        (Decimal("1e400"), float("inf")),
        (1j, 1),
        (np.float32(1), "1"),
    ],
)
def test_these_do_not(got: object, wanted: object) -> None:
    assert not alike(got, wanted)
    assert not alike(wanted, got)


def test_where_order_is_asked_for_it_counts() -> None:
    assert alike([2, 1], (2, 1), ordered=True)
    assert not alike([2, 1], [1, 2], ordered=True)


def test_what_is_shared_again_and_again_is_given_up_soon() -> None:
    laughs: list = [0.5]
    for _ in range(45):
        laughs = [laughs, laughs]
    assert not alike(laughs, laughs)
    flat = [1] * 10_000
    assert not alike([flat] * 10_000, [flat] * 10_000)


def test_what_holds_itself_or_goes_deep_is_given_up() -> None:
    ring: list = []
    ring.append(ring)
    assert not alike(ring, ring)
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    assert not alike(deep, [])
    while deep:  # to free it in one go would take the stack of the interpreter
        deep = deep.pop()
