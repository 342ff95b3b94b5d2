"""Test source made ready to be watched: which asserts are evaluated, what they compared, where a statement ends.

A test is ordinary Python. Its syntax tree is changed in four ways, none of which alters what it means:

- after each statement `__assay__.settle()` runs, so that changes to arguments come back at the end of the statement (rule 5);
- after each assert `__assay__.held(n)` runs: evidence that assert number n was evaluated and held (rule 3);
- `assert a == b` becomes `assert __assay__.compare(n, "==", a, b)`, which evaluates the same things in the same order and remembers
  both sides for the message;
- inside the body of `check`, each statement stands in a `try` of its own, so that one wrong answer does not hide the rest.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

import ast
import symtable
from typing import TYPE_CHECKING, NamedTuple, TypedDict

if TYPE_CHECKING:
    from types import CodeType

RECORDER = "__assay__"
_OPERATORS = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is", ast.IsNot: "is not",
    ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
_LOAD = ast.Load()
_CLOSED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_BARE = (ast.Global, ast.Nonlocal, ast.Pass, ast.Break, ast.Continue, ast.Import, ast.ImportFrom)


class AssertSite(NamedTuple):
    """Where an assert stands: the statement or call as written, and whether it could fail at all."""

    written: ast.AST
    vacuous: bool

    @property
    def text(self) -> str:
        """Its text, made when it is asked for: hardly one in a problem is."""
        return ast.unparse(self.written)


class Instrumented(NamedTuple):
    """A test, compiled, with its asserts in the order of their numbers and its text."""

    code: CodeType
    sites: tuple[AssertSite, ...]
    text: str


def instrument(source: str, filename: str, isolate: str | None = None) -> Instrumented:
    """Compiles test source so that a recorder named `__assay__` in its namespace can watch it.

    Args:
        source: The test.
        filename: Name for tracebacks.
        isolate: Name of a function at the top of the source whose statements are isolated from one another (`check`).

    Raises:
        SyntaxError: If the source is not Python.
    """
    tree = ast.parse(source, filename)
    watcher = _Watcher(isolate)
    tree.body = watcher.block(tree.body, isolated=False)
    return Instrumented(compile(tree, filename, "exec", dont_inherit=True, optimize=0), tuple(watcher.sites), source)


class _Watcher:
    """Rewrites statement lists from the outside in; `sites` collects the asserts."""

    def __init__(self, isolate: str | None) -> None:
        self._isolate = isolate
        self.sites: list[AssertSite] = []

    def block(self, body: list[ast.stmt], *, isolated: bool) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for at, statement in enumerate(body):
            if at == 0 and _is_docstring(statement):
                out.append(statement)
                continue
            out.extend(self._statement(statement, isolated=isolated))
        return out

    def _statement(self, statement: ast.stmt, *, isolated: bool) -> list[ast.stmt]:
        number = len(self.sites)
        if isinstance(statement, ast.Assert):
            done = self._assert(statement)
        elif isinstance(statement, _CLOSED):
            inside = isinstance(statement, ast.FunctionDef) and statement.name == self._isolate
            statement.body = self.block(statement.body, isolated=inside)
            return [statement]
        else:
            self._nested(statement, isolated=isolated)
            done = (
                [statement]
                if isinstance(statement, (*_BARE, ast.Return, ast.Raise))
                else [statement, _call(statement, "settle")]
            )
        if not isolated or isinstance(statement, _BARE):
            return done
        return [_isolated(done, number if isinstance(statement, ast.Assert) else None, statement)]

    def _nested(self, statement: ast.stmt, *, isolated: bool) -> None:
        """Goes into the parts of a compound statement. Only `for` and `if` pass isolation on: in a `while` an error that is caught
        could make a loop endless, and in `try` and `with` it is the test's own business.
        """
        inner = isolated and isinstance(statement, (ast.For, ast.If))
        for field in ("body", "orelse", "finalbody"):
            part = getattr(statement, field, None)
            if isinstance(part, list) and part and isinstance(part[0], ast.stmt):
                setattr(statement, field, self.block(part, isolated=inner))
        for handler in getattr(statement, "handlers", ()):
            handler.body = self.block(handler.body, isolated=False)
        for case in getattr(statement, "cases", ()):
            case.body = self.block(case.body, isolated=False)

    def _assert(self, statement: ast.Assert) -> list[ast.stmt]:
        number = len(self.sites)
        test = statement.test
        self.sites.append(AssertSite(ast.Assert(test, statement.msg), _is_vacuous(test)))
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            operator = _OPERATORS[type(test.ops[0])]
            watched = _call(statement, "compare", number, operator, test.left, test.comparators[0])
        else:
            watched = _call(statement, "truth", number, test)
        statement.test = watched.value
        return [statement, _call(statement, "held", number)]


def _call(by: ast.stmt, method: str, *args: ast.expr | str | int | None) -> ast.Expr:
    """A call of the recorder's, which stands where the statement `by` does."""
    at = _place(by)
    nodes = [a if isinstance(a, ast.expr) else ast.Constant(a, **at) for a in args]
    target = ast.Attribute(ast.Name(RECORDER, _LOAD, **at), method, _LOAD, **at)
    return ast.Expr(ast.Call(target, nodes, [], **at), **at)


