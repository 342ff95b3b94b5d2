import math
from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.metrics import best_at_k, majority_at_k, pass_all_k, pass_all_ks, pass_at_k
from assay.metrics.passk import EXACT_TERMS


@st.composite
def counts(draw, largest=200):
    n = draw(st.integers(1, largest))
    return n, draw(st.integers(0, n)), draw(st.integers(1, n))


@given(counts())
def test_pass_all_k_is_the_correctly_rounded_fraction(case):
    n, c, k = case
    assert pass_all_k(n, c, k) == float(Fraction(math.comb(c, k), math.comb(n, k)))


@given(counts())
def test_all_of_k_right_and_one_of_k_wrong_are_opposites(case):
    n, c, k = case
    assert pass_all_k(n, c, k) == pytest.approx(1 - pass_at_k(n, n - c, k), abs=1e-15)


@pytest.mark.parametrize(("n", "c", "k"), [(10**6, 998_000, 1500), (10**5, 90_000, 5000), (20_000, 18_500, 1200)])
def test_pass_all_k_beyond_whole_numbers_holds_too(n, c, k):
    assert min(k, n - c) > EXACT_TERMS
    truth = Fraction(math.comb(c, k), math.comb(n, k))
    assert abs(Fraction(pass_all_k(n, c, k)) - truth) / truth < 1e-14


def test_pass_all_of_many_problems_equals_the_single_form():
    assert pass_all_ks([4, 5], [2, 5], (1, 2)).tolist() == [
        [pass_all_k(4, 2, 1), pass_all_k(5, 5, 1)],
        [pass_all_k(4, 2, 2), pass_all_k(5, 5, 2)],
    ]


def majority_by_brute_force(right, wrong, silent, k):
    """Every draw looked at: the share of tie breaks that the right answer wins."""
    answers = ["right"] * right + [name for i, size in enumerate(wrong) for name in [f"wrong {i}"] * size]
    answers += [None] * silent
    draws = list(combinations(range(len(answers)), k))
    won = Fraction(0)
    for draw in draws:
        votes = Counter(answers[i] for i in draw if answers[i] is not None)
        top = [name for name, count in votes.items() if count == max(votes.values())]
        won += Fraction("right" in top, max(len(top), 1))
    return float(won / len(draws))


@settings(deadline=None)  # every draw is looked at
@given(st.integers(0, 4), st.lists(st.integers(1, 3), max_size=3), st.integers(0, 2), st.integers(1, 9))
def test_maj_at_k_equals_looking_at_every_draw(right, wrong, silent, k):
    n = right + sum(wrong) + silent
    if 1 <= k <= n:
        found = majority_at_k(right, wrong, k, silent=silent)
        assert found == pytest.approx(majority_by_brute_force(right, wrong, silent, k), rel=1e-14)


def test_maj_at_1_is_pass_at_1_and_a_right_majority_wins_in_the_end():
    assert majority_at_k(3, [2, 2], 1) == pass_at_k(7, 3, 1)
    assert majority_at_k(3, [2, 2], 7) == 1.0
    assert majority_at_k(2, [3], 5) == 0.0


def test_hundreds_of_different_answers_are_no_trouble():
    assert majority_at_k(100, [1] * 100, 100) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(("right", "wrong", "k"), [(-1, [2], 1), (1, [-1], 1), (1, [1], 3), (1, [1], 0), (1, [1.5], 1)])
def test_maj_at_k_refuses_what_is_no_count(right, wrong, k):
    with pytest.raises(ValueError):
        majority_at_k(right, wrong, k)


def best_by_brute_force(samples, k):
    found = Fraction(0)
    draws = list(combinations(samples, k))
    for draw in draws:
        top = max(score for score, _ in draw)
        chosen = [right for score, right in draw if score == top]
        found += Fraction(sum(chosen), len(chosen))
    return float(found / len(draws))


@settings(deadline=None)  # every draw is looked at
@given(st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.booleans()), min_size=1, max_size=8), st.integers(1, 8))
def test_best_of_k_equals_looking_at_every_draw(samples, k):
    if k <= len(samples):
        assert best_at_k(samples, k) == pytest.approx(best_by_brute_force(samples, k), rel=1e-14)


def test_a_perfect_score_makes_best_of_k_pass_at_k_and_a_useless_one_pass_at_1():
    right = [True] * 3 + [False] * 7
    assert best_at_k([(float(each), each) for each in right], 4) == pass_at_k(10, 3, 4)
    assert best_at_k([(0.0, each) for each in right], 4) == 0.3


def test_a_score_that_is_nan_is_refused():
    with pytest.raises(ValueError, match="nan"):
        best_at_k([(math.nan, True)], 1)
