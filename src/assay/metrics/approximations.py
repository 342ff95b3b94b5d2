"""pass@k as it is often approximated, and how far that is off: to be shown beside the exact value, never in its place.

Keeps true: the bias is exact, summed over all outcomes of n samples, so that a figure of it shows the formula's fault
and not that of a simulation.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from assay.metrics.passk import whole_number

if TYPE_CHECKING:
    from collections.abc import Callable


def pass_at_k_binomial(n: int, c: int, k: int) -> float:
    """1 - (1 - c/n)^k: the share of right samples put in the place of the success rate. Too low on average for k > 1.

    (1 - x)^k bends upward, so the mean of it over draws is above its value at the mean (Jensen). It is defined for
    k > n as well, which is why it is used, and where it is worst. Source of the bias: Chen et al. 2021, "Evaluating
    Large Language Models Trained on Code", figure 13.

    Raises:
        ValueError: A number is no whole number, n < 1, k < 1 or c is outside 0 to n.

    >>> pass_at_k_binomial(4, 2, 2)  # the exact value is 5/6
    0.75
    """
    n, c, k = _checked(n, c, k)
    return 1.0 if c == n else -math.expm1(k * math.log1p(-c / n))


def pass_at_k_first_order(n: int, c: int, k: int) -> float:
    """Chances added up, k c / n, at most 1: k chances that never meet. Never too low, and close only where k c / n is small.

    Raises:
        ValueError: As `pass_at_k_binomial`.

    >>> pass_at_k_first_order(200, 1, 10), pass_at_k_first_order(4, 2, 2)
    (0.05, 1.0)
    """
    n, c, k = _checked(n, c, k)
    return min(1.0, k * c / n)


def bias(estimator: Callable[[int, int, int], float], n: int, p: float, k: int) -> float:
    """Mean error of an estimator of pass@k for one problem: its mean over n samples of success rate p, minus 1 - (1 - p)^k.

    Args:
        estimator: A function of (n, c, k), such as `pass_at_k`, `pass_at_k_binomial` or `pass_at_k_first_order`.
        n: Samples.
        p: Success rate, 0 to 1.
        k: Draws.

    Raises:
        ValueError: A number is out of its range, or the estimator refuses it.

    >>> round(bias(pass_at_k_binomial, 20, 0.1, 10), 4), round(bias(pass_at_k_first_order, 20, 0.1, 10), 4)
    (-0.0832, 0.092)
    >>> from assay.metrics import pass_at_k
    >>> abs(bias(pass_at_k, 10, 0.1, 10)) < 1e-15
    True
    """
    n, _, k = _checked(n, 0, k)
    if not 0 <= p <= 1:
        raise ValueError(f"p must lie between 0 and 1, got {p}")
    truth = 1.0 if p == 1 else -math.expm1(k * math.log1p(-p))
    if p in (0, 1):
        return estimator(n, n if p else 0, k) - truth
    odds = math.log(p) - math.log1p(-p)
    start = n * math.log1p(-p)
    weights = (math.exp(start + math.log(math.comb(n, c)) + c * odds) for c in range(n + 1))
    return math.fsum(weight * (estimator(n, c, k) - truth) for c, weight in enumerate(weights))


def _checked(n: int, c: int, k: int) -> tuple[int, int, int]:
    n, c, k = whole_number("n", n), whole_number("c", c), whole_number("k", k)
    if n < 1 or k < 1 or not 0 <= c <= n:
        raise ValueError(f"n and k must be at least 1 and c between 0 and n, got n = {n}, c = {c}, k = {k}")
    return n, c, k
