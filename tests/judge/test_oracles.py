"""An oracle says what its name says, of any value, and none accepts anything."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.judge.oracles import (
    ORACLES,
    SEEN_BY,
    any_of,
    as_set,
    close,
    exact,
    formula,
    not_none,
    read_formula,
    root,
    types,
)

TOLERANCE = {"rtol": 1e-7, "atol": 0.0}
NAN = float("nan")
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3)
KEYS = st.integers() | st.text(max_size=2) | st.booleans()
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.lists(inner, max_size=4).map(tuple) | st.dictionaries(KEYS, inner, max_size=3)
    ),
    max_leaves=12,
)


@given(VALUES, VALUES)
def test_exact_is_pythons_equality_where_there_is_no_nan(a, b):
    assert exact(a, b, {}) == (a == b)
    assert exact(a, a, {})


@given(VALUES)
def test_close_accepts_what_exact_accepts(a):
    assert close(a, a, TOLERANCE)


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False, allow_infinity=False))
def test_close_is_its_formula_for_two_floats(got, expected):
    try:
        near = abs(got - expected) <= 1e-7 * abs(expected)
    except OverflowError:
        near = False
    assert close([got], [expected], TOLERANCE) == (got == expected or near)


@given(
    st.lists(st.integers(-3, 3) | st.text(max_size=1), max_size=6),
    st.lists(st.integers(-3, 3) | st.text(max_size=1), max_size=6),
)
def test_as_set_is_equality_of_sets(a, b):
    assert as_set(a, b, {}) == (set(a) == set(b))
    assert as_set([[x] for x in a], tuple([x] for x in b), {}) == (set(a) == set(b))


@pytest.mark.parametrize(
    ("got", "expected", "equal"),
    [
        ([1, 2], (1, 2), False),
        ((1, 2), [1, 2], False),
        (True, 1, True),
        (0.0, -0.0, True),
        (1, 1.0, True),
        ("1", 1, False),
        (NAN, NAN, True),
        ([NAN, (NAN,)], [NAN, (NAN,)], True),
        (NAN, 0.0, False),
        (NAN, None, False),
        ({1: NAN}, {1: NAN}, True),
        ({1: 2}, {1: 2, 3: 4}, False),
        ({1: None}, {2: None}, False),
        ({1, 2}, {2, 1}, True),
        ({1, 2}, [1, 2], False),
        ([], (), False),
        ([], {}, False),
        (None, False, False),
        ({1: 2}.values(), {1: 2}.values(), True),
        ({1: NAN}.values(), {2: NAN}.values(), True),
        ({1: 2}.values(), {1: 3}.values(), False),
        ({1: 2}.values(), [2], False),
        ({1: 2}.keys(), {1: 3}.keys(), True),
        ({1: 2}.keys(), [1], False),
        ({1: 2}.items(), {(1, 2)}, True),
    ],
)
def test_exact_of_odd_pairs(got, expected, equal):
    assert exact(got, expected, {}) is equal


@pytest.mark.parametrize(
    ("got", "expected", "equal"),
    [
        (10**20, 10**20 + 1, False),
        (2, 2.0, True),
        (2.0, 2, True),
        (2.0000000001, 2, False),
        (2, 2.0000000001, True),
        (1e20, 10**20 + 1, False),
        (10**20 + 1, 1e20, True),
        (True, 1.0, True),
        (True, 1.0000000001, False),
        (1 + 1e-9, True, False),
        (math.inf, math.inf, True),
        (math.inf, -math.inf, False),
        (math.inf, 1e308, False),
        (NAN, NAN, True),
        (NAN, 1.0, False),
        (10**400, 1.0, False),
        (1.0, 10**400, False),
        (1 + 1j, 1 + 1.00000000001j, True),
        ("0.1", 0.1, False),
        ({"a": [0.1 + 0.2]}, {"a": [0.3]}, True),
        ([0.1 + 0.2], (0.3,), False),
        (0.0, 1e-12, False),
    ],
)
def test_close_of_odd_pairs(got, expected, equal):
    assert close(got, expected, TOLERANCE) is equal


def test_a_set_of_answers_may_be_a_view_of_a_dictionary():
    views = ({1: 2}.keys(), {2: 1}.values(), {1: 2}.items())
    assert [as_set(view, [1], {}) for view in views] == [True, True, False]
    assert as_set([[1]], {1: [1]}.values(), {})


def test_an_absolute_tolerance_counts_near_zero():
    assert close(0.0, 1e-12, {"rtol": 0.0, "atol": 1e-9})
    assert not close(0.0, 1e-6, {"rtol": 0.0, "atol": 1e-9})


def test_a_missing_tolerance_is_the_documented_one():
    assert close(1.0 + 5e-8, 1.0, {})
    assert not close(1.0 + 5e-7, 1.0, {})


@pytest.mark.parametrize("oracle", [exact, close])
def test_depth_and_cycles_meet_no_recursion_limit(oracle):
    def nested(depth, last):
        value = [last]
        for _ in range(depth):
            value = [value, 1]
        return value

    assert oracle(nested(50_000, 1), nested(50_000, 1), TOLERANCE)
    assert not oracle(nested(50_000, 1), nested(50_000, 2), TOLERANCE)
    mine, theirs = [1], [1]
    mine.append(mine)
    theirs.append(theirs)
    assert oracle(mine, theirs, TOLERANCE)
    assert not oracle(mine, [1, [1, 2]], TOLERANCE)


def test_arrays_are_equal_by_shape_and_every_element():
    numpy = pytest.importorskip("numpy")
    assert exact(numpy.array([1, 2]), numpy.array([1, 2]), {})
    assert not exact(numpy.array([1, 2]), numpy.array([1, 3]), {})
    assert not exact(numpy.array([1, 1]), numpy.array([[1, 1]]), {})
    assert not exact(numpy.array([]), numpy.array([1.0]), {})
    assert not exact(numpy.array([1, 2, 3]), numpy.array([1, 2]), {})
    assert not exact(numpy.array([1]), 1, {})
    assert not exact(numpy.array([1, 2]), [1, 2], {})


def test_numbers_of_numpy_count_as_numbers():
    numpy = pytest.importorskip("numpy")
    assert exact(numpy.float64(2), 2.0, {})
    assert exact([numpy.int64(3)], [3], {})
    assert not exact(numpy.float64(2.5), 2.0, {})
    assert exact(numpy.array([1.0, NAN]), numpy.array([1.0, NAN]), {})
    assert close(numpy.float32(0.3), 0.3, {"rtol": 1e-6})
    assert close(numpy.array([0.1 + 0.2]), numpy.array([0.3]), TOLERANCE)
    assert not close(numpy.array([0.31]), numpy.array([0.3]), TOLERANCE)


def test_many_arrays_made_on_the_way_are_not_mistaken_for_one_another():
    numpy = pytest.importorskip("numpy")
    mine, theirs = [[numpy.arange(40).reshape(20, 2) for _ in range(50)] for _ in "ab"]
    theirs[0] = theirs[0] + numpy.array([0, 1])
    theirs[49][19, 1] += 1
    assert not exact(mine, theirs, {})
    assert exact(mine[1:49], theirs[1:49], {})
    assert not exact(mine[:1], theirs[:1], {})


def test_as_set_takes_collections_only():
    assert as_set(frozenset({1}), [1], {})
    assert not as_set("ab", ["a", "b"], {})
    assert not as_set({1: 2}, [1], {})
    assert not as_set(None, None, {})


WRONG = (None, 0, "", [], object(), [1], {"a": 1}, NAN, NotImplemented)
SETTINGS = TOLERANCE | {"alternatives": ([3],), "formula": read_formula("lambda *_: [4]")}


@pytest.mark.parametrize("name", sorted(ORACLES.keys() - {"not_none"}))
def test_no_oracle_accepts_anything(name):
    oracle = ORACLES[name]
    for wrong in WRONG:
        assert not oracle(wrong, [1, 2], SETTINGS, ([1, 0, 1],))


def test_an_answer_must_be_there_exactly_where_the_reference_has_one():
    for present in (0, "", [], object(), True):
        assert not_none(present, True, {})
        assert not not_none(present, None, {})
    for missing in (None, False):
        assert not_none(missing, None, {})
        assert not not_none(missing, "match", {})


def test_what_not_none_sees_of_any_answer_is_plain():
    assert [SEEN_BY["not_none"](answer) for answer in (object(), None, True, False, 0)] == [
        True,
        False,
        True,
        False,
        True,
    ]


@pytest.mark.parametrize(
    ("got", "expected", "equal"),
    [
        (True, 1, False),
        (1, 1.0, False),
        ([1, (2, "a")], [1, (2, "a")], True),
        ([1, (2.0, "a")], [1, (2, "a")], False),
        ({1: "a"}, {1: "a"}, True),
        ({True: "a"}, {1: "a"}, False),
        ({"a": True}, {"a": 1}, False),
        ({1, 2}, {2, 1}, True),
        ({1.0, 2}, {2, 1}, False),
        (frozenset({1}), {1}, False),
        (NAN, NAN, True),
        ([], (), False),
    ],
)
def test_types_asks_for_the_same_types_in_every_place(got, expected, equal):
    assert types(got, expected, {}) is equal


@given(VALUES, VALUES)
def test_types_is_equality_of_values_and_of_their_reprs_but_for_the_order_of_keys(a, b):
    assert types(a, a, {})
    if types(a, b, {}):
        assert a == b
    if repr(a) == repr(b):
        assert types(a, b, {})


def test_types_takes_depth_and_cycles():
    def nested(depth, last):
        value = [last]
        for _ in range(depth):
            value = [value, 1]
        return value

    assert types(nested(50_000, 1), nested(50_000, 1), {})
    assert not types(nested(50_000, 1), nested(50_000, 1.0), {})
    mine, theirs = [1], [1]
    mine.append(mine)
    theirs.append(theirs)
    assert types(mine, theirs, {})


def test_types_tells_arrays_of_other_numbers_apart():
    numpy = pytest.importorskip("numpy")
    assert types(numpy.array([1, 2]), numpy.array([1, 2]), {})
    assert not types(numpy.array([1.0, 2.0]), numpy.array([1, 2]), {})


def test_any_of_takes_the_expected_answer_or_an_alternative_within_tolerance():
    settings = TOLERANCE | {"alternatives": (0, None)}
    assert [any_of(got, 0.3, settings) for got in (0.1 + 0.2, 0, None, 0.31, "0", [])] == [True] * 3 + [False] * 3


@pytest.mark.parametrize("got", [3.0, -3.0, 3, 3.000001])
def test_every_zero_of_the_polynomial_is_a_root(got):
    assert root(got, 3.0, {"atol": 1e-4}, ([-9, 0, 1],))


@pytest.mark.parametrize(
    "got", [2.9, math.nan, math.inf, -math.inf, 10**400, 1e200, "3", None, 3j, [3.0], object(), Ellipsis]
)
def test_what_is_no_zero_or_no_number_is_no_root(got):
    assert not root(got, 3.0, {"atol": 1e-4}, ([-9, 0, 1],))


def test_arguments_that_hold_no_polynomial_have_no_root():
    assert [root(1.0, None, {"atol": 1.0}, arguments) for arguments in ((), (3,), (["a"],), ([None],))] == [False] * 4


def test_a_number_of_numpy_may_be_a_root():
    numpy = pytest.importorskip("numpy")
    assert root(numpy.float64(3.0), None, {"atol": 1e-4}, ([-9, 0, 1],))
    assert not root(numpy.array([3.0]), None, {"atol": 1e-4}, ([-9, 0, 1],))


def test_a_formula_adds_one_right_answer_to_the_expected_one():
    settings = TOLERANCE | {"formula": read_formula("lambda a, b: math.sqrt(a * a + b * b)")}
    assert [formula(got, 7, settings, (3, 4)) for got in (7, 5.0, 5, 6, None)] == [True, True, True, False, False]


@pytest.mark.parametrize("text", ["lambda a: a / 0", "lambda: 1", "lambda a: undefined", "lambda a: [][a]"])
def test_a_formula_that_fails_for_an_input_adds_nothing(text):
    settings = TOLERANCE | {"formula": read_formula(text)}
    assert formula(1, 1, settings, (0,))
    assert not formula(None, 1, settings, (0,))


def test_a_formula_can_change_no_argument():
    arguments = ([3, 1, 2],)
    assert formula([1, 2, 3], None, {"formula": read_formula("lambda a: a.sort() or a")}, arguments)
    assert arguments == ([3, 1, 2],)


@pytest.mark.parametrize("text", ["1 + 1", "print(1)", "(lambda: 1)()", "def f(): ...", "lambda a:", "x = 1"])
def test_only_a_lambda_is_a_formula(text):
    with pytest.raises((ValueError, SyntaxError)):
        read_formula(text)
