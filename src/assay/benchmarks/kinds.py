"""What kinds of values the function on trial takes and gives, as its tests write them down, read and never run."""

from __future__ import annotations

import ast
import re
from itertools import chain
from typing import TYPE_CHECKING

from assay.records import AssertTests, CallTests, CheckTests
from assay.syntax import parse_python

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assay.records import Problem, Tests

COLLECTIONS, TEXT, NUMBERS = "collections", "text", "numbers"
"""The kinds: lists, tuples, dicts and sets; strings; numbers."""

_CALL_CHARACTERS = 4000
"""No call is followed further: what a function works on shows at once, and plus inputs may be megabytes."""

_CHECK_CHARACTERS = 20_000
"""A longer check holds its inputs in lists and shows no answer beside a call."""

_INPUTS = 3
"""Inputs of call tests that are looked at."""

_QUOTED_OR_PARENTHESIS = re.compile(r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|[()]")
_DATE_OR_TIME = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|\d{1,2}:\d{2}")


def first_arguments(problem: Problem) -> list[ast.expr]:
    """The arguments of the first call that has any: in the tests, else in the examples of a prompt that is code; empty if none has."""
    name = problem.entry_point or ""
    for tests in problem.tests:
        if found := next(filter(None, _calls_in(tests, name)), None):
            return found
    examples = problem.prompt.partition(f"def {name}(")[2] if problem.prompt_is_code else ""
    return next(filter(None, _calls_of(name, examples)), [])


def kind_of_arguments(arguments: list[ast.expr]) -> str | None:
    """`collections` if a collection is among the arguments, else `text` if a text is, else `numbers`; None if nothing can be told.

    >>> kind_of_arguments([ast.Constant("a"), ast.Constant(2)])
    'text'
    """
    kinds = set(map(_kind, arguments))
    return next((kind for kind in (COLLECTIONS, TEXT, NUMBERS) if kind in kinds), None)


def is_about_time(arguments: list[ast.expr]) -> bool:
    """Whether a text among the arguments, or within them, holds a date or a time of day, such as `2024-02-29` or `08:30`."""
    nodes = (node for argument in arguments for node in ast.walk(argument))
    texts = (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return any(map(_DATE_OR_TIME.search, texts))


def kind_of_answer(problem: Problem) -> str | None:
    """The kind of the first answer that a test compares with a call; None if none is shown, and for True, False and None.

    The tests that a prompt shows count where the problem's own hide theirs.
    """
    own = (answer for tests in problem.tests for answer in _answers_in(tests, problem.entry_point or ""))
    shown = (line.strip() for line in problem.prompt.splitlines() if line.lstrip().startswith("assert "))
    for answer in chain(own, _answers_of(problem.entry_point or "", shown)):
        is_truth = isinstance(answer, ast.Constant) and isinstance(answer.value, bool)
        return None if is_truth else _kind(answer)
    return None


def _kind(node: ast.expr) -> str | None:
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return TEXT
        case ast.Constant(value=int() | float() | complex()) | ast.UnaryOp() | ast.BinOp():
            return NUMBERS
        case ast.List() | ast.Tuple() | ast.Dict() | ast.Set():
            return COLLECTIONS
        case _:
            return None


def _calls_in(tests: Tests, name: str) -> Iterator[list[ast.expr]]:
    match tests:
        case AssertTests():
            yield from (arguments for case in tests.cases for arguments in _calls_of(name, case))
        case CheckTests():
            yield from _calls_of("candidate", tests.source)
        case CallTests():
            short = (text for text in tests.inputs[:_INPUTS] if len(text) <= _CALL_CHARACTERS)
            yield from (_parse(f"f({text[1:-1]})") for text in short)
        case _:
            pass


def _calls_of(name: str, source: str) -> Iterator[list[ast.expr]]:
    """The arguments of each call of `name`; none for `f(*inputs)`, which shows nothing."""
    at = source.find(f"{name}(")
    while at >= 0:
        arguments = _parse(_up_to_its_end(source[at : at + _CALL_CHARACTERS]))
        yield [] if any(isinstance(argument, ast.Starred) for argument in arguments) else arguments
        at = source.find(f"{name}(", at + 1)


def _up_to_its_end(text: str) -> str:
    """The call that `text` begins with; nothing where it does not end."""
    depth = 0
    for piece in _QUOTED_OR_PARENTHESIS.finditer(text):
        depth += {"(": 1, ")": -1}.get(piece[0], 0)
        if piece[0] == ")" and depth == 0:
            return text[: piece.end()]
    return ""


def _parse(call: str) -> list[ast.expr]:
    tree = parse_python(call)
    match tree.body if tree is not None else []:
        case [ast.Expr(value=ast.Call(args=arguments))]:
            return arguments
        case _:
            return []


def _answers_in(tests: Tests, name: str) -> Iterator[ast.expr]:
    match tests:
        case AssertTests():
            yield from _answers_of(name, tests.cases)
        case CheckTests(source=source) if len(source) <= _CHECK_CHARACTERS:
            yield from _answers_of("candidate", (source,))
        case _:
            pass


def _answers_of(name: str, sources: Iterable[str]) -> Iterator[ast.expr]:
    """What a call of `name` is compared with by `==`."""
    for source in sources:
        tree = parse_python(source)
        for node in ast.walk(tree) if tree is not None else ():
            match node:
                case ast.Compare(left=left, ops=[ast.Eq()], comparators=[answer]) if _holds_call(left, name):
                    yield answer
                case _:
                    pass


def _holds_call(node: ast.expr, name: str) -> bool:
    called = (inner.func for inner in ast.walk(node) if isinstance(inner, ast.Call))
    return any(isinstance(function, ast.Name) and function.id == name for function in called)
