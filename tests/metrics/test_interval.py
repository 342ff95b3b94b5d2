import math
import random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.metrics import interval_by_problem, pass_at_k, wilson
from assay.metrics.interval import effective_problems

VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=60)


@given(VALUES, st.integers(1, 200))
def test_the_interval_holds_the_value_and_stays_within_0_and_1(values, samples_each):
    low, high, _ = interval_by_problem(values, samples_each * len(values))
    assert 0 <= low <= math.fsum(values) / len(values) <= high <= 1


@given(VALUES, st.integers(1, 200))
def test_effective_problems_lie_between_problems_and_samples(values, samples_each):
    samples = samples_each * len(values)
    assert len(values) <= effective_problems(values, samples) <= samples


@given(st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=200))
def test_with_one_sample_a_problem_it_is_wilsons_interval(values):
    low, high, method = interval_by_problem(values, len(values))
    assert (low, high) == pytest.approx(wilson(fmean(values), len(values)), rel=1e-12)
    assert method == "Wilson score interval over problems"


def test_wilsons_interval_agrees_with_a_published_example():
    # Newcombe 1998, Statistics in Medicine 17, table I, method 3: 81/263, 15/148, 0/20, 1/29.
    for right, trials, low, high in [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ]:
        assert wilson(right / trials, trials) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_all_wrong_or_all_right_still_has_a_width(value):
    low, high, _ = interval_by_problem([value] * 164, 164 * 200)
    assert 0.02 < high - low < 0.03
    assert value in (low, high)


def test_samples_of_one_problem_are_not_taken_for_independent_problems():
    # 20 problems, half of them always solved: 200 samples each say no more than one.
    values = [0.0, 1.0] * 10
    assert interval_by_problem(values, 4000)[:2] == interval_by_problem(values, 20)[:2]


def test_a_wider_level_gives_a_wider_interval():
    narrow, wide = (interval_by_problem([0.1, 0.4, 0.9], 30, level) for level in (0.8, 0.99))
    assert wide.low < narrow.low < narrow.high < wide.high


def simulated_coverage(problems, n, k, mean):
    """Share of 400 runs whose 95 % interval holds the true mean; success rates of problems are Beta(2 mean, 2 - 2 mean)."""
    rng = random.Random(f"{problems} {n} {k} {mean}")
    a, b = 2 * mean, 2 * (1 - mean)
    # E[1 - (1 - p)^k] of a Beta distribution.
    truth = 1 - math.prod((b + i) / (a + b + i) for i in range(k))
    table = [pass_at_k(n, c, k) for c in range(n + 1)]
    hits = 0
    for _ in range(400):
        rates = [rng.betavariate(a, b) for _ in range(problems)]
        values = [
            table[rng.binomialvariate(n, p) if hasattr(rng, "binomialvariate") else draw(rng, n, p)] for p in rates
        ]
        low, high, _ = interval_by_problem(values, problems * n)
        hits += low <= truth <= high
    return hits / 400


def draw(rng, n, p):
    return sum(rng.random() < p for _ in range(n))


@pytest.mark.parametrize(("n", "k"), [(1, 1), (10, 1), (10, 10)])
@pytest.mark.parametrize("mean", [0.1, 0.5, 0.8])
def test_95_percent_intervals_hold_the_truth_about_95_times_in_100(n, k, mean):
    # 400 runs have a standard error of 1.1 %: 92 to 98 % is what 95 % can look like.
    assert 0.92 <= simulated_coverage(164, n, k, mean) <= 0.98
