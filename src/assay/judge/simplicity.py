"""Which unittest suites can be judged through a proxy: those that deal with the candidate in values only.

A suite's methods run in the judge's interpreter, the candidate in another one. So a test that replaces what the candidate uses (a mock, an
assignment to a module), captures what it prints, reads its source, or shares files with it would look at the wrong process: it would
fail an honest candidate, or hold for any candidate. Such a suite is *not simple*. Which ones these are is decided by the syntax of the
data set's own code, before any candidate runs, and the first construct that is in the way is named.

The tables say which modules deal in values only; what is in none of them is in the way as soon as it is used. (An import alone is not.)

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ORIGIN = "<solution>"
"""Where a name comes from that a suite imports from the candidate's module."""

_FILES = "the candidate runs elsewhere and sees other files"
_MOCK = "what is replaced here stays as it is for the candidate, which runs elsewhere"
_OUTPUT = "what the candidate prints, warns or logs goes elsewhere"
_SOURCE = "the candidate's code and objects are in another process"
_ASYNC = "only plain calls reach the candidate"
_RUN = "the judge runs the suite itself"
_EXIT = "it ends the program on trial"
_COPY = "it would change a copy, for the values of an object's attributes are copied"
_UNKNOWN = "it is not known to deal in plain values only"

_VALUES = (
    "__future__ abc array ast base64 binascii bisect calendar cmath codecs collections colorsys copy csv dataclasses datetime decimal "
    "difflib enum fractions functools hashlib heapq hmac html ipaddress itertools json keyword math numbers numpy operator pickle pprint "
    "random re reprlib secrets statistics string struct textwrap time types typing typing_extensions unicodedata unittest urllib.parse "
    "uuid zlib zoneinfo contextlib.suppress contextlib.nullcontext contextlib.closing contextlib.contextmanager contextlib.ExitStack "
    "logging.disable logging.NOTSET logging.DEBUG logging.INFO logging.WARNING logging.ERROR logging.CRITICAL os.path.join "
    "os.path.basename os.path.dirname os.path.abspath os.path.split os.path.splitext os.path.normpath os.path.sep os.sep os.linesep "
    "os.fspath pathlib.PurePath pathlib.PurePosixPath sys.byteorder sys.float_info sys.getrecursionlimit sys.int_info sys.maxsize "
    "sys.maxunicode sys.path sys.platform sys.version sys.version_info unittest.mock.ANY warnings.catch_warnings "
    "warnings.filterwarnings warnings.simplefilter xml.etree.ElementTree.Element xml.etree.ElementTree.SubElement "
    "xml.etree.ElementTree.fromstring xml.etree.ElementTree.tostring"
).split()

_RULES: Mapping[str, str | None] = {
    **dict.fromkeys(_VALUES),
    **dict.fromkeys(("builtins.print", ORIGIN)),
    **dict.fromkeys("builtins.open fileinput glob linecache os pathlib shutil sqlite3 tarfile tempfile zipfile".split(), _FILES),
    **dict.fromkeys((f"numpy.{name}" for name in "fromfile genfromtxt load loadtxt memmap save savetxt savez".split()), _FILES),
    **dict.fromkeys(("unittest.mock", "pytest.MonkeyPatch"), _MOCK),
    **dict.fromkeys("builtins.input contextlib.redirect_stderr contextlib.redirect_stdout io logging sys warnings".split(), _OUTPUT),
    **dict.fromkeys("builtins.breakpoint builtins.help builtins.__import__ dis doctest gc importlib inspect weakref".split(), _SOURCE),
    **dict.fromkeys(
        "asyncio concurrent multiprocessing signal subprocess threading types.coroutine unittest.IsolatedAsyncioTestCase".split(), _ASYNC
    ),
    **dict.fromkeys(("sys.exit", "builtins.exit", "builtins.quit"), _RUN),
}  # fmt: skip
"""By dotted name: None where it deals in values only, else why it is in the way. The longest name that fits counts."""

_METHODS = {
    **dict.fromkeys(("assertWarns", "assertWarnsRegex", "assertLogs", "assertNoLogs"), _OUTPUT),
    "enterAsyncContext": _ASYNC,
}
_EXITS = ("SystemExit", "KeyboardInterrupt", "GeneratorExit")
_CHANGES = frozenset(
    "add append appendleft clear discard extend insert pop popitem remove reverse setdefault sort update".split()
)
_TOLD = ("__name__", "__qualname__", "__init__", "__call__", "__iter__", "__len__")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class NotSimple(Exception):
    """The suite can't be judged through a proxy; the text names the construct that is in the way, its line, and why."""


def require_simple(
    suite: ast.Module, others: Iterable[ast.Module], entry_point: str | None, solution: frozenset[str]
) -> None:
    """Looks for what is in the way.

    Args:
        suite: The suite.
        others: The problem's own code beside it: names that the suite takes from there keep their meaning.
        entry_point: The name on trial.
        solution: The names of modules that stand for the candidate's.

    Raises:
        NotSimple: If there is something.
    """
    origins: dict[str, str] = {}
    for tree in (*others, suite):
        origins.update(imported(tree, solution))
    for node in ast.walk(suite):
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*" and module_of(node) not in solution:
            _use(f"{module_of(node)}.*", node)
    _Search(origins, entry_point).visit(suite)


