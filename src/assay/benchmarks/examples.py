"""Calls of the entry point that a prompt shows, with the answer that stands beside them: doctests, asserts, `f(2) -> 4`.

The prompt is read as the model sees it. What looks like a call but is a definition, or has arguments that are no literals, is no example.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, NamedTuple

from assay.benchmarks.statements import NOTHING, arguments_of, value_of
from assay.syntax import parse_python

if TYPE_CHECKING:
    from collections.abc import Iterator

_ANSWER = re.compile(r"\s*(?:==>?|=>|->|=|\u2794|\u279e|\u2192|\u21d2|\u27f9|(?:should )?returns?\b:?)\s*(.+)")
_DEFINITION = re.compile(r"\b(?:def|class)\s+$")
_TRIES = 40
"""Closing brackets that are looked at for the end of a call."""


class Example(NamedTuple):
    """A call in a prompt: the literal of its arguments, the answer beside it or `NOTHING`, and whether an assert demands it."""

    call: str
    value: object
    asserted: bool


def examples_in(prompt: str, entry_point: str) -> list[Example]:
    r"""The examples of a prompt, in order.

    >>> examples_in("Double n.\n>>> f(2)\n4\nassert f(3) == 6\n", "f")
    [Example(call='[2]', value=4, asserted=False), Example(call='[3]', value=6, asserted=True)]
    """
    found = []
    for start, end, call in _calls(prompt, entry_point):
        arguments = arguments_of(call)
        before = prompt[prompt.rfind("\n", 0, start) + 1 : start]
        if arguments is not None:
            value = _answer(prompt, end, doctest=">>>" in before)
            found.append(Example(arguments, value, bool(re.search(r"\bassert\b", before))))
    return found


def _calls(prompt: str, entry_point: str) -> Iterator[tuple[int, int, ast.Call]]:
    for match in re.finditer(rf"(?<![\w.]){re.escape(entry_point)}\s*\(", prompt):
        if _DEFINITION.search(prompt[: match.start()][-40:]):
            continue
        end = match.end() - 1
        for _ in range(_TRIES):
            end = prompt.find(")", end + 1)
            if end < 0:
                break
            call = _as_call(prompt[match.start() : end + 1])
            if call is not None:
                yield match.start(), end + 1, call
                break


def _as_call(text: str) -> ast.Call | None:
    tree = parse_python(text)
    expression = tree.body[0] if tree is not None and len(tree.body) == 1 else None
    call = expression.value if isinstance(expression, ast.Expr) else None
    return call if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else None


def _answer(prompt: str, end: int, *, doctest: bool) -> object:
    rest, _, after = prompt[end:].partition("\n")
    if doctest and not rest.strip():
        return _value(after.partition("\n")[0])
    match = _ANSWER.fullmatch(rest)
    return NOTHING if match is None else _value(match[1])


def _value(text: str) -> object:
    """The literal that a line holds; a remark or a full stop behind it is left away, anything else makes it none."""
    stripped = text.strip()
    shorter = (stripped.rstrip(".,;"), stripped.partition("#")[0].strip())
    return next((value for value in map(value_of, shorter) if value is not NOTHING), NOTHING)
