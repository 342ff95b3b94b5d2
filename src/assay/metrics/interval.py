"""How far a mean over problems may be from the truth: one interval by problem, for every n and k.

Keeps true: samples of one problem are never taken for independent problems; at 0 and at 1 the interval still has a
width; with one sample a problem it is Wilson's interval (mended where events are few).
`docs/statistics.md` derives it and shows by simulation where it covers how much.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

PSEUDO_PROBLEMS, PSEUDO_VARIANCE = 1, 0.3
"""How many problems of the greatest possible variance are mixed into the design effect: 1 + 0.3 / (p (1 - p)), few where p is
far from 0 and 1, many where the variance hangs on the few problems that differ (`effective_problems`)."""

FEW_EVENTS = 5
"""Up to so many right (or wrong) samples in effect, Wilson's near end is drawn towards 0 (or 1), as Poisson's law has it."""


class Interval(NamedTuple):
    """Both ends of an interval, within 0 and 1, and the name of the method in words."""

    low: float
    high: float
    method: str


def wilson(p: float, trials: float, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval for a proportion p of so many independent trials (a fraction of a trial is allowed).

    Source: Wilson 1927, "Probable inference, the law of succession, and statistical inference", JASA 22; recommended by
        Brown, Cai and DasGupta 2001, "Interval estimation for a binomial proportion", Statistical Science 16.

    >>> low, high = wilson(0.5, 100)
    >>> round(low, 4), round(high, 4)
    (0.4038, 0.5962)
    >>> wilson(0.0, 100)[0], round(wilson(0.0, 100)[1], 4)  # z^2 / (n + z^2)
    (0.0, 0.037)
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    weight = z * z / trials
    centre = (p + weight / 2) / (1 + weight)
    half = math.sqrt(weight * (p * (1 - p) + weight / 4)) / (1 + weight)
    # Rounding must not move an end past the value or past 0 and 1, where the ends are exact.
    low = 0.0 if p == 0 else min(max(0.0, centre - half), p)
    high = 1.0 if p == 1 else max(min(1.0, centre + half), p)
    return low, high


def wilson_mended(p: float, trials: float, level: float = 0.95) -> tuple[float, float]:
    """Wilson's interval with its near end drawn out where events are few: there it covers too little, 84 % for some p.

    With x <= 5 right samples the low end becomes, if that is lower, the mean of the Poisson law that gives x or more of them
    with probability 1 - level; likewise for x <= 5 wrong ones and the high end. (The source goes to 3, for whole numbers of
    events; an effective number of trials makes fractions, which are less sure.) Source: Brown, Cai and DasGupta 2001,
    "Interval estimation for a binomial proportion", Statistical Science 16, section 4.1.1.

    >>> wilson_mended(0.5, 100) == wilson(0.5, 100)
    True
    >>> [round(100 * end, 4) for end in (wilson(0.01, 100)[0], wilson_mended(0.01, 100)[0])]  # 1 of 100: -log(0.95) = 0.0513
    [0.1767, 0.0513]
    """
    low, high = wilson(p, trials, level)
    right, wrong = p * trials, (1 - p) * trials
    few = min(FEW_EVENTS, trials / 10)  # far from 0 and 1 Wilson's ends are right, however few the trials
    if 0 < right <= few:
        low = min(low, poisson_mean(right, 1 - level) / trials)
    if 0 < wrong <= few:
        high = max(high, 1 - poisson_mean(wrong, 1 - level) / trials)
    return low, high


def poisson_mean(events: float, probability: float) -> float:
    """The mean of the Poisson law under which so many events or more have this probability; a fraction of an event is allowed.

    >>> round(poisson_mean(1, 0.05), 6)  # 1 - exp(-mean) = 0.05
    0.051293
    """
    low, high = 0.0, events
    while _gamma(events, high) < probability:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _gamma(events, middle) < probability else (low, middle)
    return high


def _gamma(a: float, x: float) -> float:
    """The regularised lower incomplete gamma function by its series (Abramowitz and Stegun 6.5.29), for small a and x."""
    if x <= 0:
        return 0.0
    term = math.exp(a * math.log(x) - x - math.lgamma(a + 1))
    total, i = term, 1
    while term > total * 1e-16:
        term *= x / (a + i)
        total, i = total + term, i + 1
    return total


def effective_problems(values: Sequence[float], samples: int) -> float:
    """How many problems with one sample each would tell the mean as exactly as these problems do.

    The design effect is the variance over problems divided by p (1 - p), its greatest possible value, which it has with
    one sample a problem. A pseudo-problem or more (`PSEUDO_PROBLEMS`) of that greatest variance is mixed in, since few
    problems tell little about their own variance, and near 0 and 1 even many tell little: there it hangs on problems that
    a draw may miss altogether. The result lies between the number of problems and the number of samples.

    Args:
        values: One value within 0 and 1 a problem.
        samples: Samples of all problems together.

    >>> effective_problems([0.0, 1.0, 1.0], samples=3)
    3.0
    >>> round(effective_problems([0.5, 0.5, 0.5], samples=60), 4)  # no variance seen: (3 x 0 + 2.2) / (3 + 2.2) of the greatest
    7.0909
    """
    problems = len(values)
    p = math.fsum(values) / problems
    greatest = p * (1 - p)
    if greatest <= 0:
        return float(problems)
    variance = math.fsum((value - p) ** 2 for value in values) / problems
    pseudo_variance = (
        PSEUDO_PROBLEMS * greatest + PSEUDO_VARIANCE
    )  # of all pseudo-problems; divided by p (1 - p) it could overflow
    design_effect = (problems * variance + pseudo_variance) / (problems * greatest + pseudo_variance)
    return min(max(problems / design_effect, problems), max(problems, samples))


def interval_by_problem(values: Sequence[float], samples: int, level: float = 0.95) -> Interval:
    """Interval for the mean of `values`, the problems being a draw from those that might have been asked.

    Wilson's interval with the effective number of problems in the place of trials. Source: Kish 1965 ("Survey
    Sampling") for the design effect; Franco, Little, Louis and Slud 2019, "Comparative study of confidence intervals
    for proportions in complex sample surveys", J. Survey Statistics and Methodology 7, for its use in Wilson's
    interval.

    Args:
        values: One value within 0 and 1 a problem, at least one.
        samples: Samples of all problems together.
        level: Coverage asked for.

    >>> interval_by_problem([0.0, 1.0] * 8, samples=16)[:2] == wilson(0.5, 16)
    True
    """
    low, high = wilson_mended(math.fsum(values) / len(values), effective_problems(values, samples), level)
    if all(value in (0.0, 1.0) for value in values):
        return Interval(low, high, "Wilson score interval over problems")
    return Interval(low, high, "Wilson score interval, effective number of problems from the variance over problems")
