"""A unittest suite made ready for judging: what starts it taken out, the candidate's module put in, its assertions found.

A published suite is a file: it imports the candidate from some module and ends with `unittest.main()`. Here it is neither a file nor
started: an import from a module that is nowhere, but is said to hold what is on trial, becomes an assignment from the candidate's names,
and what would run the suite is left out. Everything else stays as it is written.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.judge.instrument import AssertSite, Instrumented, instrument, parse_open
from assay.judge.simplicity import imported, module_of, require_simple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SOLUTION = "__assay_solution__"
"""Under this name a suite finds the candidate's names, as attributes."""

GIVEN = (SOLUTION, "unittest")
"""Names that a suite finds whether it imports them or not."""

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Suite:
    """A suite, compiled: its `text` as it is run, and the names that it wants from the candidate's module.

    `assertions` are its calls of unittest's assertion methods. By the line of such a call, `texts` has its text, and `turned` is there
    where the expected value stands first. `asserting` are the functions whose own text holds assertions; `methods` is how many tests the
    text shows (more are inherited).
    """

    test: Instrumented
    text: str
    wanted: frozenset[str]
    assertions: tuple[AssertSite, ...]
    texts: Mapping[int, str]
    turned: frozenset[int]
    asserting: frozenset[str]
    methods: int

    @property
    def sites(self) -> tuple[AssertSite, ...]:
        """All its assertions, statements and calls."""
        return (*self.test.sites, *self.assertions)


def read_suite(source: str, problem: Mapping[str, Any]) -> Suite:
    """Makes a suite ready. `problem` is the plain form of `records.Problem`.

    Raises:
        NotSimple: If it can't be judged through a proxy.
        SyntaxError: If it is not Python.
    """
    tree = ast.parse(source)
    tree.body = [statement for statement in tree.body if not _starts_tests(statement, imported(tree))]
    others = _others(problem)
    known = {problem["entry_point"], *(n.name for n in others[0].body if isinstance(n, _DEFINITIONS))}
    solution = _solution_modules(tree, known)
    require_simple(tree, others, problem["entry_point"], solution)
    joined = _Joined(solution)
    tree = ast.fix_missing_locations(joined.visit(tree))
    text = ast.unparse(tree)
    return _describe(text, frozenset(joined.wanted))


def assertion_calls(source: str) -> tuple[AssertSite, ...]:
    """The calls of unittest's assertion methods, `self.assertEqual(...)`, that code holds.

    >>> [(site.text, site.vacuous) for site in assertion_calls("self.assertTrue(f(1))")]
    [('self.assertTrue(f(1))', False)]

    Raises:
        SyntaxError: If it is not Python.
    """
    return tuple(AssertSite(call, _is_vacuous(call)) for call in _assertion_calls(ast.parse(source)))


def _describe(text: str, wanted: frozenset[str]) -> Suite:
    tree = ast.parse(text)
    calls = list(_assertion_calls(tree))
    texts: dict[int, str] = {}
    for call in calls:
        texts.setdefault(call.lineno, ast.unparse(call))
    return Suite(
        test=instrument(text, "<unittest>"),
        text=text,
        wanted=wanted,
        assertions=assertion_calls(text),
        texts=texts,
        turned=frozenset(call.lineno for call in calls if _is_turned(call)),
        asserting=frozenset(_asserting(tree)),
        methods=sum(1 for _ in _test_methods(tree)),
    )


def _others(problem: Mapping[str, Any]) -> list[ast.Module]:
    """The problem's own code beside its tests; the reference is the first."""
    nothing = ast.Module([], [])
    prompt = parse_open(problem["prompt"]) if problem["prompt_is_code"] else None
    return [
        parse_open(problem["reference"] or "") or nothing,
        prompt or nothing,
        parse_open(problem["setup"]) or nothing,
    ]


