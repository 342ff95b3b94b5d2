import pytest

from assay.metrics import bootstrap_interval, interval_by_problem
from assay.metrics.bootstrap import bootstrap_means


def test_it_agrees_with_the_analytic_interval_where_there_are_many_problems():
    values = [i % 11 / 10 for i in range(1000)]
    low, high, method = bootstrap_interval(values)
    analytic = interval_by_problem(values, 10_000)
    assert (low, high) == pytest.approx(analytic[:2], abs=0.003)
    assert method == "cluster bootstrap by problem, 10,000 draws, seed 0"


def test_the_same_seed_gives_the_same_digits_and_another_seed_others():
    values = [0.1, 0.5, 0.9, 0.3] * 20
    assert bootstrap_interval(values) == bootstrap_interval(values)
    assert bootstrap_interval(values, seed=1)[:2] != bootstrap_interval(values)[:2]


@pytest.mark.parametrize("value", [0.0, 1.0, 0.5])
def test_problems_that_are_all_alike_have_wilsons_width(value):
    low, high, method = bootstrap_interval([value] * 164)
    assert high - low > 0.02
    assert low <= value <= high
    assert method.startswith("Wilson")


def test_whole_problems_are_drawn():
    means = bootstrap_means([0.0, 1.0] * 50, draws=2000)
    assert means.shape == (2000,)
    assert means.std() == pytest.approx(0.05, abs=0.004)  # of 100 problems, however many samples each had
