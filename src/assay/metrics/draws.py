"""What k samples, drawn from the n that were judged, are worth together: all right, most in agreement, best by a score.

Keeps true: each function is the exact mean over all draws of k samples without replacement, so none depends on the
order of samples or on chance, and ties count as the share of tie breaks that would be right. pass@k asks whether one of
the k is right; these ask what a user gets who can't tell which one.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

from assay.metrics.passk import EXACT_TERMS, check_ranges, over_pairs, whole_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

_Ways = dict[tuple[int, int], int]
"""Ways to draw so many wrong samples (first number), of which so many classes tie with the right one (second)."""


def pass_all_k(n: int, c: int, k: int) -> float:
    """Chance that all of k samples, drawn without replacement from n of which c are right, are right: "pass^k".

    C(c, k) / C(n, k), without bias for p^k. Source: Yao et al. 2024, "tau-bench: A Benchmark for Tool-Agent-User
    Interaction in Real-World Domains", section 3. Relative error under 1e-15 up to 1,000 factors, under 1e-14 beyond.

    Raises:
        ValueError: As `pass_at_k`.

    >>> pass_all_k(4, 2, 2)  # of 6 pairs, one is all right
    0.16666666666666666
    """
    n, c, k = whole_number("n", n), whole_number("c", c), whole_number("k", k)
    check_ranges(n, c, k)
    return _pass_all_k(n, c, k)


def _pass_all_k(n: int, c: int, k: int) -> float:
    if c < k:
        return 0.0
    # C(c, k) / C(n, k) = C(n-k, n-c) / C(n, n-c): the smaller of k and n-c is the number of factors.
    few, many = min(k, n - c), max(k, n - c)
    if few <= EXACT_TERMS:
        return math.comb(n - many, few) / math.comb(n, few)
    terms = [math.log1p(-many / (n - i)) for i in range(few)]
    total = math.fsum(terms)
    # A sum of -700 is rounded by 1e-13, which exp would make the result's error: what was rounded away goes in apart.
    return math.exp(total) * (1 + math.fsum((*terms, -total)))


def pass_all_ks(n: ArrayLike, c: ArrayLike, ks: Sequence[int]) -> NDArray[np.float64]:
    """`pass_all_k` of many problems for many k, shape (k, problems).

    Raises:
        ValueError: As `pass_at_k`, naming the first offending problem's position.

    >>> pass_all_ks(4, [2, 4], (1, 2)).round(4).tolist()
    [[0.5, 1.0], [0.1667, 1.0]]
    """
    return over_pairs(_pass_all_k, n, c, ks)


def majority_at_k(right: int, wrong: Sequence[int], k: int, *, silent: int = 0) -> float:
    """Chance that the most frequent answer among k samples is the right one: "maj@k".

    Source: Wang et al. 2023, "Self-Consistency Improves Chain of Thought Reasoning in Language Models"; here exact
    over all draws. Where t wrong answers are as frequent as the right one, the draw counts 1 / (t + 1).

    Args:
        right: Samples that give the right answer.
        wrong: Samples that agree on each wrong answer, a number an answer.
        k: Samples that are drawn, at least 1 and at most all of them.
        silent: Samples that may be drawn and give no answer.

    Raises:
        ValueError: A number is no whole number or out of its range.

    >>> majority_at_k(2, [1, 1], 3)  # 2 of 4 draws hold both right ones, 2 are three different answers
    0.6666666666666666
    >>> majority_at_k(2, [2], 3), majority_at_k(2, [3], 5)
    (0.5, 0.0)
    """
    right, k = whole_number("right", right), whole_number("k", k)
    sizes = Counter(whole_number("wrong", size) for size in wrong)
    silent = whole_number("silent", silent)
    if min(right, silent, *sizes) < 0:
        raise ValueError(f"no number of samples may be negative, got {right}, {list(wrong)} and {silent}")
    n = right + sum(wrong) + silent
    check_ranges(n, right, k)
    won = sum(math.comb(right, r) * _weight(sizes, silent, r, k - r) for r in range(1, min(right, k) + 1))
    return float(won / math.comb(n, k))


def _weight(sizes: Mapping[int, int], silent: int, most: int, drawn: int) -> Fraction:
    """Ways to draw samples that aren't right with no answer more often than `most`, each weighed by its share of tie breaks."""
    ways: _Ways = {(j, 0): math.comb(silent, j) for j in range(min(silent, drawn) + 1)}
    for size, classes in sorted(sizes.items()):
        # Singles are drawn together: hundreds of answers that are all different cost one step.
        together = classes if size == 1 else 1
        for _ in range(classes // together):
            ways = _joined(ways, _choices(size, together, most), drawn)
    parts = (Fraction(count, ties + 1) for (used, ties), count in ways.items() if used == drawn)
    return sum(parts, Fraction(0))


def _choices(size: int, together: int, most: int) -> list[tuple[int, int, int]]:
    """(drawn, ties, ways) of one answer that `size` samples give, or of so many answers of one sample each."""
    if together > 1:
        return [(j, j if most == 1 else 0, math.comb(together, j)) for j in range(together + 1)]
    return [(j, int(j == most), math.comb(size, j)) for j in range(min(size, most) + 1)]


def _joined(ways: _Ways, choices: Iterable[tuple[int, int, int]], drawn: int) -> _Ways:
    found: Counter[tuple[int, int]] = Counter()
    for more, ties, count in choices:
        for (used, tied), before in ways.items():
            if used + more <= drawn:
                found[used + more, tied + ties] += before * count
    return found


def best_at_k(samples: Iterable[tuple[float, bool]], k: int) -> float:
    """Chance that the sample with the highest score among k is right: "best of k", where something ranks the samples.

    Exact over all draws; samples of equal score are chosen among at random.

    Args:
        samples: Score (higher is better) and whether it is right, for each sample.
        k: Samples that are drawn.

    Raises:
        ValueError: k is no whole number or out of its range, or a score is nan.

    >>> best_at_k([(0.9, True), (0.5, False), (0.1, False)], 2)  # the best is drawn in 2 of 3 pairs
    0.6666666666666666
    """
    right: Counter[float] = Counter()
    number: Counter[float] = Counter()
    for score, is_right in samples:
        right[score] += bool(is_right)
        number[score] += 1
    n, k = sum(number.values()), whole_number("k", k)
    if any(math.isnan(score) for score in number):
        raise ValueError("a score is nan, which has no place in an order")
    check_ranges(n, 0, k)
    found, left = Fraction(0), n
    for score in sorted(number, reverse=True):
        # The best of the draw has this score: no better one is in it, and one of these is.
        draws = math.comb(left, k) - math.comb(left - number[score], k)
        found += Fraction(draws * right[score], number[score])
        left -= number[score]
    return float(found / math.comb(n, k))
