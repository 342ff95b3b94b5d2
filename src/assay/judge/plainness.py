"""Which tests leave no trace in the process that runs them, so that one judge fork may serve several problems in turn.

Test code is third-party code; in general a fork serves one problem and dies. But most tests only call the candidate and compare plain
values. A test is *plain* when its syntax tree is built from nothing but that: literals, operators, calls of the candidate, of harmless
builtins and of methods, assignments to names of its own, functions and loops made of these. No attribute that begins with an underscore,
no name of a module but harmless ones, no statement that could reach the interpreter. What a plain test can change lives in its own
namespace, which is thrown away after each sample.

The list says what is known to be harmless; anything else is not plain, and costs a fork of its own.
"""

from __future__ import annotations

import ast
import builtins
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from assay.records import AssertTests, CallTests, CheckTests, Problem
from assay.syntax import UNPARSABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

MODULES = frozenset("math cmath collections itertools re datetime fractions statistics bisect heapq".split())
"""Modules of which every public name that is no module itself changes nothing outside what it returns."""

TYPING = frozenset("Any Callable Dict Iterable Iterator List Optional Sequence Set Tuple Union".split())
"""What may be imported from `typing`: not the functions, some of which evaluate text."""

BUILTINS = frozenset(
    (
        "abs all any ascii bin bool bytearray bytes chr complex dict divmod enumerate filter float format frozenset hash hex int "
        "isinstance issubclass iter len list map max min next oct ord pow range repr reversed round set slice sorted str sum tuple "
        "zip True False None NotImplemented Ellipsis ArithmeticError AssertionError AttributeError EOFError Exception IndexError "
        "KeyError LookupError NameError NotImplementedError OSError OverflowError RecursionError RuntimeError StopIteration "
        "TypeError UnicodeError ValueError ZeroDivisionError"
    ).split()
)
_STATEMENTS = (
    ast.Assert,
    ast.Assign,
    ast.AnnAssign,
    ast.AugAssign,
    ast.Expr,
    ast.For,
    ast.If,
    ast.Pass,
    ast.Return,
    ast.Try,
    ast.Raise,
)
_SHAPES = (
    ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop, ast.keyword, ast.comprehension, ast.arguments, ast.arg,
    ast.ExceptHandler, ast.BoolOp, ast.NamedExpr, ast.BinOp, ast.UnaryOp, ast.Lambda, ast.IfExp, ast.Dict, ast.Set, ast.ListComp,
    ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Compare, ast.Call, ast.FormattedValue, ast.JoinedStr, ast.Constant,
    ast.Attribute, ast.Subscript, ast.Starred, ast.Name, ast.List, ast.Tuple, ast.Slice, *_STATEMENTS,
)  # fmt: skip
_ALL_BUILTINS = frozenset(dir(builtins))
_INNER = ("_", "gi_", "cr_", "ag_", "f_", "tb_", "co_", "func_", "mro")
"""Attributes that lead from a value to the interpreter's inside."""

_OPEN_ENDINGS = ("", "\n    pass\n")


def is_plain(problem: Problem, groups: Sequence[str]) -> bool:
    """Whether the tests of these groups, their setup and the prompt's helpers leave no trace where they run."""
    texts = [text for t in problem.tests if t.group in groups for text in _texts(t)]
    if any(not isinstance(t, (AssertTests, CheckTests, CallTests)) for t in problem.tests if t.group in groups):
        return False
    if problem.setup.strip() and not _only_imports(problem.setup):
        return False
    if problem.prompt_is_code and not _only_imports(problem.prompt, but=problem.entry_point):
        return False
    return all(_is_plain_text(text) for text in texts)


def _texts(tests: object) -> tuple[str, ...]:
    if isinstance(tests, AssertTests):
        return tests.cases
    return (tests.source,) if isinstance(tests, CheckTests) else ()


def _is_plain_text(text: str) -> bool:
    try:
        tree = ast.parse(text)
        return all(_is_plain_statement(statement) for statement in tree.body)
    except UNPARSABLE:
        return False


def _is_plain_statement(statement: ast.stmt) -> bool:
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return _is_harmless_import(statement)
    if isinstance(statement, ast.FunctionDef):
        header = [statement.args, *([statement.returns] if statement.returns else [])]
        return (
            not statement.decorator_list
            and all(_is_plain_statement(inner) for inner in statement.body)
            and all(_is_plain_node(node) for part in header for node in ast.walk(part))
        )
    if isinstance(statement, (ast.For, ast.If)):
        inner = [*statement.body, *statement.orelse]
        head = [statement.iter, statement.target] if isinstance(statement, ast.For) else [statement.test]
        return all(map(_is_plain_statement, inner)) and all(_is_plain_node(n) for part in head for n in ast.walk(part))
    return all(_is_plain_node(node) for node in ast.walk(statement))


def _is_plain_node(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return (
            isinstance(node.ctx, ast.Load)
            and not node.attr.startswith(_INNER)
            and _is_plain_access(node.value, node.attr)
        )
    if isinstance(node, ast.Name):
        return not node.id.startswith("__") and (node.id in BUILTINS or node.id not in _ALL_BUILTINS)
    return isinstance(node, _SHAPES)


def _is_plain_access(owner: ast.expr, name: str) -> bool:
    """A bare name before a dot could be any module that the reference imports: only harmless ones are, and not modules in them."""
    if not isinstance(owner, ast.Name) or owner.id in BUILTINS:
        return True
    return owner.id in MODULES and not isinstance(getattr(import_module(owner.id), name, None), ModuleType)


def _is_harmless_import(statement: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(statement, ast.Import):
        return all(alias.name in MODULES and alias.asname in (None, alias.name) for alias in statement.names)
    names = {alias.name for alias in statement.names}
    if statement.level == 0 and statement.module == "typing":
        return names <= TYPING
    return statement.level == 0 and statement.module in MODULES and not any(n.startswith(("_", "*")) for n in names)


def _only_imports(source: str, but: str | None = None) -> bool:
    """Whether code holds harmless imports only, apart from the definition of `but` (which is not run)."""
    for ending in _OPEN_ENDINGS:
        try:
            tree = ast.parse(source + ending)
        except UNPARSABLE:
            continue
        return all(_is_idle(statement, but) for statement in tree.body)
    return False


def _is_idle(statement: ast.stmt, but: str | None) -> bool:
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return _is_harmless_import(statement)
    if isinstance(statement, ast.FunctionDef) and statement.name == but:
        return True
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
