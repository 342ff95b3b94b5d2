"""What a reference's code shows of how it goes about its problem, read and never run: modules, operations, habits of a search."""

from __future__ import annotations

import ast
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

TABLE, MIDDLE, DEEP, WORKLIST, EARLY, STACK, RECURSION = (
    "fills a table from itself",
    "halves an interval",
    "loops three deep",
    "works something off",
    "leaves an inner loop early",
    "takes from a stack or queue",
    "calls itself",
)
"""The habits: `t[i] = t[i - 1] ...` or `found |= {... for each in found}` in a loop; `(low + high) // 2` in a `while` loop; three
loops in one another; `while queue:`; a `break` in a loop that is in a loop; `.pop()` or `.popleft()`; recursion."""

_TEXT_METHODS = frozenset(
    "capitalize casefold center decode encode endswith find format isalnum isalpha isdigit islower isnumeric isspace isupper join ljust "
    "lower lstrip maketrans partition removeprefix removesuffix replace rfind rjust rpartition rsplit rstrip split splitlines "
    "startswith strip swapcase title translate upper zfill".split()
)
_RE_FUNCTIONS = frozenset("compile findall finditer fullmatch match search split sub".split())
_ARITHMETIC = ast.Mult | ast.Div | ast.FloorDiv | ast.Mod | ast.Pow


