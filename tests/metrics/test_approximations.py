import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.metrics import bias, pass_at_k, pass_at_k_binomial, pass_at_k_first_order


@st.composite
def counts(draw, largest=100):
    n = draw(st.integers(1, largest))
    return n, draw(st.integers(0, n)), draw(st.integers(1, n))


@given(counts())
def test_the_binomial_form_is_never_above_and_the_first_order_never_below(case):
    exact = pass_at_k(*case)
    assert pass_at_k_binomial(*case) <= exact * (1 + 1e-12)
    assert pass_at_k_first_order(*case) >= exact * (1 - 1e-12)


@pytest.mark.parametrize("k", [1, 2, 10])
@pytest.mark.parametrize("p", [0.0, 0.02, 0.3, 0.9, 1.0])
def test_the_exact_form_has_no_bias(k, p):
    assert bias(pass_at_k, 12, p, k) == pytest.approx(0.0, abs=1e-14)


def test_the_bias_of_the_binomial_form_agrees_with_its_second_moment():
    # k = 2: the mean of (1 - X/n)^2 is q^2 + p q / n, so the error is -p q / n.
    assert bias(pass_at_k_binomial, 10, 0.3, 2) == pytest.approx(-0.3 * 0.7 / 10, rel=1e-12)


def test_both_are_right_for_k_1_and_the_binomial_form_is_defined_for_k_above_n():
    for estimator in (pass_at_k_binomial, pass_at_k_first_order):
        assert bias(estimator, 7, 0.4, 1) == pytest.approx(0.0, abs=1e-15)
    assert pass_at_k_binomial(5, 1, 100) == pytest.approx(1 - 0.8**100)
    assert bias(pass_at_k_binomial, 5, 0.01, 100) < -0.5  # where it is used most it is worst


@pytest.mark.parametrize("case", [(0, 0, 1), (5, 6, 1), (5, 1, 0), (5, -1, 1)])
def test_counts_out_of_range_are_refused(case):
    with pytest.raises(ValueError):
        pass_at_k_binomial(*case)
    with pytest.raises(ValueError):
        pass_at_k_first_order(*case)


@pytest.mark.parametrize("p", [-0.1, 1.1, math.nan])
def test_a_success_rate_out_of_range_is_refused(p):
    with pytest.raises(ValueError, match="p must lie"):
        bias(pass_at_k, 5, p, 1)
