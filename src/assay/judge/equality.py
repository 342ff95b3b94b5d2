"""When two values are the same: one walk over both, whatever they are, that no value can confuse, recurse or outgrow.

Answers arrive as copies, so identity is lost: a nan that the reference returned counts as equal to a nan here, whatever Python's `==`
says of two of them. Everything else follows Python's `==`, with a tolerance for floats where one is asked for, and leniently where that is.

Runs inside the jailed judge process: standard library only (numpy values are met only where numpy is loaded).
"""

from __future__ import annotations

import math
from collections import OrderedDict
from operator import eq
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

_NOTHING: dict[object, object] = {}
_VALUES = type(_NOTHING.values())
VIEWS: tuple[type[Collection[Any]], ...] = (type(_NOTHING.keys()), type(_NOTHING.items()), _VALUES)
"""What a dictionary shows of itself."""


LENIENT_RTOL, LENIENT_ATOL = 1e-6, 1e-12
"""The least tolerance of a lenient comparison: pytest's `approx` has the same."""

PAIRED = 200
"""Elements of a collection without order that is compared leniently: each is tried with each, and of more that would take too long."""


def same(got: Any, expected: Any, rtol: float = 0.0, atol: float = 0.0, *, lenient: bool = False) -> bool:
    """Walks both values side by side, iteratively, so that depth never meets the recursion limit.

    Where a float is expected, wherever it stands, a number may differ from it by `rtol` x |expected| + `atol`, an int too, but no bool.
    Where an int is expected it stays exact, however large: a tolerance on it would accept wrong digits.

    A `lenient` comparison takes lists, tuples and numpy arrays for one kind of sequence, lets a float stand for an int that it is close to,
    and compares the elements of sets likewise.

    >>> same([1, (2, 0.1 + 0.2)], [1, (2, 0.3)], rtol=1e-7), same([1], (1,)), same([1, 2.0000001], (1, 2), 1e-6, lenient=True)
    (True, False, True)
    """
    pairs = [(got, expected)]
    # with the pair itself: what numpy gives is made afresh, and a free number would be used again
    seen: dict[tuple[int, int], object] = {}
    while pairs:
        g, e = pairs.pop()
        if hasattr(type(g), "dtype") or hasattr(type(e), "dtype"):
            if not lenient and getattr(g, "shape", ()) != getattr(e, "shape", ()):
                return False
            g, e = without_numpy(g), without_numpy(e)
        if isinstance(e, _VALUES) and isinstance(g, _VALUES):
            g, e = list(g), list(e)  # Python compares two of these by identity, which a copy has lost
        if isinstance(e, (list, tuple)) or isinstance(g, (list, tuple)):
            base = (list, tuple) if lenient else list if isinstance(e, list) else tuple
            if not isinstance(g, base) or not isinstance(e, base) or len(g) != len(e):
                return False
            if (id(g), id(e)) not in seen:
                seen[id(g), id(e)] = g, e
                pairs.extend(zip(g, e, strict=True))
        elif isinstance(e, dict) and isinstance(g, dict):
            if len(g) != len(e) or not all(k in g for k in e):
                return False
            if isinstance(e, OrderedDict) and isinstance(g, OrderedDict) and not all(map(eq, g, e)):
                return False
            if (id(g), id(e)) not in seen:
                seen[id(g), id(e)] = g, e
                pairs.extend((g[k], v) for k, v in e.items())
        elif not (_same_leaf(g, e, rtol, atol) or (lenient and _alike(g, e, rtol, atol))):
            return False
    return True


def _alike(got: Any, expected: Any, rtol: float, atol: float) -> bool:
    """What a lenient comparison accepts beyond `same`: a float for an int, and sets of such elements."""
    if type(expected) is int and isinstance(got, float):
        return _is_close(got, expected, rtol, atol)
    sets = (set, frozenset)
    if not isinstance(got, sets) or not isinstance(expected, sets) or len(got) != len(expected):
        return False
    return len(got) <= PAIRED and pairwise(got, expected, lambda g, e: same(g, e, rtol, atol, lenient=True))