class Code:
    """A program's tree with its nodes sorted by type: what is looked for is rare, and most nodes are names."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self._nodes: dict[type[ast.AST], list[ast.AST]] = {}
        for node in ast.walk(tree):
            self._nodes.setdefault(type(node), []).append(node)

    def of(self, *types: type[ast.AST]) -> Iterator[ast.AST]:
        """All nodes of these types."""
        return chain.from_iterable(self._nodes.get(kind, ()) for kind in types)


def used_modules(code: Code) -> set[str]:
    """The modules and `module.name`s that a program imports or names.

    >>> sorted(used_modules(Code(ast.parse("from heapq import heappop; import math; math.pi"))))
    ['heapq', 'heapq.heappop', 'math', 'math.pi']
    """
    return {name for node in code.of(ast.Import, ast.ImportFrom, ast.Attribute) for name in _named_by(node)}


def _named_by(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(module=str(module), names=names):
            yield module
            yield from (f"{module}.{alias.name}" for alias in names)
        case ast.Attribute(value=ast.Name(id=module), attr=name):
            yield f"{module}.{name}"
        case _:
            pass


def text_operations(code: Code) -> int:
    """How often methods of texts, functions of `re`, `ord`, `chr`, f-strings and `%` on a text are used.

    >>> text_operations(Code(ast.parse("'%s' % ord(name.upper())")))
    3
    """
    return sum(map(_is_text_operation, code.of(ast.Call, ast.JoinedStr, ast.BinOp)))


def _is_text_operation(node: ast.AST) -> bool:
    match node:
        case ast.JoinedStr() | ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod()):
            return True
        case ast.Call(func=ast.Name(id="ord" | "chr")):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=name)):
            return name in _RE_FUNCTIONS
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _TEXT_METHODS
        case _:
            return False


def arithmetic_operations(code: Code) -> int:
    """How often `*`, `/`, `//`, `%` and `**` are used; plus and minus count everything, so they tell nothing.

    >>> arithmetic_operations(Code(ast.parse("a = 2 * b + 1; a //= 3; '%s' % a")))
    2
    """
    return sum(map(_is_arithmetic, code.of(ast.BinOp, ast.AugAssign)))


def _is_arithmetic(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod()):
            return False
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator):
            return isinstance(operator, _ARITHMETIC)
        case _:
            return False


def habits_of_search(code: Code) -> set[str]:
    """Which of the habits a program shows.

    >>> habits_of_search(Code(ast.parse("while queue: queue.sort()")))
    {'works something off'}
    """
    loops = list(_loops(code.tree.body, 1))
    every, inner = [loop for _, loop in loops], [loop for depth, loop in loops if depth >= 2]
    whiles = [loop for loop in every if isinstance(loop, ast.While)]
    entries = filter(_enters_from_table, code.of(ast.Assign))
    grown = filter(_grows_from_itself, code.of(ast.Assign, ast.AugAssign))
    shown = {
        TABLE: _is_any_in(chain(entries, grown), every),
        MIDDLE: _is_any_in(filter(_is_middle, code.of(ast.BinOp)), whiles),
        DEEP: any(depth >= 3 for depth, _ in loops),
        WORKLIST: any(_is_until_empty(loop.test) for loop in whiles),
        EARLY: _is_any_in(code.of(ast.Break), inner),
        STACK: any(map(_is_pop, code.of(ast.Call))),
        RECURSION: any(_is_any_in(_calls_of(node, code), [node]) for node in code.of(ast.FunctionDef)),
    }
    return {habit for habit, is_shown in shown.items() if is_shown}


def _is_any_in(nodes: Iterable[ast.AST], statements: Sequence[ast.AST]) -> bool:
    """Whether one of the nodes stands within one of the statements, by their lines: a walk through each would cost more."""
    lines = {getattr(node, "lineno", 0) for node in nodes} if statements else set()
    spans = ((getattr(each, "lineno", 0), getattr(each, "end_lineno", 0)) for each in statements)
    return any(first <= line <= last for first, last in spans for line in lines)


def _calls_of(function: ast.AST, code: Code) -> Iterator[ast.AST]:
    name = getattr(function, "name", None)
    return (call for call in code.of(ast.Call) if getattr(getattr(call, "func", None), "id", None) == name)


def _is_pop(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="pop" | "popleft")):
            return True
        case _:
            return False


def _loops(statements: Iterable[ast.stmt], depth: int) -> Iterator[tuple[int, ast.For | ast.While]]:
    """The loops among statements with their depth, from 1 for those that no other loop holds."""
    for statement in statements:
        inner = depth
        if isinstance(statement, ast.For | ast.While):
            yield depth, statement
            inner += 1
        for field in ("body", "orelse", "finalbody"):
            yield from _loops(getattr(statement, field, ()), inner)


def _is_until_empty(test: ast.expr) -> bool:
    """`queue`, `any(queue)`, `len(queue)`, or one of these `and` something."""
    match test:
        case ast.Name() | ast.Call(func=ast.Name(id="any" | "len")):
            return True
        case ast.BoolOp(op=ast.And(), values=[first, *_]):
            return _is_until_empty(first)
        case _:
            return False


def _is_middle(node: ast.AST) -> bool:
    """`(low + high) / 2`, or `//`."""
    match node:
        case ast.BinOp(left=ast.BinOp(op=ast.Add()), op=ast.Div() | ast.FloorDiv(), right=ast.Constant(value=2)):
            return True
        case _:
            return False


def _enters_from_table(node: ast.AST) -> bool:
    """`table[i] = ... table[i - 1] ...`."""
    match node:
        case ast.Assign(targets=[ast.Subscript(slice=place) as entry], value=value):
            table, at = _table(entry), ast.dump(place)
            reads = (read for read in ast.walk(value) if isinstance(read, ast.Subscript))
            return any(_table(read) == table and ast.dump(read.slice) != at for read in reads)
        case _:
            return False


def _table(node: ast.expr) -> str | None:
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _grows_from_itself(node: ast.AST) -> bool:
    """`found |= {... for each in found}`, or `=`."""
    match node:
        case (
            ast.AugAssign(target=ast.Name(id=name), value=value) | ast.Assign(targets=[ast.Name(id=name)], value=value)
        ):
            sources = (inner.iter for inner in ast.walk(value) if isinstance(inner, ast.comprehension))
            return any(isinstance(source, ast.Name) and source.id == name for source in sources)
        case _:
            return False
