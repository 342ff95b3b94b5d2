"""Which tests can't reach the candidate: whatever it does, they say the same.

Names spread: a statement that holds a name that leads to the candidate makes all its names lead there. So a test is named here only
if nothing in it can depend on the candidate, and some that don't are missed: better that than to accuse a good test.
"""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING

from assay.benchmarks.entry import defined_names
from assay.benchmarks.statements import candidate_of, check_of, code_of, cut
from assay.records import AssertTests, CheckTests
from assay.syntax import parse_python

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.records import Problem

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_NEVER = frozenset(dir(builtins))


def unreached(problem: Problem) -> list[str]:
    """Texts of the tests that no candidate can reach. Asserts of constants are left out: they are vacuous, and told as such.

    >>> from assay.records import Problem
    >>> tests = (AssertTests(cases=("x = f(1)", "assert x == 2", "assert 1 + 1 == 2")),)
    >>> unreached(Problem(id="a", prompt="", tests=tests, entry_point="f"))
    ['assert 1 + 1 == 2']
    """
    reach = _Reach(problem)
    found: list[str] = []
    for tests in problem.tests:
        match tests:
            case AssertTests():
                found += [cut(case) for case in tests.cases if reach.misses(case)]
            case CheckTests():
                found += reach.missed_in_check(tests.source)
            case _:
                pass
    return found


class _Reach:
    """The names that lead to a problem's candidate; they grow as its setup and tests are read in order."""

    def __init__(self, problem: Problem) -> None:
        self._names = {*defined_names(problem.reference or "")}
        if problem.entry_point is not None:
            self._names.add(problem.entry_point.partition(".")[0])
        self._modules: set[str] = set()
        for statement in _body(problem.setup):
            self._meets(statement)

    def _meets(self, statement: ast.stmt) -> bool:
        """Whether a statement leads to the candidate; its names then do so too."""
        names: set[str] = set()
        for node in ast.walk(statement):
            if isinstance(node, ast.Name):
                names.add(node.id)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                self._modules |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        if not names & self._names:
            return False
        bound = {statement.name} if isinstance(statement, _DEFINITIONS) else names
        self._names |= bound - _NEVER - self._modules
        return True

    def misses(self, case: str) -> bool:
        """Whether a case of asserts misses the candidate."""
        body = _body(case)
        met = [self._meets(statement) for statement in body]
        return bool(body) and not any(met) and not all(map(_is_constant, body))

    def missed_in_check(self, source: str) -> list[str]:
        """The asserts in the body of `check` that miss the candidate."""
        check = check_of(source)
        if check is None:
            return []
        self._names.add(candidate_of(check) or "candidate")
        for statement in _body(source):
            if not (isinstance(statement, _DEFINITIONS) and statement.name == "check"):
                self._meets(statement)
        return [cut(code_of(statement, source)) for statement in self._missed(check.body)]

    def _missed(self, body: Iterable[ast.stmt]) -> list[ast.stmt]:
        missed = [statement for statement in body if not self._meets(statement)]
        return [statement for statement in missed if isinstance(statement, ast.Assert) and not _is_constant(statement)]


def _body(source: str) -> list[ast.stmt]:
    tree = parse_python(source)
    return [] if tree is None else tree.body


def _is_constant(statement: ast.stmt) -> bool:
    """Whether a statement is an assert that nothing could fail, as the judge sees it."""
    return isinstance(statement, ast.Assert) and isinstance(statement.test, ast.Constant | ast.Tuple)
