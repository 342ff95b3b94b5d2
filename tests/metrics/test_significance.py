import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.metrics import exact_interval, holm, mcnemar, sign_flip_test
from assay.metrics.significance import EXACT_SIGNS, binomial_tail


def exact_tail(successes, trials, p):
    p = Fraction(p)
    return sum(math.comb(trials, i) * p**i * (1 - p) ** (trials - i) for i in range(max(successes, 0), trials + 1))


@settings(deadline=None)  # fractions of floats near 0 are long
@given(st.integers(-1, 41), st.integers(1, 40), st.floats(0, 1))
def test_the_binomial_tail_is_the_sum_of_fractions(successes, trials, p):
    assert binomial_tail(successes, trials, p) == pytest.approx(
        float(exact_tail(successes, trials, p)), rel=1e-11, abs=1e-300
    )


def test_the_exact_interval_agrees_with_a_published_example():
    # Newcombe 1998, Statistics in Medicine 17, table I, method 5: 81/263, 15/148, 0/20, 1/29.
    for right, trials, low, high in [
        (81, 263, 0.2527, 0.3676),
        (15, 148, 0.0578, 0.1617),
        (0, 20, 0.0, 0.1684),
        (1, 29, 0.0009, 0.1776),
    ]:
        assert exact_interval(right, trials) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize("trials", [1, 7, 30])
@pytest.mark.parametrize("p", [0.01, 0.3, 0.5, 0.97])
def test_the_exact_interval_covers_at_least_what_it_says(trials, p):
    covered = 0.0
    for right in range(trials + 1):
        low, high = exact_interval(right, trials)
        covered += (low <= p <= high) * math.comb(trials, right) * p**right * (1 - p) ** (trials - right)
    assert covered >= 0.95


@pytest.mark.parametrize(("successes", "trials"), [(-1, 5), (6, 5), (0, 0)])
def test_the_exact_interval_refuses_what_is_no_count(successes, trials):
    with pytest.raises(ValueError, match="successes must lie"):
        exact_interval(successes, trials)


def test_mcnemars_test_is_the_binomial_one_of_a_coin():
    assert mcnemar(6, 5) == 1.0
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(10, 0) == 2 / 2**10
    assert mcnemar(3, 12) == mcnemar(12, 3) == pytest.approx(2 * float(exact_tail(12, 15, 0.5)))


@settings(deadline=None)  # 2^16 signs
@given(st.lists(st.sampled_from([-1.0, 1.0]), max_size=EXACT_SIGNS))
def test_the_permutation_test_of_ones_is_mcnemars(differences):
    assert sign_flip_test(differences) == pytest.approx(mcnemar(differences.count(1.0), differences.count(-1.0)))


def test_beyond_the_exact_signs_the_drawn_p_is_near_mcnemars_and_always_the_same():
    differences = [1.0] * 30 + [-1.0] * 15
    drawn = sign_flip_test(differences)
    assert drawn == pytest.approx(mcnemar(30, 15), abs=0.006)
    assert drawn == sign_flip_test(differences)
    assert sign_flip_test([1.0] * 200) == 1 / 10_001  # never 0


def test_holm_corrects_in_the_order_of_p_and_never_falls():
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []
