"""Reading Python out of answers whose length nobody promised: every question about a text is paid from a purse that is the same for all.

What holds: the work for one answer is bounded, so that its time grows with its length and with nothing else. Where the purse is empty the
answer to "is this Python?" is no, whatever the text is; nothing is measured in seconds, so the same answer always gives the same code.
"""

from __future__ import annotations

import ast
import builtins
import re
from functools import cache
from typing import TYPE_CHECKING

from assay.syntax import parse_python

if TYPE_CHECKING:
    from collections.abc import Iterator

PARSED_CHARACTERS = 200_000
"""Characters of one answer that are parsed, all attempts together: some thirty times a long answer, and a third of a second."""

READ_CHARACTERS = 400_000
"""Characters of one answer that are read for open strings and brackets, all attempts together."""

_AN_ATTEMPT = 50
"""What an attempt costs beside the characters of its text, in characters."""

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_ACTS = (ast.Call, ast.Lambda, ast.NamedExpr, ast.Await)
"""Expressions that do more than name things: prose that happens to parse ("Sorry", "42", "yes or no") has none."""

_LEXEME = re.compile(r"""\\.|#[^\n]*+|(['"])\1\1|['"\n()\[\]{}]""", re.DOTALL)
_ENDS = {delimiter: re.compile(rf"(?:[^\\]|\\.)*?{delimiter}", re.DOTALL) for delimiter in ("'''", '"""')}


class Grammar:
    """What Python's grammar says of the texts in one answer."""

    def __init__(self) -> None:
        self._trees: dict[str, ast.Module | None] = {}
        self._to_parse = PARSED_CHARACTERS
        self._to_read = READ_CHARACTERS

    def tree(self, code: str) -> ast.Module | None:
        """The syntax tree; None where it is no Python, or too long to be looked at."""
        if code not in self._trees:
            cost = len(code) + _AN_ATTEMPT
            if cost > self._to_parse:
                return None
            self._to_parse -= cost
            self._trees[code] = parse_python(code)
        return self._trees[code]

    def is_unfinished(self, code: str) -> bool:
        """Whether the code ends within brackets or a string of several lines."""
        return self._ending(code) != ""

    def ends_in_string(self, code: str) -> bool:
        """Whether the code ends within a string of several lines."""
        return self._ending(code) == "string"

    def _ending(self, code: str) -> str:
        cost = len(code) + _AN_ATTEMPT
        if cost > self._to_read:
            return ""
        self._to_read -= cost
        return _ending(code)


def _ending(code: str) -> str:
    depth, at = 0, 0
    while (found := _LEXEME.search(code, at)) is not None:
        at = found.end()
        match found[0]:
            case "'''" | '"""':
                closing = _ENDS[found[0]].match(code, at)
                if closing is None:
                    return "string"
                at = closing.end()
            case "'" | '"':
                at = _end_of_line_string(code, at, found[0])
            case "(" | "[" | "{":
                depth += 1
            case ")" | "]" | "}":
                depth = max(depth - 1, 0)
            case _:
                pass
    return "brackets" if depth else ""


@cache
def _rest_of_string(quote: str) -> re.Pattern[str]:
    return re.compile(rf"(?:[^{quote}\\\n]|\\.)*+{quote}?", re.DOTALL)


def _end_of_line_string(code: str, at: int, quote: str) -> int:
    found = _rest_of_string(quote).match(code, at)
    return at if found is None else found.end()


def does_something(tree: ast.Module) -> bool:
    """Whether a statement of it is more than a word that happens to be a name, or a label ("Note: this")."""
    return any(map(_acts, tree.body))


def _acts(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr():
            return any(isinstance(part, _ACTS) for part in ast.walk(statement))
        case ast.AnnAssign(value=None):
            return False
        case _:
            return True


def is_words(statement: ast.stmt) -> bool:
    """Whether the statement only names things, as a word of prose does that happens to parse."""
    return not _acts(statement)


def provided_names(tree: ast.Module) -> set[str]:
    """Names that the top level binds: imports, definitions, assignments, also within `if`, `try`, `with` and loops."""
    return {name for statement in _top_level(tree.body) for name in bound_names(statement)}


def _top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.stmt):
            yield node
        if not isinstance(node, _Definition | ast.expr):
            waiting.extend(ast.iter_child_nodes(node))


def bound_names(statement: ast.stmt) -> set[str]:
    """Names that a statement binds itself."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            return {alias.asname or alias.name.partition(".")[0] for alias in aliases}
        case ast.Assign(targets=targets):
            return {name for target in targets for name in _stored(target)}
        case ast.AnnAssign(target=target, value=ast.expr()) | ast.AugAssign(target=target) | ast.For(target=target):
            return _stored(target)
        case _:
            return set()


def _stored(target: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def needed_names(tree: ast.AST) -> set[str]:
    """Names that code uses and nowhere binds, builtins aside."""
    used: set[str] = set()
    bound: set[str] = set(dir(builtins))
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                used.add(name)
            case ast.Name(id=name) | ast.arg(arg=name) | ast.ExceptHandler(name=str(name)):
                bound.add(name)
            case ast.stmt():
                bound |= bound_names(node)
            case _:
                pass
    return used - bound


def defines(tree: ast.Module, entry_point: str | None) -> bool:
    """Whether code provides the entry point: the function, or the class that has the method; whether it does anything where there is none.

    >>> defines(ast.parse("f = lambda n: n"), "f"), defines(ast.parse("class A: pass"), "A.f"), defines(ast.parse("x"), None)
    (True, False, False)
    """
    if entry_point is None:
        return does_something(tree)
    name, _, method = entry_point.partition(".")
    if not method or "." in method:
        return name in provided_names(tree)
    bodies = [node.body for node in _top_level(tree.body) if isinstance(node, ast.ClassDef) and node.name == name]
    return any(method in bound_names(inner) for body in bodies for inner in _top_level(body))


def mentions_definition(code: str, entry_point: str | None) -> bool:
    """Whether a line of code that may not parse begins to define the entry point."""
    if entry_point is None:
        return False
    name = re.escape(entry_point.partition(".")[0])
    return (
        re.search(rf"^(?:async[ \t]+def|def|class)[ \t]+{name}\b|^{name}[ \t]*=(?!=)", code, re.MULTILINE) is not None
    )
