"""Inputs as they are written down, Python literals, read and encoded for an agent.

Kept true: what is no literal is refused, and nothing of it is run. Read in one go or one by one, the same comes out.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

import ast
import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn

from assay.judge.wire import codec

if TYPE_CHECKING:
    from collections.abc import Sequence

_BETWEEN = "|"
"""Parts the inputs that are read in one go: where anything else stands between two of them, a bracket is out of place."""

_COMMA_BETWEEN = f',"{_BETWEEN}",'


def encode_inputs(texts: Sequence[str]) -> tuple[bytes, ...]:
    """The encoded arguments of calls, `(args, keywords)` each, from the literals of their lists of arguments.

    >>> encode_inputs(("[1, 2]",)) == (codec.encode(((1, 2), ())),)
    True

    Raises:
        ValueError: If one is no literal.
        SyntaxError: If one is no Python.
    """
    return tuple(map(codec.encode_call, _read_all(texts)))


def _read_all(texts: Sequence[str]) -> list[Any]:
    """The values of all literals; those that are nearly JSON in one go, since to begin anew takes longer than to read one."""
    spelt = [_respelt(text) for text in texts]
    easy = [text for text in spelt if text is not None]
    try:
        found: list[Any] = _read_json(f"[{_COMMA_BETWEEN.join(easy)}]")
    except (ValueError, RecursionError):
        found = []
    if not easy or len(found) != 2 * len(easy) - 1 or any(mark != _BETWEEN for mark in found[1::2]):
        return [read_literal(text) for text in texts]
    values = iter(found[::2])
    return [read_literal(text) if easily is None else next(values) for text, easily in zip(texts, spelt, strict=True)]


def read_literal(text: str) -> Any:
    """The value of a Python literal that may hold `nan`, `inf` and `complex(real, imaginary)`.

    Most are JSON but for their spelling, and as that they are read in a tenth of the time that Python's own parser takes for the rest.

    >>> read_literal("[1, (2, -inf), {'a': {3}}]")
    [1, (2, -inf), {'a': {3}}]

    Raises:
        ValueError: If it is anything else.
    """
    spelt = _respelt(text)
    if spelt is not None:
        with suppress(ValueError, RecursionError):
            return _read_json(spelt)
    tree = ast.parse(text.strip(), mode="eval")
    return ast.literal_eval(_Numbers().visit(tree).body)


_ODD = ('"', "\\", "null", "true", "false")
"""What JSON reads otherwise than Python, or Python not at all."""


def _respelt(text: str) -> str | None:
    """A literal as JSON, or what is none; None where it holds something that JSON spells altogether differently.

    A tuple becomes an object with the one key `(`.

    Nothing may be respelt within a string. A `(` there ends the string early, which is no JSON; so does a quote; a `)` alone is counted,
    and None and the bools are left alone as soon as there is a string.
    """
    if any(mark in text for mark in _ODD) or text.count("(") != text.count(")"):
        return None
    if "'" not in text:
        text = text.replace("None", "null").replace("True", "true").replace("False", "false")
    text = text.replace("'", '"')
    return text.replace("(", '{"(":[').replace(",)", ',"("]}').replace(")", "]}") if "(" in text else text


def _object(pairs: list[tuple[str, Any]]) -> Any:
    """A dictionary, or the tuple that `_respelt` has made one of. `(x)` is no tuple: only a comma makes it one, and leaves its mark."""
    if not pairs or pairs[0][0] != "(":
        return dict(pairs)
    items = pairs[0][1]
    if items and items[-1] == "(":
        items.pop()
    elif len(items) == 1:
        raise ValueError
    return tuple(items)


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)


_read_json = json.JSONDecoder(parse_constant=_refuse, object_pairs_hook=_object).decode
"""Reads JSON without `NaN` and `Infinity`, which are names to Python."""


class _Numbers(ast.NodeTransformer):
    """Turns the names nan and inf and calls of `complex` into the numbers."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in ("nan", "inf"):
            return ast.copy_location(ast.Constant(float(node.id)), node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if not (
            isinstance(node.func, ast.Name) and node.func.id == "complex" and len(node.args) == 2 and not node.keywords
        ):
            return node
        parts = [ast.literal_eval(self.visit(part)) for part in node.args]
        return ast.copy_location(ast.Constant(complex(*parts)), node)
