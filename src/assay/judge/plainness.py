"""Which tests leave no trace in the process that runs them, so that one judge fork may serve several problems in turn.

Test code is third-party code; in general a fork serves one problem and dies. But most tests only call the candidate and compare plain
values. A test is *plain* when its syntax tree is built from nothing but that: literals, operators, calls of the candidate, of harmless
builtins and of well-known methods of plain values, assignments to names of its own, functions and loops made of these. An attribute that
is not such a method makes it not plain, and a name that is not the test's own may only be called, or handed to what is called so: it
could be a module that the reference imports. So no module's function and no object's inside is ever reached.
What a plain test can change lives in its own namespace, which is thrown away after each sample.

The lists say what is known to be harmless; anything else is not plain, and costs a fork of its own.
"""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING

from assay.judge.instrument import free_names
from assay.records import AssertTests, CallTests, CheckTests, Problem
from assay.syntax import UNPARSABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

IMPORTS = frozenset("math cmath collections itertools re datetime fractions statistics bisect heapq".split())
"""Modules that may be imported: to import them changes nothing. (To use one is an attribute, and not plain.)"""

TYPING = frozenset("Any Callable Dict Iterable Iterator List Optional Sequence Set Tuple Union".split())
"""What may be imported from `typing`."""

BUILTINS = frozenset(
    (
        "abs all any ascii bin bool bytearray bytes chr complex dict divmod enumerate filter float frozenset hash hex int "
        "isinstance issubclass iter len list map max min next oct ord pow range repr reversed round set slice sorted str sum tuple "
        "zip True False None NotImplemented Ellipsis ArithmeticError AssertionError AttributeError EOFError Exception IndexError "
        "KeyError LookupError NameError NotImplementedError OSError OverflowError RecursionError RuntimeError StopIteration "
        "TypeError UnicodeError ValueError ZeroDivisionError"
    ).split()
)

METHODS = frozenset(
    (
        "add append as_integer_ratio bit_length capitalize casefold center clear conjugate copy count days denominator difference "
        "discard endswith expandtabs extend find fromkeys get imag index insert intersection is_integer isalnum isalpha isascii "
        "isdecimal isdigit isdisjoint isidentifier islower isnumeric isprintable isspace issubset issuperset istitle isupper items "
        "join keys ljust lower lstrip most_common numerator partition pop popitem popleft appendleft real remove removeprefix "
        "removesuffix replace reverse rfind rindex rjust rpartition rsplit rstrip seconds setdefault sort split splitlines startswith "
        "strip swapcase symmetric_difference title total_seconds union update upper values zfill"
    ).split()
)
"""Attributes that a plain test may use: methods and fields of plain values. None of them leads to a module, a class or a frame."""

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
_SHAPES = frozenset((
    ast.keyword, ast.comprehension, ast.arguments, ast.BoolOp, ast.NamedExpr, ast.BinOp, ast.UnaryOp, ast.Lambda, ast.IfExp, ast.Dict,
    ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Compare, ast.Call, ast.FormattedValue, ast.JoinedStr,
    ast.Constant, ast.Subscript, ast.Starred, ast.List, ast.Tuple, ast.Slice, *_STATEMENTS,
))  # fmt: skip
_MARKS = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
"""Nodes that only say which operator, or that a name is read: a third of all nodes, without anything in them."""

_ALL_BUILTINS = frozenset(dir(builtins))
_OPEN_ENDINGS = ("", "\n    pass\n")


def is_plain(problem: Problem, groups: Sequence[str]) -> bool:
    """Whether the tests of these groups, their setup and the prompt's helpers leave no trace where they run."""
    texts = [text for t in problem.tests if t.group in groups for text in _texts(t)]
    if any(isinstance(t, CallTests) and t.oracle.formula for t in problem.tests if t.group in groups):
        return False
    if any(not isinstance(t, (AssertTests, CheckTests, CallTests)) for t in problem.tests if t.group in groups):
        return False
    if problem.setup.strip() and not _only_imports(problem.setup):
        return False
    if problem.prompt_is_code and not _only_imports(problem.prompt, but=problem.entry_point):
        return False
    try:
        trees = [ast.parse(text) for text in texts]
        foreign = free_names("\n".join(texts))
    except UNPARSABLE:
        return False
    return all(_is_plain_tree(tree, foreign - BUILTINS) for tree in trees)


def _texts(tests: object) -> tuple[str, ...]:
    if isinstance(tests, AssertTests):
        return tests.cases
    return (tests.source,) if isinstance(tests, CheckTests) else ()


def _is_plain_tree(tree: ast.Module, foreign: frozenset[str]) -> bool:
    called: set[ast.AST] = set()
    nodes = nodes_of(tree)
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in foreign:
            called.update((node.func, *node.args))
    strays = (n for n in nodes if isinstance(n, ast.Name) and n.id in foreign)
    return all(n in called for n in strays) and all(map(_is_plain_statement, tree.body))


def nodes_of(root: ast.AST) -> list[ast.AST]:
    """As `ast.walk`, without `_MARKS`, in a third of the time: this is run for every problem."""
    found = [root]
    for node in found:
        for name in node._fields:
            part = getattr(node, name, None)
            if isinstance(part, list):
                found += [n for n in part if isinstance(n, ast.AST) and not isinstance(n, _MARKS)]
            elif isinstance(part, ast.AST) and not isinstance(part, _MARKS):
                found.append(part)
    return found


def _is_plain_statement(statement: ast.stmt) -> bool:
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return _is_harmless_import(statement)
    if isinstance(statement, ast.FunctionDef):
        return _is_plain_function(statement)
    if isinstance(statement, (ast.For, ast.If)):
        inner = [*statement.body, *statement.orelse]
        head = [statement.iter, statement.target] if isinstance(statement, ast.For) else [statement.test]
        return all(map(_is_plain_statement, inner)) and all(_is_plain_node(n) for part in head for n in nodes_of(part))
    return all(map(_is_plain_node, nodes_of(statement)))


def _is_plain_function(function: ast.FunctionDef) -> bool:
    if function.decorator_list or getattr(function, "type_params", None) or not _is_own_name(function.name):
        return False
    header = [function.args, *([function.returns] if function.returns else [])]
    return all(map(_is_plain_statement, function.body)) and all(
        _is_plain_node(n) for part in header for n in nodes_of(part)
    )


def _is_plain_node(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return isinstance(node.ctx, ast.Load) and node.attr in METHODS
    if isinstance(node, ast.Name):
        return (
            node.id in BUILTINS
            if isinstance(node.ctx, ast.Load) and node.id in _ALL_BUILTINS
            else _is_own_name(node.id)
        )
    if isinstance(node, ast.arg):
        return _is_own_name(node.arg)
    if isinstance(node, ast.ExceptHandler):
        return node.name is None or _is_own_name(node.name)
    return type(node) in _SHAPES


def _is_own_name(name: str) -> bool:
    """A name that a test may bind: nothing that Python or the judge's recorder has."""
    return not name.startswith("__") and name not in _ALL_BUILTINS


def _is_harmless_import(statement: ast.Import | ast.ImportFrom) -> bool:
    if any(alias.asname is not None for alias in statement.names):
        return False
    names = {alias.name for alias in statement.names}
    if isinstance(statement, ast.Import):
        return names <= IMPORTS
    return statement.level == 0 and statement.module == "typing" and names <= TYPING


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
