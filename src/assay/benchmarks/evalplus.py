"""Readers of EvalPlus's sets, MBPP+ and HumanEval+, as it releases them: inputs in two groups, `base` and `plus`, and a reference.

Keeps true: a row becomes what EvalPlus makes of it when it loads it (`evalplus_tasks` has its knowledge of single tasks), and a file says
which release it is by its digest alone, so that no two releases are ever taken for one.

The other form of these sets, with tests as text, is read by `evalplus_origin`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.benchmarks.calls import argument_lists
from assay.benchmarks.entry import begins_program, defined_names
from assay.benchmarks.evalplus_tasks import (
    ARGUMENT_KINDS,
    HUMANEVAL_PREFIX,
    HUMANEVALPLUS_RELEASES,
    MBPP_PREFIX,
    MBPPPLUS_RELEASES,
    oracle_of,
)
from assay.benchmarks.fields import UnusableRow, describe, identifier, optional_text, required_text
from assay.benchmarks.shapes import Shape
from assay.records import CallTests, Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_ID = "task_id"
_GROUPS = (("base", "base_input"), ("plus", "plus_input"))


def _read(row: Mapping[str, Any]) -> Problem:
    name = identifier(row, _ID)
    prompt, entry_point = required_text(row, "prompt"), required_text(row, "entry_point")
    solution = required_text(row, "canonical_solution")
    oracle = oracle_of(name, entry_point, _tolerance(row))
    kinds = _KINDS_OF.get((name, entry_point))
    inputs = [(group, argument_lists(_arguments(row, column, kinds), column)) for group, column in _GROUPS]
    if not inputs[0][1]:
        raise UnusableRow("'base_input' is empty")
    return Problem(
        id=name,
        prompt=prompt,
        tests=tuple(CallTests(inputs=calls, group=group, oracle=oracle) for group, calls in inputs if calls),
        entry_point=entry_point,
        reference=solution if entry_point in defined_names(solution) else prompt + solution,
        prompt_is_code=begins_program(prompt, entry_point),
        contract=optional_text(row, "contract") or "",
    )


def _tolerance(row: Mapping[str, Any]) -> float:
    value = row.get("atol") or 0.0
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        raise UnusableRow(f"'atol' must be a number from 0, not {describe(value)}")
    return float(value)


def _arguments(row: Mapping[str, Any], column: str, kinds: Sequence[str] | None) -> object:
    """The inputs of one column with what JSON could not say restored. `{}` stands for no inputs in some releases."""
    given = row.get(column) or []
    if kinds is None or not isinstance(given, list):
        return given
    return [_restore(arguments, kinds, f"{column!r} item {number}") for number, arguments in enumerate(given)]


def _restore(arguments: object, kinds: Sequence[str], where: str) -> object:
    if not isinstance(arguments, list):
        return arguments  # refused with the other rows' flaws, by `argument_lists`
    try:
        return [_RESTORERS[kind](value) for kind, value in zip(_spread(kinds, len(arguments)), arguments, strict=True)]
    except (TypeError, ValueError, AttributeError):
        raise UnusableRow(f"{where} does not hold ({', '.join(kinds)}): {describe(arguments)}") from None


def _spread(kinds: Sequence[str], count: int) -> list[str]:
    """A kind for each of so many arguments.

    >>> _spread(("tuple ...",), 2), _spread(("tuple", "same"), 3)
    (['tuple', 'tuple'], ['tuple', 'same', 'same'])
    """
    last = kinds[-1]
    rest = last.removesuffix(" ...") if last.endswith(" ...") else "same"
    spread = [kind.removesuffix(" ...") for kind in kinds]
    return [*spread, *[rest] * (count - len(spread))][:count]


def _tuple(value: Any) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise TypeError(value)  # of a text Python would make a tuple too
    return tuple(value)


def _nested_tuples(value: Any) -> Any:
    return tuple(map(_nested_tuples, value)) if isinstance(value, list) else value


_RESTORERS: dict[str, Callable[[Any], object]] = {
    "same": lambda value: value,
    "tuple": _tuple,
    "tuples": lambda value: [_tuple(item) for item in value],
    "tuple of tuples": lambda value: tuple(map(_tuple, value)),
    "tuple of tuples or others": lambda value: tuple(tuple(i) if isinstance(i, list) else i for i in _tuple(value)),
    "nested tuples": _nested_tuples,
    "dict of tuples": lambda value: {key: _tuple(item) for key, item in value.items()},
    # All but lists that hold something become `{}`: EvalPlus wrote dicts, sets and lists alike, and reads them so.
    "sets": lambda value: [set(item) if isinstance(item, list) and item else {} for item in value],
    "float": float,
    "complex": complex,
}
"""What makes a value of each kind out of JSON's."""

_KINDS_OF = {
    (f"{MBPP_PREFIX}{number}", entry_point): tuple(kinds.split(", "))
    for kinds, tasks in ARGUMENT_KINDS.items()
    for number, entry_point in tasks.items()
}


def _begins_with(prefix: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda row: str(row.get(_ID)).startswith(prefix)


_MARKS = frozenset({_ID, "prompt", "entry_point", "base_input", "plus_input"})
_COLUMNS = _MARKS | {"canonical_solution", "atol", "contract"}

MBPPPLUS = Shape("mbppplus", _ID, (_MARKS,), _COLUMNS, _read, _begins_with(MBPP_PREFIX), MBPPPLUS_RELEASES)
"""MBPP+ as EvalPlus releases it."""

HUMANEVALPLUS = Shape(
    "humanevalplus", _ID, (_MARKS,), _COLUMNS, _read, _begins_with(HUMANEVAL_PREFIX), HUMANEVALPLUS_RELEASES
)
"""HumanEval+ as EvalPlus releases it."""

EVALPLUS = Shape("EvalPlus", _ID, (_MARKS,), _COLUMNS, _read)
"""Rows of anyone in EvalPlus's columns."""
