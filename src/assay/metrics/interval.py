"""How far a mean over problems may be from the truth: one interval by problem, for every n and k.

Keeps true: samples of one problem are never taken for independent problems; at 0 and at 1 the interval still has a
width; with one sample a problem it is Wilson's interval to the bit. `docs/statistics.md` derives it and says where it
covers too little.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

PSEUDO_PROBLEMS = 1
"""Problems of the greatest possible variance that are mixed into the design effect (`effective_problems`)."""


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


def effective_problems(values: Sequence[float], samples: int) -> float:
    """How many problems with one sample each would tell the mean as exactly as these problems do.

    The design effect is the variance over problems divided by p (1 - p), its greatest possible value, which it has with
    one sample a problem. One pseudo-problem of that greatest variance is mixed in, since few problems tell little about
    their own variance. The result lies between the number of problems and the number of samples.

    Args:
        values: One value within 0 and 1 a problem.
        samples: Samples of all problems together.

    >>> effective_problems([0.0, 1.0, 1.0], samples=3)
    3.0
    >>> effective_problems([0.5, 0.5, 0.5], samples=60)  # no variance seen: (3 x 0 + 1) / (3 + 1) of the greatest
    12.0
    """
    problems = len(values)
    p = math.fsum(values) / problems
    greatest = p * (1 - p)
    if greatest <= 0:
        return float(problems)
    variance = math.fsum((value - p) ** 2 for value in values) / problems
    design_effect = (problems * variance / greatest + PSEUDO_PROBLEMS) / (problems + PSEUDO_PROBLEMS)
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

    >>> interval_by_problem([0.0, 1.0, 1.0, 1.0], samples=4)[:2] == wilson(0.75, 4)
    True
    """
    low, high = wilson(math.fsum(values) / len(values), effective_problems(values, samples), level)
    if all(value in (0.0, 1.0) for value in values):
        return Interval(low, high, "Wilson score interval over problems")
    return Interval(low, high, "Wilson score interval, effective number of problems from the variance over problems")
