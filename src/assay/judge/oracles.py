"""When an answer counts as equal to the expected one: one registry of named oracles, none of which accepts anything.

Answers arrive as copies, so identity is lost: a nan that the reference returned counts as equal to a nan here, whatever Python's `==`
says of two of them. Everything else follows Python's `==` unless the oracle's name says otherwise.

Runs inside the jailed judge process: standard library only (numpy values are met only where numpy is loaded).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping


_NOTHING: dict[object, object] = {}
_VALUES = type(_NOTHING.values())
_VIEWS: tuple[type[Collection[Any]], ...] = (type(_NOTHING.keys()), type(_NOTHING.items()), _VALUES)


def exact(got: Any, expected: Any, _: Mapping[str, Any]) -> bool:
    """Python's `==` (list is not tuple, True is 1, 0.0 is -0.0), with nan equal to nan.

    >>> exact([1, (2, 3)], [1, (2, 3)], {}), exact([1], (1,), {}), exact(float("nan"), float("nan"), {})
    (True, False, True)
    """
    return _equal(got, expected, 0.0, 0.0)


def close(got: Any, expected: Any, settings: Mapping[str, Any]) -> bool:
    """`exact`, with floats equal within `rtol` x |expected| + `atol`; an int may stand for a float and the other way round, never a bool.

    Integers on both sides stay exact, however large: a tolerance on them would accept wrong digits.

    >>> close([0.1 + 0.2], [0.3], {"rtol": 1e-7}), close(10**20, 10**20 + 1, {"rtol": 1e-7})
    (True, False)
    >>> close(float("inf"), float("-inf"), {"rtol": 1e-7}), close(2, 2.0, {"rtol": 1e-7})
    (False, True)
    """
    return _equal(got, expected, float(settings.get("rtol", 1e-7)), float(settings.get("atol", 0.0)))


def as_set(got: Any, expected: Any, _: Mapping[str, Any]) -> bool:
    """The same elements, whatever the order, the number and the kind of collection (list, tuple, set, frozenset, view of a dictionary).

    >>> as_set([3, 1, 1], (1, 3), {}), as_set([1], [1, 2], {})
    (True, False)
    """
    kinds: tuple[type[Collection[Any]], ...] = (list, tuple, set, frozenset, *_VIEWS)
    if not isinstance(got, kinds) or not isinstance(expected, kinds):
        return False
    try:
        return set(got) == set(expected)
    except TypeError:
        return _same_elements(list(got), list(expected))


def _same_elements(got: list[Any], expected: list[Any]) -> bool:
    return all(any(_equal(g, e, 0, 0) for e in expected) for g in got) and all(
        any(_equal(g, e, 0, 0) for g in got) for e in expected
    )


ORACLES: dict[str, Callable[[Any, Any, Mapping[str, Any]], bool]] = {"exact": exact, "close": close, "set": as_set}
"""Name -> comparison of (got, expected, settings)."""


def _equal(got: Any, expected: Any, rtol: float, atol: float) -> bool:
    """Walks both values side by side, iteratively, so that depth never meets the recursion limit."""
    pairs = [(got, expected)]
    seen: dict[
        tuple[int, int], object
    ] = {}  # with the pair itself: what numpy gives is made afresh, and a free number would be used again
    while pairs:
        g, e = pairs.pop()
        if hasattr(type(g), "dtype") or hasattr(type(e), "dtype"):
            if getattr(g, "shape", ()) != getattr(e, "shape", ()):
                return False
            g, e = _without_numpy(g), _without_numpy(e)
        if isinstance(e, _VALUES) and isinstance(g, _VALUES):
            g, e = list(g), list(e)  # Python compares two of these by identity, which a copy has lost
        if isinstance(e, (list, tuple)) or isinstance(g, (list, tuple)):
            base = list if isinstance(e, list) else tuple
            if not isinstance(g, base) or not isinstance(e, base) or len(g) != len(e):
                return False
            if (id(g), id(e)) not in seen:
                seen[id(g), id(e)] = g, e
                pairs.extend(zip(g, e, strict=True))
        elif isinstance(e, dict) and isinstance(g, dict):
            if len(g) != len(e) or not all(k in g for k in e):
                return False
            if (id(g), id(e)) not in seen:
                seen[id(g), id(e)] = g, e
                pairs.extend((g[k], v) for k, v in e.items())
        elif not _equal_leaf(g, e, rtol, atol):
            return False
    return True


def _without_numpy(value: Any) -> Any:
    """A numpy scalar or array as Python's own numbers and lists, so that nan, tolerances and exact integers count in it as elsewhere."""
    return value.tolist() if hasattr(type(value), "dtype") else value


def _equal_leaf(got: Any, expected: Any, rtol: float, atol: float) -> bool:
    if isinstance(expected, float) and isinstance(got, float) and math.isnan(expected) and math.isnan(got):
        return True
    if (rtol or atol) and _is_float_pair(got, expected):
        return _close(got, expected, rtol, atol)
    try:
        return bool(got == expected)
    except (ValueError, TypeError, ArithmeticError):
        return False


def _is_float_pair(got: Any, expected: Any) -> bool:
    kinds = (int, float, complex)
    if (
        isinstance(got, bool)
        or isinstance(expected, bool)
        or not isinstance(got, kinds)
        or not isinstance(expected, kinds)
    ):
        return False
    return not (isinstance(got, int) and isinstance(expected, int))


def _close(got: Any, expected: Any, rtol: float, atol: float) -> bool:
    if got == expected:
        return True
    try:
        if not (math.isfinite(abs(got)) and math.isfinite(abs(expected))):
            return False
        return bool(abs(got - expected) <= rtol * abs(expected) + atol)
    except OverflowError:
        return False
