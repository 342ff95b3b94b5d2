"""Inputs of call tests, from JSON values or from a Python literal, as one literal text per list of arguments.

A literal here may hold the names `nan` and `inf`, and `complex(real, imaginary)`: Python has no literal for a complex number with a
zero below zero or a part that is no finite number.
"""

from __future__ import annotations

import ast
import json
import math
import re
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
    lists = _values(value, column, "argument lists")
    for number, arguments in enumerate(lists):
        if not isinstance(arguments, list | tuple):
            raise UnusableRow(f"{column!r} item {number} must be a list of arguments, not {describe(arguments)}")
    return tuple(literal(list(arguments)) for arguments in lists)


def literals(value: object, column: str) -> tuple[str, ...]:
    """One Python literal per value.

    Args:
        value: A list of values, or a text that holds the Python literal of one.
        column: The column's name, for messages.

    Raises:
        UnusableRow: The value is no list, or the text is no literal.

    >>> literals([0, None], "alternatives"), literals("[(1, 2)]", "alternatives")
    (('0', 'None'), ('(1, 2)',))
    """
    return tuple(map(literal, _values(value, column, "values")))


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
    if type(value) is complex:
        finite = math.isfinite(value.real) and math.isfinite(value.imag)
        plain = finite and repr(ast.literal_eval(repr(value))) == repr(value)
        return repr(value) if plain else f"complex({value.real!r}, {value.imag!r})"
    return repr(value)


def value_of_literal(node: ast.expr) -> Any:
    """The value of a literal's syntax tree, which may be used up by it.

    Raises:
        ValueError, TypeError, SyntaxError, MemoryError, RecursionError: It is none.
    """
    try:
        return ast.literal_eval(node)
    except ValueError:
        return ast.literal_eval(_Numbers().visit(node))


def _values(value: object, column: str, what: str) -> list[Any] | tuple[Any, ...]:
    values = _literal(value, column) if isinstance(value, str) else value
    if not isinstance(values, list | tuple):
        raise UnusableRow(f"{column!r} must be a list of {what}, not {describe(values)}")
    return values


def _literal(text: str, column: str) -> Any:
    try:
        return _read_fast(text) if _JSON_TOO.fullmatch(text) else _read_slowly(text)
    except (*UNPARSABLE, TypeError) as error:
        raise UnusableRow(f"{column!r} is no Python literal: {error or type(error).__name__}") from None


def _read_fast(text: str) -> Any:
    """Most literals are JSON once their quotes are double, and JSON is read in a tenth of the time. The rest is Python's alone."""
    try:
        return json.loads(text.replace("'", '"'))
    except (ValueError, RecursionError):
        return _read_slowly(text)


def _read_slowly(text: str) -> Any:
    return value_of_literal(ast.parse(text.strip(), mode="eval").body)


_JSON_TOO = re.compile(r"(?:[^\"\\(){}a-zA-Z']|'[^'\"\\]*'|\d[eE])*")
"""Literals that mean the same to both: lists, numbers and texts without escapes; no names, which the two spell differently."""


class _Numbers(ast.NodeTransformer):
    """Turns the names `nan` and `inf` and calls of `complex` into the numbers: to `literal_eval` they are no literals."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.copy_location(ast.Constant(_FLOATS[node.id]), node) if node.id in _FLOATS else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if not (
            isinstance(node.func, ast.Name) and node.func.id == "complex" and len(node.args) == 2 and not node.keywords
        ):
            return node
        parts = [ast.literal_eval(self.visit(part)) for part in node.args]
        return ast.copy_location(ast.Constant(complex(*parts)), node)
