"""When an answer counts as right: one registry of named oracles, none of which accepts anything.

An oracle takes the answer, the reference's answer, its settings (tolerances and the like) and the arguments of the call. Which tests use
which one, with which settings, is data of the benchmark (`records.Oracle`); nothing here knows a benchmark.
`equality.py` says what "equal" means, of nan and numpy too.

What "equal" means to an oracle its name says, unless its settings hold an `equality`: `strict` is Python's `==` without any tolerance,
`types` is that and the same types, `lenient` takes lists, tuples and arrays as one and any number within a tolerance.

Some oracles look at a part of the answer only, by their *view*: `not_none` asks whether there is an answer. The view of an object that
stays with the agent is plain data, so such oracles can be used where answers themselves can't be copied (a match of `re`).

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

import ast
import builtins
import copy
import math
from typing import TYPE_CHECKING, Any

from assay.judge.equality import (
    LENIENT_ATOL,
    LENIENT_RTOL,
    PAIRED,
    VIEWS,
    pairwise,
    same,
    same_elements,
    same_typed_elements,
    same_types,
    without_numpy,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    Oracle = Callable[[Any, Any, Mapping[str, Any], tuple[Any, ...]], bool]

_NO_ARGUMENTS: tuple[Any, ...] = ()


def equal(got: Any, expected: Any, settings: Mapping[str, Any], otherwise: str = "strict") -> bool:
    """Whether two values are equal by the `equality` of the settings, or by `otherwise` where they name none.

    >>> equal((1.0, 2), [1, 2], {}), equal((1.0, 2), [1, 2], {"equality": "lenient"}), equal(1.0, 1, {"equality": "types"})
    (False, True, False)
    """
    equality = settings.get("equality") or otherwise
    if equality == "lenient":
        rtol, atol = float(settings.get("rtol", 0.0)), float(settings.get("atol", 0.0))
        return same(got, expected, max(rtol, LENIENT_RTOL), max(atol, LENIENT_ATOL), lenient=True)
    return same(got, expected) and (equality != "types" or same_types(got, expected))


def exact(got: Any, expected: Any, settings: Mapping[str, Any], _: tuple[Any, ...] = _NO_ARGUMENTS) -> bool:
    """Python's `==` (list is not tuple, True is 1, 0.0 is -0.0), with nan equal to nan.

    >>> exact([1, (2, 3)], [1, (2, 3)], {}), exact([1], (1,), {}), exact(float("nan"), float("nan"), {})
    (True, False, True)
    """
    return equal(got, expected, settings)


def types(got: Any, expected: Any, settings: Mapping[str, Any], _: tuple[Any, ...] = _NO_ARGUMENTS) -> bool:
    """`exact`, and each part has the type of its partner: True is not 1, 1 is not 1.0.

    >>> types([1, "a"], [1, "a"], {}), types([True], [1], {}), types({1: 2.0}, {1: 2}, {})
    (True, False, False)
    """
    return equal(got, expected, settings, otherwise="types")


def close(got: Any, expected: Any, settings: Mapping[str, Any], _: tuple[Any, ...] = _NO_ARGUMENTS) -> bool:
    """`exact`, but where a float is expected a number may differ from it by `rtol` x |expected| + `atol`: a float or an int, no bool.

    An int that is expected stays exact, however large: a tolerance on it would accept wrong digits.

    >>> close([0.1 + 0.2], [0.3], {"rtol": 1e-7}), close(1e20, 10**20 + 1, {"rtol": 1e-7})
    (True, False)
    >>> close(float("inf"), float("-inf"), {"rtol": 1e-7}), close(2, 2.0, {"rtol": 1e-7})
    (False, True)
    """
    if settings.get("equality"):
        return equal(got, expected, settings)
    return same(got, expected, float(settings.get("rtol", 1e-7)), float(settings.get("atol", 0.0)))


def as_set(got: Any, expected: Any, settings: Mapping[str, Any], _: tuple[Any, ...] = _NO_ARGUMENTS) -> bool:
    """The same elements, whatever the order, the number and the kind of collection (list, tuple, set, frozenset, view of a dictionary).

    >>> as_set([3, 1, 1], (1, 3), {}), as_set([1], [1, 2], {})
    (True, False)
    """
    kinds: tuple[type[Collection[Any]], ...] = (list, tuple, set, frozenset, *VIEWS)
    if not isinstance(got, kinds) or not isinstance(expected, kinds):
        return False
    equality = settings.get("equality")
    if equality == "types":
        return same_typed_elements(got, expected)
    if same_elements(got, expected):
        return True
    return equality == "lenient" and max(len(got), len(expected)) <= PAIRED and pairwise(got, expected, _by(settings))


def _by(settings: Mapping[str, Any]) -> Callable[[Any, Any], bool]:
    return lambda got, expected: equal(got, expected, settings)


def any_of(got: Any, expected: Any, settings: Mapping[str, Any], _: tuple[Any, ...] = _NO_ARGUMENTS) -> bool:
    """`close` to the expected answer or to one of the `alternatives`.

    >>> any_of(0, 5, {"alternatives": (0, None)}), any_of(1, 5, {"alternatives": (0, None)})
    (True, False)
    """
    return any(close(got, right, settings) for right in (expected, *settings.get("alternatives", ())))


def not_none(got: Any, expected: Any, _: Mapping[str, Any], __: tuple[Any, ...] = _NO_ARGUMENTS) -> bool:
    """There is an answer where the reference has one, and None where it has None; a bool says so itself.

    >>> not_none("found", True, {}), not_none(None, True, {}), not_none(False, True, {}), not_none("found", None, {})
    (True, False, False, False)
    """
    return is_given(got) == is_given(expected)


def root(got: Any, _: Any, settings: Mapping[str, Any], arguments: tuple[Any, ...] = _NO_ARGUMENTS) -> bool:
    """A zero of the polynomial whose coefficients, that of x^0 first, are the first argument: its value there is at most `atol` from 0.

    >>> root(3.0, None, {"atol": 1e-4}, ([-9, 0, 1],)), root(2.9, None, {"atol": 1e-4}, ([-9, 0, 1],))
    (True, False)
    """
    x = without_numpy(got)
    if not isinstance(x, (int, float)):
        return False
    try:
        value = sum(coefficient * math.pow(x, power) for power, coefficient in enumerate(arguments[0]))
    except (ValueError, TypeError, IndexError, ArithmeticError):
        return False
    return bool(abs(value) <= float(settings["atol"]))


def formula(got: Any, expected: Any, settings: Mapping[str, Any], arguments: tuple[Any, ...] = _NO_ARGUMENTS) -> bool:
    """`close` to the expected answer, or to what another `formula` makes of the arguments, where it makes anything of them.

    >>> settings = {"formula": read_formula("lambda a, b: a - b")}
    >>> formula(5, 5, settings, (3, 2)), formula(1, 5, settings, (3, 2)), formula(2, 5, settings, (3, "2"))
    (True, True, False)
    """
    if close(got, expected, settings):
        return True
    try:
        other = settings["formula"](*copy.deepcopy(arguments))
    except Exception:  # noqa: BLE001 (a formula need not hold for every input)
        return False
    return close(got, other, settings)


ORACLES: dict[str, Oracle] = {
    "exact": exact,
    "types": types,
    "close": close,
    "set": as_set,
    "any_of": any_of,
    "not_none": not_none,
    "root": root,
    "formula": formula,
}
"""Name -> whether an answer is right, by (got, expected, settings, arguments of the call)."""


def is_given(answer: Any) -> bool:
    """Whether there is an answer: a bool says so itself, anything else is one unless it is None."""
    return answer if isinstance(answer, bool) else answer is not None


SEEN_BY: dict[str, Callable[[Any], Any]] = {"not_none": is_given}
"""Name -> what that oracle sees of an answer, for those that don't look at the whole of it. It is plain data, whatever the answer is."""


def read_formula(text: str) -> Callable[..., Any]:
    """The function that a formula's text is: a lambda that may use builtins and `math`. It is data-set code, like a test.

    Raises:
        ValueError: If it is no lambda.
        SyntaxError: If it is no Python.
    """
    tree = ast.parse(text.strip(), "<formula>", "eval")
    if not isinstance(tree.body, ast.Lambda):
        raise ValueError(f"the formula {text[:60]!r} is no lambda")  # noqa: TRY004 (a wrong text, not a wrong type)
    code = compile(tree, "<formula>", "eval", dont_inherit=True)
    function: Callable[..., Any] = eval(code, {"__builtins__": builtins, "math": math})  # noqa: S307 (data-set code, in the jailed judge)
    return function