def _starts_tests(statement: ast.stmt, origins: Mapping[str, str]) -> bool:
    """Whether a statement at the top is there to run the suite: `unittest.main()`, or a block for `__main__`."""
    if isinstance(statement, ast.If):
        return "__name__" in _names(statement.test) and "__main__" in ast.unparse(statement.test)
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    called = ast.unparse(statement.value.func)
    first, _, rest = called.partition(".")
    return ".".join(filter(None, (origins.get(first, first), rest))) == "unittest.main"


def _solution_modules(tree: ast.Module, known: set[str | None]) -> frozenset[str]:
    """Modules that stand for the candidate's: they are nowhere to be found, and what is on trial is taken from them."""
    modules: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names = {alias.name for alias in node.names}
            if (node.level or _is_nowhere(module_of(node))) and (names & known or "*" in names):
                modules.add(module_of(node))
        elif isinstance(node, ast.Import):
            modules |= {a.name for a in node.names if _is_nowhere(a.name) and _reads(tree, a.asname or a.name) & known}
    return frozenset(modules)


def _is_nowhere(module: str) -> bool:
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names or top in sys.modules:
        return False
    try:
        return importlib.util.find_spec(top) is None
    except (ImportError, ValueError):
        return True


def _reads(tree: ast.AST, name: str) -> set[str | None]:
    """The attributes that are read of a name."""
    nodes = (n for n in ast.walk(tree) if isinstance(n, ast.Attribute))
    return {n.attr for n in nodes if isinstance(n.value, ast.Name) and n.value.id == name}


class _Joined(ast.NodeTransformer):
    """Turns imports of the candidate's module into assignments of its names; `wanted` are those names."""

    def __init__(self, solution: frozenset[str]) -> None:
        self._solution = solution
        self._aliases: set[str] = set()
        self.wanted: set[str] = set()

    def visit_Module(self, node: ast.Module) -> ast.Module:
        self.generic_visit(node)
        for alias in self._aliases:
            self.wanted |= {name for name in _reads(node, alias) if name is not None}
        return node

    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        ours = [alias for alias in node.names if alias.name in self._solution]
        rest = [alias for alias in node.names if alias not in ours]
        self._aliases |= {alias.asname or alias.name for alias in ours}
        bound = [_bind(alias.asname or alias.name, ast.Name(SOLUTION, ast.Load())) for alias in ours]
        return [*([ast.Import(rest)] if rest else []), *bound]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt | list[ast.stmt]:
        if module_of(node) not in self._solution:
            return node
        names = [alias for alias in node.names if alias.name != "*"]
        self.wanted |= {alias.name for alias in names}
        bound = [
            _bind(a.asname or a.name, ast.Attribute(ast.Name(SOLUTION, ast.Load()), a.name, ast.Load())) for a in names
        ]
        return [*bound] if bound else ast.Pass()


def _bind(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _assertion_calls(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr.startswith("assert"):
            yield node


def _test_methods(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from (n.name for n in node.body if isinstance(n, ast.FunctionDef) and n.name.startswith("test"))


def _asserting(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            inside = any(isinstance(n, ast.Assert) for n in ast.walk(node)) or any(_assertion_calls(node))
            if inside:
                yield node.name


def _is_turned(call: ast.Call) -> bool:
    """Whether the first of two values is written out, or is called expected, and the second is neither."""
    return len(call.args) > 1 and _is_given(call.args[0]) and not _is_given(call.args[1])


def _is_given(node: ast.expr) -> bool:
    return _is_written_out(node) or (isinstance(node, ast.Name) and node.id.startswith("expect"))


def _is_written_out(node: ast.expr) -> bool:
    """Whether a value depends on nothing but what stands there."""
    return not any(isinstance(n, (ast.Name, ast.Call, ast.Attribute, ast.Await)) for n in ast.walk(node))


def _is_vacuous(call: ast.Call) -> bool:
    """Whether an assertion looks at nothing but what is written out, so that it can't fail whatever the candidate does."""
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr.startswith("assertRaises") or not call.args:
        return False
    return all(map(_is_written_out, call.args))


def _names(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
