import math
import random

import pytest

from assay.errors import SettingsError
from assay.metrics import Outlook, pass_at_k, precision, samples_needed, variance_parts


def test_with_one_sample_the_variance_is_that_of_a_coin():
    for spread in (0.2, 1.0, 30.0):
        value, within, between = variance_parts(Outlook(p=0.3, spread=spread), 1)
        assert value == pytest.approx(0.3)
        assert within + between == pytest.approx(0.3 * 0.7)
        assert between == pytest.approx(0.3 * 0.7 / (spread + 1))


def test_for_k_1_what_lies_within_problems_falls_as_1_over_n():
    parts = [variance_parts(Outlook(p=0.3, spread=2.0), n) for n in (1, 10)]
    assert parts[0][1] == pytest.approx(10 * parts[1][1])
    assert parts[0][2] == pytest.approx(parts[1][2])


@pytest.mark.parametrize(("n", "k"), [(10, 1), (10, 5), (10, 10), (40, 10)])
def test_the_variance_is_that_of_simulated_problems(n, k):
    rng = random.Random(f"{n} {k}")
    table = [pass_at_k(n, c, k) for c in range(n + 1)]
    rates = (rng.betavariate(0.6, 1.4) for _ in range(20_000))
    values = [table[sum(rng.random() < rate for _ in range(n))] for rate in rates]
    mean = math.fsum(values) / len(values)
    variance = math.fsum((value - mean) ** 2 for value in values) / len(values)
    value, within, between = variance_parts(Outlook(p=0.3, spread=2.0, k=k), n)
    assert mean == pytest.approx(value, abs=0.01)
    assert variance == pytest.approx(within + between, rel=0.04)


def test_the_plan_for_mbpp_says_what_two_points_take():
    outlook = Outlook(p=0.4)
    one, many = (precision(outlook, 974, n, 0.02) for n in (1, 200))
    assert one.half_width == pytest.approx(1.96 * math.sqrt(0.24 / 974), abs=1e-4)
    assert one.detectable > many.detectable > 0.02  # more samples alone don't do it
    assert samples_needed(outlook, 974, 0.02) is None
    enough = precision(outlook, many.problems_needed, 200, 0.02)
    assert enough.detectable == pytest.approx(0.02, rel=1e-3)


def test_samples_needed_is_the_least_number_that_is_enough():
    outlook = Outlook(p=0.4, correlation=0.95)
    needed = samples_needed(outlook, 974, 0.02)
    assert precision(outlook, 974, needed, 0.02).detectable <= 0.02 < precision(outlook, 974, needed - 1).detectable


def simulated_power(outlook, problems, n, difference):
    """Share of 300 pairs of runs with that true difference whose paired z is beyond 1.96."""
    rng, shown = random.Random(5), 0
    a, b = outlook.spread * outlook.p, outlook.spread * (1 - outlook.p)
    for _ in range(300):
        differences = []
        for _ in range(problems):
            # The second run has the first one's rate of a problem with probability `correlation`, otherwise one of its own.
            one = rng.betavariate(a, b)
            two = one if rng.random() < outlook.correlation else rng.betavariate(a, b)
            two = min(max(two + difference, 0), 1)
            hits = [sum(rng.random() < rate for _ in range(n)) / n for rate in (one, two)]
            differences.append(hits[1] - hits[0])
        mean = math.fsum(differences) / problems
        variance = math.fsum((each - mean) ** 2 for each in differences) / (problems - 1)
        shown += abs(mean) > 1.96 * math.sqrt(variance / problems)
    return shown / 300


def test_a_difference_of_the_detectable_size_is_shown_about_four_times_in_five():
    outlook = Outlook(p=0.5, spread=8.0)  # rates far from 0 and 1, so that adding a difference cuts none off
    found = precision(outlook, 60, 4)
    assert 0.72 <= simulated_power(outlook, 60, 4, found.detectable) <= 0.9


@pytest.mark.parametrize(
    ("fields", "problems", "samples", "difference", "name"),
    [
        ({"p": 0.0}, 10, 1, None, "p"),
        ({"p": 0.5, "k": 0}, 10, 1, None, "k"),
        ({"p": 0.5, "spread": 0.0}, 10, 1, None, "spread"),
        ({"p": 0.5, "spread": math.nan}, 10, 1, None, "spread"),
        ({"p": 0.5, "correlation": 1.5}, 10, 1, None, "correlation"),
        ({"p": 0.5, "level": 1.0}, 10, 1, None, "level"),
        ({"p": 0.5, "power": 0.0}, 10, 1, None, "power"),
        ({"p": 0.5}, 1, 1, None, "problems"),
        ({"p": 0.5, "k": 5}, 10, 4, None, "samples"),
        ({"p": 0.5}, 10, 1, 0.0, "difference"),
    ],
)
def test_what_is_out_of_range_is_named(fields, problems, samples, difference, name):
    with pytest.raises(SettingsError, match=f"^{name} is "):
        precision(Outlook(**fields), problems, samples, difference)
