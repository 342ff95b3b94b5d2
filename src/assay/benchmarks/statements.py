"""What single tests say, read from their text: which are the same, which input each tries and which answer it expects.

Nothing is run. A test that can't be read so far that two of its kind could be compared safely is left out.
"""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING, NamedTuple

from assay.benchmarks.calls import literal
from assay.records import AssertTests, CallTests, CheckTests, StdioTests
from assay.syntax import parse_python

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assay.records import Problem

NOTHING = object()
"""Stands for an answer that can't be read from the text."""

UNREADABLE = (ValueError, TypeError, SyntaxError, MemoryError, RecursionError)
"""What `ast.literal_eval` and `repr` raise for what is no literal, or one too large to be written."""

_BUILTINS = frozenset(dir(builtins))
_SHOWN = 80


class Statement(NamedTuple):
    """One test, as far as its text tells.

    `place` is its group and number (from 0, as in `first_failure`), `key` is equal for equal tests, `call` is the literal of the
    arguments of its only call of the candidate, None where there is none such. `expected` is the answer that it demands of that
    call, or `NOTHING`.
    """

    place: str
    group: str
    key: str
    call: str | None
    expected: object
    text: str


def statements_of(problem: Problem) -> list[Statement]:
    """The tests of a problem, in order.

    >>> from assay.records import Problem
    >>> tests = (AssertTests(cases=("assert f(1, (2,)) == [3]",)), CallTests(inputs=("[1, (2,)]",), group="plus"))
    >>> [(s.place, s.call, s.expected is NOTHING) for s in statements_of(Problem(id="a", prompt="", tests=tests, entry_point="f"))]
    [('base 0', '[1, (2,)]', False), ('plus 0', '[1, (2,)]', True)]
    """
    found: list[Statement] = []
    counts: dict[str, int] = {}
    for tests in problem.tests:
        for said in _said(tests, problem.entry_point):
            number = counts[tests.group] = counts.get(tests.group, -1) + 1
            if said is not None:
                found.append(Statement(f"{tests.group} {number}", tests.group, *said))
    return found


_Said = tuple[str, str | None, object, str]
"""Key, call, expected and text of a statement."""


def _said(tests: object, entry_point: str | None) -> Iterator[_Said | None]:
    match tests:
        case AssertTests():
            yield from (_of_case(case, entry_point) for case in tests.cases)
        case CheckTests():
            yield from _of_check(tests.source, entry_point)
        case CallTests():
            yield from ((text, text, NOTHING, cut(text)) for text in tests.inputs)
        case StdioTests():
            yield from ((repr(case.stdin), None, NOTHING, cut(repr(case.stdin))) for case in tests.cases)
        case _:
            return


def _of_case(case: str, entry_point: str | None) -> _Said:
    tree = parse_python(case)
    if tree is None:
        return (" ".join(case.split()), None, NOTHING, cut(case))
    if len(tree.body) == 1 and isinstance(tree.body[0], ast.Assert):
        return _of_assert(tree.body[0], case, entry_point)
    return (code_of(tree, case), None, NOTHING, cut(case))


def _of_assert(statement: ast.Assert, source: str, entry_point: str | None) -> _Said:
    call = _only_call(statement.test, entry_point)
    arguments = None if call is None else arguments_of(call)
    expected = NOTHING if call is None else _expected(statement.test, call)
    text = code_of(statement.test, source)
    return (text, arguments, expected, cut(f"assert {text}"))


def _of_check(source: str, entry_point: str | None) -> Iterator[_Said | None]:
    """The asserts in the body of `check` itself that rest on the candidate alone, not on what was computed before; None for others."""
    check = check_of(source)
    if check is None:
        return
    renamed = _Renamed(candidate_of(check), entry_point or "candidate")
    for statement in check.body:
        if isinstance(statement, ast.Assert):
            names = read_names(statement)
            closed = bool(names) and names <= _BUILTINS | {renamed.old, renamed.new}
            yield _of_assert(renamed.visit(statement), source, renamed.new) if closed else None


class _Renamed(ast.NodeTransformer):
    """Calls the candidate by its own name, for comparison with the prompt and other tests."""

    def __init__(self, old: str | None, new: str) -> None:
        self.old = old or new
        self.new = new

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.copy_location(ast.Name(self.new, node.ctx), node) if node.id == self.old else node


def check_of(source: str) -> ast.FunctionDef | None:
    """The function `check` of a test's source."""
    tree = parse_python(source)
    functions = [] if tree is None else [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return next((function for function in functions if function.name == "check"), None)


def candidate_of(check: ast.FunctionDef) -> str | None:
    """The name by which `check` knows the candidate."""
    arguments = [*check.args.posonlyargs, *check.args.args]
    return arguments[0].arg if arguments else None


def read_names(node: ast.AST) -> set[str]:
    """All names in a piece of code, read or bound, but not those that its comprehensions and lambdas bind for themselves."""
    names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    own = {inner.arg for inner in ast.walk(node) if isinstance(inner, ast.arg)}
    targets = [inner.target for inner in ast.walk(node) if isinstance(inner, ast.comprehension)]
    own |= {inner.id for target in targets for inner in ast.walk(target) if isinstance(inner, ast.Name)}
    return names - own


def _only_call(test: ast.expr, entry_point: str | None) -> ast.Call | None:
    calls = [
        node
        for node in ast.walk(test)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == entry_point
    ]
    return calls[0] if len(calls) == 1 else None


def arguments_of(call: ast.Call) -> str | None:
    """The literal of a call's list of arguments, None where they are not all literals."""
    if call.keywords:
        return None
    try:
        return literal([ast.literal_eval(argument) for argument in call.args])
    except UNREADABLE:
        return None


def _expected(test: ast.expr, call: ast.Call) -> object:
    """The answer that a test demands of its call: `f(1) == 2`, `2 == f(1)`, `f(1)`, `not f(1)`."""
    if test is call:
        return True
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and test.operand is call:
        return False
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq | ast.Is)):
        return NOTHING
    sides = (test.left, test.comparators[0])
    if call not in sides:
        return NOTHING
    return value_of(sides[0] if sides[1] is call else sides[1])


def code_of(node: ast.AST, source: str) -> str:
    """The code of a piece of a test, in one layout; what Python can't write (a number of thousands of digits) as its source has it."""
    try:
        return ast.unparse(node)
    except UNREADABLE:
        return " ".join((ast.get_source_segment(source, node) or source).split())


def value_of(source: str | ast.expr) -> object:
    """The value of a literal, `NOTHING` where it is none."""
    try:
        return ast.literal_eval(source)
    except UNREADABLE:
        return NOTHING


def cut(text: str) -> str:
    """A test's text on one line, short enough for a table."""
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 3]}..."


def places(statements: Iterable[Statement]) -> str:
    """Where tests stand, a few of them: `base 1, base 4`."""
    names = [statement.place for statement in statements]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