def _isolated(body: list[ast.stmt], number: int | None, statement: ast.stmt) -> ast.Try:
    at = _place(statement)
    caught = ast.Attribute(ast.Name(RECORDER, _LOAD, **at), "isolated", _LOAD, **at)
    note = _call(statement, "failed", number, ast.Name("__assay_error__", _LOAD, **at))
    handler = ast.ExceptHandler(caught, "__assay_error__", [note], **at)
    return ast.Try(body, [handler], [], [], **at)


class _Place(TypedDict):
    lineno: int
    col_offset: int
    end_lineno: int
    end_col_offset: int


def _place(node: ast.stmt) -> _Place:
    """Where a node stands; given to each new one, since to mend the whole tree afterwards takes as long as to compile it."""
    end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return {"lineno": node.lineno, "col_offset": node.col_offset, "end_lineno": end_line, "end_col_offset": end_column}


def _is_docstring(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _is_vacuous(test: ast.expr) -> bool:
    """Whether an assert can't fail whatever the candidate does: a true constant, or a non-empty tuple display."""
    return (isinstance(test, ast.Constant) and bool(test.value)) or (isinstance(test, ast.Tuple) and bool(test.elts))


def free_names(source: str) -> frozenset[str]:
    """Global names that the source reads somewhere and never binds at its top.

    >>> sorted(free_names("import math; assert f(2) == math.sqrt(4) and g"))
    ['f', 'g']
    """
    top = symtable.symtable(source, "<test>", "exec")
    bound = {s.get_name() for s in top.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()}
    read: set[str] = set()

    def walk(table: symtable.SymbolTable) -> None:
        for symbol in table.get_symbols():
            if symbol.is_referenced() and (table is top or symbol.is_global()):
                read.add(symbol.get_name())
        for child in table.get_children():
            walk(child)

    walk(top)
    return frozenset(read - bound)


def read_attributes(source: str) -> tuple[str, ...]:
    """Names of the attributes that the source reads of anything, without those that Python has a meaning for.

    >>> read_attributes("s = Stack(); s.push(1); s.top = 2; assert s.__len__() == s.size")
    ('push', 'size')
    """
    nodes = ast.walk(ast.parse(source))
    read = {n.attr for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load)}
    return tuple(sorted(name for name in read if not name.startswith("__")))


def definitions(source: str) -> str:
    """The imports, functions and classes at the top of test setup: the part of it that the candidate sees too."""
    tree = ast.parse(source)
    kept: list[ast.stmt] = [n for n in tree.body if isinstance(n, (*_CLOSED, ast.Import, ast.ImportFrom))]
    return ast.unparse(ast.Module(kept, []))


def prompt_helpers(prompt: str, entry_point: str | None) -> CodeType | None:
    """What a prompt that is code defines beside the entry point: imports, helper functions, constants; compiled, or None.

    They are the benchmark's own text, so the judge runs them itself and never takes the candidate's version.
    """
    tree = parse_open(prompt)
    if tree is None:
        return None
    kinds = (*_CLOSED, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)
    kept: list[ast.stmt] = [n for n in tree.body if isinstance(n, kinds) and getattr(n, "name", None) != entry_point]
    return compile(ast.Module(kept, []), "<prompt>", "exec", dont_inherit=True) if kept else None


def parse_open(prompt: str) -> ast.Module | None:
    """Parses a prompt that may end in the middle of a function."""
    for ending in ("", "\n    pass\n"):
        try:
            return ast.parse(prompt + ending)
        except SyntaxError:
            continue
    return None
