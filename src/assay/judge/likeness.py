"""Whether two answers say the same, however they say it: for the question whether a program knows its task, not whether it is right.

Kinds of collection, the order of items, the case of letters and small differences of numbers don't count. Nothing here decides a case of a
test; that is `equality.py`. A program chooses what is compared, so both values are first written out as plain trees of a bounded size:
what they share may not multiply the work.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

import cmath
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

from assay.judge.equality import VIEWS, without_numpy

RTOL, ATOL = 1e-2, 1e-9
"""How far numbers may lie apart."""

MOST_PARTS, MOST_LEVELS = 20_000, 50
"""How large an answer may be that is compared at all."""

_NUMBERS = (int, float, complex)
_SIMPLE = (str, int, float, complex, bool, type(None))
_BARE = frozenset((int, float, complex, bool, type(None), list, tuple, set, frozenset, dict))
"""Types of values that are what they are, nearly all that are met: to ask of each whether it is a `Fraction` takes long."""

_ROWS = frozenset((list, tuple))
_COLLECTIONS: tuple[type, ...] = (list, tuple, set, frozenset, *VIEWS)


def alike(got: Any, wanted: Any, *, ordered: bool = False) -> bool:
    """Whether two answers say the same; where they are `ordered`, with their items in one order. Those that are too large say nothing.

    >>> alike((1, 2.001), [2, 1]), alike(" Yes", "yes"), alike(0, None), alike([1, 1], [1])
    (True, True, False, False)
    """
    got, wanted = _bare(got), _bare(wanted)
    if isinstance(got, _NUMBERS) and isinstance(wanted, _NUMBERS):
        return _is_near(got, wanted)
    if isinstance(got, _SIMPLE) or isinstance(wanted, _SIMPLE):
        return bool(got == wanted)
    if ordered and type(got) in _ROWS and type(wanted) in _ROWS and len(got) != len(wanted):
        return False
    try:
        trees = _Tree().of(got), _Tree().of(wanted)
    except OverflowError:
        return False
    if _match(*trees):
        return True
    return not ordered and isinstance(trees[0], list) and _match(*map(_in_order, trees))


class _Tree:
    """Writes a value out without what does not count: collections as lists, texts trimmed and in small letters."""

    def __init__(self) -> None:
        self._left = MOST_PARTS

    def of(self, value: Any, level: int = 0) -> Any:
        """Raises OverflowError if the value is too large."""
        self._left -= 1
        if self._left < 0 or level > MOST_LEVELS:
            raise OverflowError
        value = _bare(value)
        if isinstance(value, dict):
            return [[self.of(key, level + 1), self.of(item, level + 1)] for key, item in value.items()]
        if isinstance(value, _COLLECTIONS) or type(value).__name__ == "deque":
            self._left -= len(value)
            return [item if type(item) is int else self.of(item, level + 1) for item in value]
        return value


def _bare(value: Any) -> Any:
    """A value without the letters' case, and a number of any make as one of Python's own."""
    if type(value) in _BARE:
        return value
    if isinstance(value, str):
        return value.strip().casefold()
    return _as_float(value) if isinstance(value, (Fraction, Decimal)) else without_numpy(value)


def _as_float(value: Fraction | Decimal) -> Any:
    """A number as a float, itself where it is too large for one."""
    try:
        found = float(value)
    except (OverflowError, ValueError):
        return value
    return found if math.isfinite(found) or value != value or value in (math.inf, -math.inf) else value  # noqa: PLR0124 (nan is what is not itself)


def _match(got: Any, wanted: Any) -> bool:
    if isinstance(got, list) and isinstance(wanted, list):
        return len(got) == len(wanted) and all(map(_match, got, wanted))
    if isinstance(got, _NUMBERS) and isinstance(wanted, _NUMBERS):
        return _is_near(got, wanted)
    return bool(got == wanted)


def _is_near(got: complex, wanted: complex) -> bool:
    if got == wanted or (got != got and wanted != wanted):  # noqa: PLR0124 (nan is what is not itself)
        return True
    try:
        return cmath.isclose(got, wanted, rel_tol=RTOL, abs_tol=ATOL)
    except OverflowError:
        return False


def _in_order(tree: Any) -> Any:
    """A tree with the items of every list sorted."""
    return sorted(map(_in_order, tree), key=_key) if isinstance(tree, list) else tree


def _key(tree: Any) -> tuple[str, float, str]:
    """An order for values of any kind; numbers by their size, so that near ones stand in like places."""
    if not isinstance(tree, (int, float)):
        return type(tree).__name__, 0.0, repr(tree)
    try:
        return "", float(tree), ""
    except OverflowError:
        return "", math.inf if tree > 0 else -math.inf, ""