def same_types(got: Any, expected: Any) -> bool:
    """Whether two values that are the `same` are so type by type: True is not 1, 1 is not 1.0, keys and elements of sets included.

    >>> same_types([1, {2: "a"}], [1, {2: "a"}]), same_types([1, {2.0: "a"}], [1, {2: "a"}]), same_types({1}, {True})
    (True, False, False)
    """
    pairs = [(got, expected)]
    seen: dict[tuple[int, int], object] = {}
    while pairs:
        g, e = pairs.pop()
        if type(g) is not type(e) or getattr(g, "dtype", None) != getattr(e, "dtype", None):
            return False
        if (id(g), id(e)) in seen:
            continue
        seen[id(g), id(e)] = g, e
        if isinstance(e, (list, tuple)):
            pairs.extend(zip(g, e, strict=True))
        elif isinstance(e, dict):
            pairs.extend(_partners(g, e))
            pairs.extend((g[k], v) for k, v in e.items())
        elif isinstance(e, (set, frozenset)):
            pairs.extend(_partners(g, e))
    return True


def same_elements(got: Collection[Any], expected: Collection[Any]) -> bool:
    """Whether each element of either is the `same` as one of the other, whatever order and number.

    >>> same_elements([[2], [1], [1]], ([1], [2])), same_elements([1], [1, 2])
    (True, False)
    """
    try:
        return set(got) == set(expected)
    except TypeError:
        return pairwise(got, expected, same)


def same_typed_elements(got: Collection[Any], expected: Collection[Any]) -> bool:
    """As `same_elements`, type by type.

    >>> same_typed_elements([2, 1, 1], (1, 2)), same_typed_elements([True], [1]), same_typed_elements([(1, 2.0)], [(1, 2)])
    (True, False, False)
    """
    try:
        own = {(type(element), element): element for element in got}
        wanted = {(type(element), element): element for element in expected}
    except TypeError:
        return pairwise(got, expected, lambda g, e: same(g, e) and same_types(g, e))
    return own.keys() == wanted.keys() and all(same_types(own[key], element) for key, element in wanted.items())


def pairwise(got: Collection[Any], expected: Collection[Any], equal: Callable[[Any, Any], bool]) -> bool:
    """Whether each element of either has an equal one among the other's, whatever order and number; each is tried with each."""
    return all(any(equal(g, e) for e in expected) for g in got) and all(any(equal(g, e) for g in got) for e in expected)


def without_numpy(value: Any) -> Any:
    """A numpy scalar or array as Python's own numbers and lists, so that nan, tolerances and exact integers count in it as elsewhere."""
    return value.tolist() if hasattr(type(value), "dtype") else value


def _partners(got: Collection[Any], expected: Collection[Any]) -> list[tuple[Any, Any]]:
    """Elements of two equal sets, each with its equal: `{1}` and `{True}` are equal, so only the elements tell."""
    own = {element: element for element in got}
    return [(own[element], element) for element in expected]


def _same_leaf(got: Any, expected: Any, rtol: float, atol: float) -> bool:
    if isinstance(expected, float) and isinstance(got, float) and math.isnan(expected) and math.isnan(got):
        return True
    if (rtol or atol) and _may_differ(got, expected):
        return _is_close(got, expected, rtol, atol)
    try:
        return bool(got == expected)
    except (ValueError, TypeError, ArithmeticError):
        return False


def _may_differ(got: Any, expected: Any) -> bool:
    numbers = (int, float, complex)
    return isinstance(expected, (float, complex)) and isinstance(got, numbers) and not isinstance(got, bool)


def _is_close(got: Any, expected: Any, rtol: float, atol: float) -> bool:
    if got == expected:
        return True
    try:
        if not (math.isfinite(abs(got)) and math.isfinite(abs(expected))):
            return False
        return bool(abs(got - expected) <= rtol * abs(expected) + atol)
    except OverflowError:
        return False
