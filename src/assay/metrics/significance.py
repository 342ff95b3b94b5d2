"""Single proportions and paired differences, exactly: intervals and tests that rest on counting, not on large numbers.

Keeps true: no approximation by a normal law; what is drawn at random (a permutation test over many problems) has a fixed
seed, so that the same runs give the same digits.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

DRAWS = 10_000
"""Draws of a permutation test: a p of 0.05 then has a standard error of 0.002."""
EXACT_SIGNS = 16
"""Up to so many differences all 2^16 changes of sign are looked at, and nothing is drawn."""
_CHUNK = 2**21


def binomial_tail(successes: int, trials: int, p: float) -> float:
    """Chance of at least so many successes in independent trials of success rate p.

    Summed from its largest term outward, with relative error about 1e-13.

    >>> binomial_tail(0, 10, 0.3), binomial_tail(2, 2, 0.5)
    (1.0, 0.25)
    """
    if successes <= 0 or p >= 1:
        return 1.0 if successes <= trials else 0.0
    if successes > trials or p <= 0:
        return 0.0
    if successes <= trials * p:  # the other tail is the short one
        return 1.0 - binomial_tail(trials - successes + 1, trials, 1 - p)
    log_term = math.log(math.comb(trials, successes)) + successes * math.log(p) + (trials - successes) * math.log1p(-p)
    term, total, odds = math.exp(log_term), 0.0, p / (1 - p)
    for i in range(successes, trials + 1):
        total += term
        term *= odds * (trials - i) / (i + 1)
        if term < total * 1e-17:
            break
    return min(total, 1.0)


def exact_interval(successes: int, trials: int, level: float = 0.95) -> tuple[float, float]:
    """Clopper and Pearson's interval for a proportion: it never covers less than `level`, and mostly more.

    Each end is the success rate at which what was seen, or more of it in that direction, has probability (1 - level) / 2.
    Source: Clopper and Pearson 1934, "The use of confidence or fiducial limits", Biometrika 26.

    Args:
        successes: 0 to `trials`.
        trials: At least 1.
        level: Coverage asked for.

    Raises:
        ValueError: `successes` lies outside 0 to `trials`, or there are no trials.

    >>> low, high = exact_interval(0, 10)
    >>> low, round(high, 4)  # 1 - 0.025^(1/10)
    (0.0, 0.3085)
    """
    if trials < 1 or not 0 <= successes <= trials:
        raise ValueError(f"successes must lie between 0 and {trials} trials (at least 1), got {successes}")
    tail = (1 - level) / 2
    low = 0.0 if successes == 0 else _crossing(lambda p: binomial_tail(successes, trials, p) >= tail)
    failures = trials - successes
    high = 1.0 if failures == 0 else 1 - _crossing(lambda q: binomial_tail(failures, trials, q) >= tail)
    return low, high


def _crossing(is_reached: Callable[[float], bool]) -> float:
    """The least p for which a condition holds that holds from some p on."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if is_reached(middle) else (middle, high)
    return high


def mcnemar(only_first: int, only_second: int) -> float:
    """Two-sided p of McNemar's exact test: could problems that only one of two runs solves fall this unevenly by chance?

    Under no difference each of them falls to either run like a coin: twice the smaller binomial tail, at most 1. Source:
    McNemar 1947, "Note on the sampling error of the difference between correlated proportions or percentages",
    Psychometrika 12.

    >>> mcnemar(6, 5), mcnemar(8, 1)
    (1.0, 0.0390625)
    """
    few, both = min(only_first, only_second), only_first + only_second
    tail = sum(math.comb(both, i) for i in range(few + 1))
    return min(1.0, 2 * tail / (1 << both))


def sign_flip_test(differences: Sequence[float], *, draws: int = DRAWS, seed: int = 0) -> float:
    """Two-sided p of the paired permutation test: how often random signs make a sum at least as far from 0.

    Under no difference each problem's difference could as well have the other sign. With at most 16 differences that are
    not 0 all signs are tried; otherwise `draws` of them are, and the data count as one more (so p is never 0). Source:
    Fisher 1935, "The Design of Experiments", section 21; Phipson and Smyth 2010, "Permutation p-values should never be zero".

    >>> sign_flip_test([1.0] * 5)  # 2 of 32 signs
    0.0625
    >>> sign_flip_test([0.0, 0.0])
    1.0
    """
    import numpy as np  # noqa: PLC0415 (numpy costs 100 ms of import; the command line must not pay it for --help)

    moved = np.array([each for each in differences if each])
    if not moved.size:
        return 1.0
    seen = abs(math.fsum(moved)) * (1 - 1e-9)  # sums that are equal must not differ by rounding
    if moved.size <= EXACT_SIGNS:
        signs = (np.arange(2**moved.size)[:, None] >> np.arange(moved.size) & 1) * 2.0 - 1
        return float(np.mean(np.abs(signs @ moved) >= seen))
    random, hits = np.random.default_rng(seed), 0
    for done in range(0, draws, rows := max(1, _CHUNK // moved.size)):
        signs = random.integers(0, 2, (min(rows, draws - done), moved.size), dtype=np.int8) * 2.0 - 1
        hits += int(np.sum(np.abs(signs @ moved) >= seen))
    return (hits + 1) / (draws + 1)


def holm(probabilities: Sequence[float]) -> list[float]:
    """The p of each of several tests, corrected so that the chance of any false alarm among them stays below the level.

    The smallest p counts as many times as there are tests, the next once less, and so on. Source: Holm 1979, "A simple
    sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6.

    >>> holm([0.03, 0.01, 0.5])
    [0.06, 0.03, 0.5]
    """
    corrected, least = [0.0] * len(probabilities), 0.0
    for rank, at in enumerate(sorted(range(len(probabilities)), key=probabilities.__getitem__)):
        least = max(least, min(1.0, (len(probabilities) - rank) * probabilities[at]))
        corrected[at] = least
    return corrected
