"""Inputs of call tests, from JSON values or from a Python literal, as one literal text per list of arguments."""

from __future__ import annotations

import ast
from typing import Any

from assay.benchmarks.fields import UnusableRow, describe
from assay.syntax import UNPARSABLE

_FLOATS = {"nan": float("nan"), "inf": float("inf")}


def argument_lists(value: object, column: str) -> tuple[str, ...]:
    """One Python literal per list of arguments; in it `nan` and `inf` stand for the floats.

    Args:
        value: A list of argument lists, or a text that holds the Python literal of one (for tuples, sets, bytes ...).
        column: The column's name, for messages.

    Raises:
        UnusableRow: The value is no list of lists, or the text is no literal.

    >>> argument_lists([[[1, 2], None]], "inputs"), argument_lists("[[(1, 2)], [{3}, -inf]]", "plus")
    (('[[1, 2], None]',), ('[(1, 2)]', '[{3}, -inf]'))
    """
    lists = _literal(value, column) if isinstance(value, str) else value
    if not isinstance(lists, list | tuple):
        raise UnusableRow(f"{column!r} must be a list of argument lists, not {describe(lists)}")
    for number, arguments in enumerate(lists):
        if not isinstance(arguments, list | tuple):
            raise UnusableRow(f"{column!r} item {number} must be a list of arguments, not {describe(arguments)}")
    return tuple(literal(list(arguments)) for arguments in lists)


def literal(value: object) -> str:
    """The value as a Python literal, the same in every process: the elements of a set stand in the order of their texts.

    >>> literal([{"b", "a"}, (1,), set(), {1: {2.5}}])
    "[{'a', 'b'}, (1,), set(), {1: {2.5}}]"
    """
    if type(value) is list:
        return f"[{', '.join(map(literal, value))}]"
    if type(value) is tuple:
        return f"({', '.join(map(literal, value))}{',' if len(value) == 1 else ''})"
    if type(value) is set and value:
        return f"{{{', '.join(sorted(map(literal, value)))}}}"
    if type(value) is dict:
        return f"{{{', '.join(f'{literal(k)}: {literal(v)}' for k, v in value.items())}}}"
    return repr(value)


def _literal(text: str, column: str) -> Any:
    try:
        return ast.literal_eval(_FloatNames().visit(ast.parse(text.strip(), mode="eval")))
    except UNPARSABLE as error:
        raise UnusableRow(f"{column!r} is no Python literal: {error or type(error).__name__}") from None


class _FloatNames(ast.NodeTransformer):
    """`nan` and `inf` are names to Python's grammar, and `literal_eval` refuses names."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.copy_location(ast.Constant(_FLOATS[node.id]), node) if node.id in _FLOATS else node