def imported(tree: ast.Module, solution: frozenset[str] = frozenset()) -> dict[str, str]:
    r"""What the names mean that code imports anywhere: the dotted names of modules and their members.

    >>> imported(ast.parse("import os.path, numpy as np\nfrom unittest.mock import patch as p"))
    {'os': 'os', 'np': 'numpy', 'p': 'unittest.mock.patch'}
    """
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.name if alias.asname else alias.name.partition(".")[0]
                found[alias.asname or name] = ORIGIN if name in solution else name
        elif isinstance(node, ast.ImportFrom):
            module = module_of(node)
            origin = ORIGIN if module in solution else module
            found.update({alias.asname or alias.name: f"{origin}.{alias.name}" for alias in node.names})
    return found


def module_of(node: ast.ImportFrom) -> str:
    """The module that names are imported from, with a dot before it for each level up."""
    return "." * node.level + (node.module or "")


def why_not(dotted: str) -> str | None:
    """Why a member of a module is in the way, None where it is not.

    >>> why_not("os.path.join"), why_not("datetime.datetime.now")
    (None, None)
    >>> why_not("os.path.exists")
    'the candidate runs elsewhere and sees other files'
    """
    name = dotted
    while name:
        if name in _RULES:
            return _RULES[name]
        name = name.rpartition(".")[0]
    return None if dotted.startswith("builtins.") else _UNKNOWN


class _Search(ast.NodeVisitor):
    """Walks a suite in the order of its lines; names that a function binds itself mean nothing else within it."""

    def __init__(self, origins: Mapping[str, str], entry_point: str | None) -> None:
        self._origins = origins
        self._entry = entry_point
        self._own: list[frozenset[str]] = []
        self._classes: list[str] = []

    def visit_Module(self, node: ast.Module) -> None:
        if any(isinstance(n, _FUNCTIONS) and getattr(n, "name", "") == "load_tests" for n in node.body):
            raise NotSimple(f"load_tests: {_RUN}")
        self._own.append(_bound(node))
        self._classes = [n.name for n in node.body if isinstance(n, ast.ClassDef)]
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._function(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        _refuse(f"async def {node.name}", node, _ASYNC)

    def visit_Await(self, node: ast.Await) -> None:
        _refuse("await", node, _ASYNC)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load) and (origin := self._origin(node.id)) is not None:
            _use(origin, node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        dotted = self._dotted(node)
        if dotted is not None:
            if not isinstance(node.ctx, ast.Load) and not dotted.startswith("unittest."):
                _refuse(f"assignment to {dotted.removeprefix(f'{ORIGIN}.')}", node, _MOCK)
            _use(dotted, node)
        if node.attr in _METHODS:
            _refuse(node.attr, node, _METHODS[node.attr])
        if _is_dunder(node.attr) and self._is_entry(node.value):
            _refuse(f"{self._entry}.{node.attr}", node, _SOURCE)
        if dotted is None:
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if called.startswith("assertRaises") and node.args and (names := _names(node.args[0]) & {*_EXITS}):
            _refuse(f"{called}({min(names)})", node, _EXIT)
        function = self._dotted(node.func)
        if function in ("builtins.setattr", "builtins.delattr") and node.args and self._dotted(node.args[0]):
            _refuse(f"{ast.unparse(node.func)}({ast.unparse(node.args[0])}, ...)", node, _MOCK)
        if called in _CHANGES and self._is_part(node.func.value):  # type: ignore[attr-defined] # it was called by its name
            _refuse(ast.unparse(node.func), node, _COPY)
        if function == "warnings.catch_warnings" and (node.args or node.keywords):
            _refuse("warnings.catch_warnings(record=...)", node, _OUTPUT)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if not isinstance(node.ctx, ast.Load) and self._is_part(node.value):
            _refuse(f"assignment to {ast.unparse(node)}", node, _COPY)
        self.generic_visit(node)

    def _function(self, node: ast.FunctionDef | ast.Lambda) -> None:
        for decorator in getattr(node, "decorator_list", ()):
            self.visit(decorator)
        self._own.append(_bound(node))
        for part in [node.args, *(node.body if isinstance(node.body, list) else [node.body])]:
            self.visit(part)
        self._own.pop()

    def _origin(self, name: str) -> str | None:
        if any(name in own for own in self._own):
            return None
        return self._origins.get(name, f"builtins.{name}")

    def _dotted(self, node: ast.expr) -> str | None:
        """What a chain of attributes means, where it begins with an imported name or is a builtin."""
        if isinstance(node, ast.Name):
            return self._origin(node.id)
        if not isinstance(node, ast.Attribute):
            return None
        before = self._dotted(node.value)
        return None if before is None or before.startswith("builtins.") else f"{before}.{node.attr}"

    def _is_part(self, node: ast.expr) -> bool:
        """Whether a value is, or is within, an attribute of something else than the test case and the suite's own names."""
        while isinstance(node, ast.Subscript):
            node = node.value
        if not isinstance(node, ast.Attribute) or self._dotted(node) is not None:
            return False
        return not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls", *self._classes))

    def _is_entry(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name) and node.id == self._entry:
            return True
        return self._dotted(node) == f"{ORIGIN}.{self._entry}"


def _use(dotted: str, node: ast.AST) -> None:
    why = why_not(dotted)
    if why is not None:
        name = dotted.removeprefix("builtins.")
        _refuse(name.partition(".")[0] if why == _UNKNOWN else name, node, why)


def _refuse(construct: str, node: ast.AST, why: str) -> None:
    raise NotSimple(f"{construct} in line {getattr(node, 'lineno', 0)}: {why}")


def _bound(scope: ast.AST) -> frozenset[str]:
    """Names that a module or function binds itself, other than by an import."""
    found: set[str] = set()
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
            continue
        if not isinstance(node, ast.Lambda):
            waiting += ast.iter_child_nodes(node)
    return frozenset(found)


def _names(node: ast.expr) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and name not in _TOLD
