"""How many problems and samples it takes: the width of an interval and the smallest difference that two runs could show.

Keeps true: the variance is exact for the model that is stated, for every n and k. The model: success rates of problems are
drawn from a Beta distribution with mean p and `spread` a + b; those of two runs on one problem have a correlation. What comes
of it is as good as these three guesses, which are therefore said with every number.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple

from assay.errors import SettingsError
from assay.metrics.interval import wilson_mended

MOST_SAMPLES = 10_000
"""Beyond so many samples a problem nothing is looked for."""
CURVE_POINTS = 40
"""Numbers of samples at which a curve is computed, evenly spread by their logarithms."""


class Outlook(NamedTuple):
    """What is known beforehand of the runs to come.

    `p` is the mean success rate, the pass@1 that is expected. `spread` is a + b of the Beta distribution of success rates over
    problems: near 0 where problems are always or never solved, large where all are alike. `correlation` is that of two
    runs' success rates over problems. `power` is how often a true difference is to be shown.
    """

    p: float
    k: int = 1
    spread: float = 0.5
    correlation: float = 0.7
    level: float = 0.95
    power: float = 0.8


class Precision(NamedTuple):
    """What so many samples of so many problems give.

    `half_width` is half the interval of one run's pass@k, `detectable` the smallest true difference of two runs that is
    shown with the power asked for; `problems_needed` is how many problems would show the difference asked about (None where none was).
    """

    problems: int
    samples: int
    half_width: float
    detectable: float
    problems_needed: int | None = None


def precision(outlook: Outlook, problems: int, samples: int, difference: float | None = None) -> Precision:
    """The precision of pass@k with so many samples of each of so many problems.

    Args:
        outlook: What is expected.
        problems: At least 2.
        samples: Of each problem, at least k.
        difference: The difference of two runs' pass@k that is to be shown.

    Raises:
        SettingsError: A number is out of its range.

    >>> each = precision(Outlook(p=0.4), problems=974, samples=1, difference=0.05)
    >>> round(each.half_width, 4), round(each.detectable, 4), each.problems_needed
    (0.0307, 0.0454, 804)
    """
    _check(outlook, problems, samples, difference)
    value, within, between = variance_parts(outlook, samples)
    trials = min(max(problems * value * (1 - value) / (within + between), problems), problems * samples)
    low, high = wilson_mended(value, trials, outlook.level)
    effect = _standard_errors(outlook) ** 2 * _paired_variance(outlook, samples)
    needed = None if difference is None else max(2, math.ceil(effect / difference**2))
    return Precision(problems, samples, (high - low) / 2, math.sqrt(effect / problems), needed)


def precision_curve(outlook: Outlook, problems: int, most: int) -> tuple[Precision, ...]:
    """The precision of pass@k for numbers of samples from k to `most`: what a figure of width against n is drawn through.

    Raises:
        SettingsError: A number is out of its range.

    >>> [each.samples for each in precision_curve(Outlook(p=0.4, k=2), problems=164, most=6)]
    [2, 3, 4, 5, 6]
    """
    least = outlook.k
    _check(outlook, problems, most, None)
    steps = [step / (CURVE_POINTS - 1) for step in range(CURVE_POINTS)]
    numbers = sorted({round(least * (most / least) ** share) for share in steps})
    return tuple(precision(outlook, problems, samples) for samples in numbers)


def variance_parts(outlook: Outlook, samples: int) -> tuple[float, float, float]:
    """Expected pass@k, and the variance of one problem's estimate: within problems (finite n), and between them.

    The estimate is the share of k-subsets of the n samples that hold a right one. Two such subsets that have j samples in common
    are both all wrong with probability q^(2k - j), so that its mean square over draws and problems is a mean of
    moments of q = 1 - p. Source: Hoeffding 1948, "A class of statistics with asymptotically normal distribution", Annals
    of Mathematical Statistics 19, section 5, whose U-statistic pass@k is.

    >>> value, within, between = variance_parts(Outlook(p=0.5, spread=1.0), samples=10)  # p (1 - p) / 2 is of problems
    >>> value, between, round(10 * within, 4)
    (0.5, 0.125, 0.125)
    """
    k, n = outlook.k, samples
    moments = _failure_moments(outlook)
    weights = [math.comb(k, j) * math.comb(n - k, k - j) / math.comb(n, k) for j in range(k + 1)]
    square = math.fsum(weight * moments[2 * k - j] for j, weight in enumerate(weights))
    mean = moments[k]
    return 1 - mean, square - moments[2 * k], moments[2 * k] - mean * mean


def samples_needed(outlook: Outlook, problems: int, difference: float) -> int | None:
    """The fewest samples of each problem that show a difference with the power asked for; None if 10,000 don't.

    Raises:
        SettingsError: A number is out of its range.

    >>> samples_needed(Outlook(p=0.4), 974, 0.04), samples_needed(Outlook(p=0.4), 974, 0.02)
    (2, None)
    """
    low, high = outlook.k - 1, MOST_SAMPLES
    if precision(outlook, problems, high, difference).detectable > difference:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        enough = precision(outlook, problems, middle, difference).detectable <= difference
        low, high = (low, middle) if enough else (middle, high)
    return high


def _failure_moments(outlook: Outlook) -> list[float]:
    """E[q^j] for j from 0 to 2k."""
    moments, failing = [1.0], outlook.spread * (1 - outlook.p)
    for i in range(2 * outlook.k):
        moments.append(moments[-1] * (failing + i) / (outlook.spread + i))
    return moments


def _paired_variance(outlook: Outlook, samples: int) -> float:
    """Variance over problems of the difference of two runs."""
    _, within, between = variance_parts(outlook, samples)
    return 2 * within + 2 * between * (1 - outlook.correlation)


def _standard_errors(outlook: Outlook) -> float:
    """How many standard errors a difference must be to be shown so often: both quantiles of the normal law, added."""
    normal = NormalDist()
    return normal.inv_cdf((1 + outlook.level) / 2) + normal.inv_cdf(outlook.power)


def _check(outlook: Outlook, problems: int, samples: int, difference: float | None) -> None:
    ranges = (
        ("p", outlook.p, 0 < outlook.p < 1, "between 0 and 1"),
        ("k", outlook.k, outlook.k >= 1, "at least 1"),
        ("spread", outlook.spread, 0 < outlook.spread < math.inf, "above 0"),
        ("correlation", outlook.correlation, -1 <= outlook.correlation <= 1, "from -1 to 1"),
        ("level", outlook.level, 0 < outlook.level < 1, "between 0 and 1"),
        ("power", outlook.power, 0 < outlook.power < 1, "between 0 and 1"),
        ("problems", problems, problems >= 2, "at least 2"),
        ("samples", samples, outlook.k <= samples <= MOST_SAMPLES, f"from k = {outlook.k} to {MOST_SAMPLES:,}"),
        ("difference", difference, difference is None or 0 < difference < 1, "between 0 and 1"),
    )
    for name, value, is_fine, wanted in ranges:
        if not is_fine:
            raise SettingsError(f"{name} is {value}", hint=f"it must be {wanted}")
