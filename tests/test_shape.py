"""The shape of the code, held by tests: layers, cycles, the trust border, docstrings, `__all__`, cheap starts, sizes.

Each test collects what is wrong as `path:line what` and shows all of it at once. An exception to a size is listed here
with its reason; nothing else is excused.
"""

from __future__ import annotations

import ast
import gc
import importlib
import re
import subprocess
import sys
import types
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import assay

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "assay"

LAYERS = (
    ("__main__",),
    ("cli", "serve"),
    ("api",),
    ("engine", "report"),
    ("judge", "metrics"),
    ("sandbox", "benchmarks", "models", "programs", "store"),
    ("counts", "jsonrows", "limits", "order", "syntax", "visible"),
    ("records", "errors"),
)
RANK = {name: -level for level, names in enumerate(LAYERS) for name in names}

HEAVY = ("numpy", "jinja2", "rich", "cyclopts", "anyio", "asyncio", "msgspec")

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 50
LONG_FUNCTION_LINES = 30
MAX_PARAMETERS = 6
LONG_FILES = {
    "guest/codec.py": "loaded by path on both sides of the trust border, so it must be one file",
    "guest/agent.py": "loaded by path beside untrusted code, where nothing of ours can be imported, so it must be one file",
}
"""Files above the limit, each with the reason why it is better whole."""
LONG_FUNCTIONS: dict[str, str] = {
    "guest/codec.py:_run": "common values are written and read in place: a call a value would cost more than all the rest",
}
"""`path:function` of functions above the hard limit, each with the reason why it is better whole."""

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def tracked() -> tuple[Path, ...]:
    """All files of the project, committed or about to be; without git, all but what .gitignore's folders hold."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listing.returncode == 0:
        names = [name for name in listing.stdout.decode().split("\0") if name]
        return tuple(ROOT / name for name in names if (ROOT / name).is_file())
    hidden = re.compile(r"/(\.(venv|git|[a-z]+_cache|hypothesis)|__pycache__|dist|build|runs)/")
    return tuple(path for path in ROOT.rglob("*") if path.is_file() and not hidden.search(str(path)))


@cache
def sources() -> dict[Path, ast.Module]:
    # No collection meanwhile: one that finds what an earlier test left over warns with a traceback, whose making parses too, and
    # CPython 3.11 fails ("AST constructor recursion depth mismatch") where one parse runs within another.
    gc.disable()
    try:
        return {path: ast.parse(path.read_text("utf-8"), str(path)) for path in sorted(SOURCE.rglob("*.py"))}
    finally:
        gc.enable()


def where(path: Path, node: ast.AST | None = None) -> str:
    line = f":{node.lineno}" if node is not None and hasattr(node, "lineno") else ""
    return f"{path.relative_to(ROOT)}{line}"


def dotted(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path, tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Every module that a file imports, also inside functions; `from package import module` counts as the module."""
    known = {dotted(other) for other in sources()}
    package = dotted(path) if path.name == "__init__.py" else dotted(path).rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.rsplit(".", node.level - 1)[0] if node.level else ""
            module = ".".join(part for part in (base, node.module) if part)
            for alias in node.names:
                full = f"{module}.{alias.name}"
                yield node, full if full in known else module


def layer(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if parts[0] == "assay" and len(parts) > 1 else None


def in_guest(path: Path) -> bool:
    return (SOURCE / "guest") in path.parents


def test_imports_go_downward_only() -> None:
    wrong = []
    for path, tree in sources().items():
        here = layer(dotted(path))
        if here is None or in_guest(path):  # the root's names are lazy; guest has a test of its own
            continue
        for node, module in imports(path, tree):
            there = layer(module)
            if there not in (None, here) and RANK.get(there, 1) >= RANK[here]:
                wrong.append(f"{where(path, node)} {here} imports {there}")
    assert not wrong, "\n".join(wrong)


def test_every_package_has_its_layer() -> None:
    names = {layer(dotted(path)) for path in sources()} - {None, "guest"}
    assert names <= set(RANK), f"give {names - set(RANK)} a place in LAYERS and in docs/architecture.md"


def test_there_is_no_import_cycle() -> None:
    graph = {
        dotted(path): {module for _, module in imports(path, tree) if module.startswith("assay.")}
        for path, tree in sources().items()
        if dotted(path) != "assay"
    }
    while ends := [name for name, below in graph.items() if not below & graph.keys()]:
        for name in ends:
            del graph[name]
    while starts := graph.keys() - {module for below in graph.values() for module in below}:
        for name in starts:
            del graph[name]
    knots = {name: sorted(below & graph.keys()) for name, below in graph.items()}
    assert not knots, f"these modules import each other in a circle (or join two circles): {knots}"


def test_guest_knows_only_the_standard_library_and_nobody_imports_it() -> None:
    wrong = []
    siblings = {path.stem for path in sources() if in_guest(path)}
    for path, tree in sources().items():
        for node, module in imports(path, tree):
            top = module.split(".")[0]
            if in_guest(path) and top not in sys.stdlib_module_names | siblings:
                wrong.append(f"{where(path, node)} guest imports {module}")
            if not in_guest(path) and layer(module) == "guest":
                wrong.append(f"{where(path, node)} imports guest, which is loaded by path only")
    assert not wrong, "\n".join(wrong)


def in_zygote(path: Path) -> bool:
    return (SOURCE / "sandbox" / "inside") in path.parents


def test_what_runs_in_the_zygote_knows_only_the_standard_library_and_its_neighbours() -> None:
    wrong = []
    for path, tree in sources().items():
        for node, module in imports(path, tree):
            ours = module.startswith("assay.sandbox.inside")
            if in_zygote(path) and not ours and module.split(".")[0] not in sys.stdlib_module_names:
                wrong.append(f"{where(path, node)} imports {module}")
    assert not wrong, "\n".join(wrong)


def test_what_runs_under_other_interpreters_is_python_3_9() -> None:
    wrong = []
    for path in sources():
        if in_guest(path) or in_zygote(path):
            try:
                ast.parse(path.read_text("utf-8"), feature_version=(3, 9))
            except SyntaxError as error:
                wrong.append(f"{where(path)}:{error.lineno} {error.msg}")
    assert not wrong, "\n".join(wrong)


def public_nodes(path: Path, tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """The module, its public functions and classes, and the public methods of these."""
    yield tree, path.stem
    for node in tree.body:
        if isinstance(node, FunctionNode | ast.ClassDef) and not node.name.startswith("_"):
            yield node, node.name
            if isinstance(node, ast.ClassDef):
                methods = (item for item in node.body if isinstance(item, FunctionNode))
                yield from ((item, f"{node.name}.{item.name}") for item in methods if not item.name.startswith("_"))


def test_every_public_name_has_a_docstring() -> None:
    wrong = [
        f"{where(path, node)} {name}"
        for path, tree in sources().items()
        for node, name in public_nodes(path, tree)
        if not ast.get_docstring(node)  # type: ignore[arg-type]  # public_nodes yields only nodes that may have one
    ]
    assert not wrong, "\n".join(wrong)


PACKAGES = sorted({dotted(path) for path in SOURCE.glob("*/__init__.py") if not in_guest(path)})


@pytest.mark.parametrize("name", PACKAGES)
def test_all_lists_the_visible_names_of_a_package(name: str) -> None:
    module = importlib.import_module(name)
    future = type(importlib.import_module("__future__").annotations)
    visible = {
        key
        for key, value in vars(module).items()
        if not key.startswith("_") and not isinstance(value, types.ModuleType | future)
    }
    assert sorted(module.__all__) == sorted(visible)
    assert len(module.__all__) == len(set(module.__all__))


def test_all_lists_the_lazy_names_of_assay_and_each_is_there() -> None:
    hints = sources()[SOURCE / "__init__.py"]
    typed = {
        alias.name
        for branch in hints.body
        if isinstance(branch, ast.If)
        for node in branch.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert set(assay.__all__) == typed
    assert [name for name in assay.__all__ if getattr(assay, name).__name__ != name] == []
    assert set(dir(assay)) >= {*assay.__all__, "__version__"}


def loaded_after(code: str) -> set[str]:
    """Top-level names of the modules that a fresh interpreter holds after `code`."""
    probe = f"import sys\ntry:\n    {code}\nexcept SystemExit:\n    pass\nprint('\\n' + ' '.join(sys.modules))"
    run = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in run.stdout.splitlines()[-1].split()}


def test_importing_assay_loads_nothing_heavy() -> None:
    assert loaded_after("import assay").isdisjoint(HEAVY)


@pytest.mark.parametrize("flag", ["--help", "--version"])
def test_help_and_version_load_nothing_heavy(flag: str) -> None:
    assert loaded_after(f"from assay.cli import main; main([{flag!r}])").isdisjoint(HEAVY)


def test_assay_can_be_imported_without_installed_packages() -> None:
    code = f"import sys; sys.path.insert(0, {str(SOURCE.parent)!r}); import assay; print(assay.__all__[0])"
    run = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "AssayError\n"


def functions() -> Iterator[tuple[Path, FunctionNode]]:
    for path, tree in sources().items():
        yield from ((path, node) for node in ast.walk(tree) if isinstance(node, FunctionNode))


def body_lines(node: FunctionNode) -> int:
    """Lines of a function's body without its docstring."""
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    return (node.end_lineno or node.lineno) - body[0].lineno + 1 if body else 0


def test_files_are_short() -> None:
    sizes = {str(path.relative_to(SOURCE)): len(path.read_text("utf-8").splitlines()) for path in sources()}
    assert {name: size for name, size in sizes.items() if size > MAX_FILE_LINES and name not in LONG_FILES} == {}
    assert set(LONG_FILES) <= set(sizes), "LONG_FILES names a file that is gone"


def test_functions_are_short() -> None:
    sizes = {f"{path.relative_to(SOURCE)}:{node.name}": body_lines(node) for path, node in functions()}
    long = {name: lines for name, lines in sizes.items() if lines > MAX_FUNCTION_LINES and name not in LONG_FUNCTIONS}
    assert long == {}, "split them, or list them in LONG_FUNCTIONS with a reason"
    above = [name for name, lines in sizes.items() if lines > LONG_FUNCTION_LINES]
    assert len(above) <= 0.05 * len(sizes), f"over {LONG_FUNCTION_LINES} lines: {above}"
    assert set(LONG_FUNCTIONS) <= set(sizes), "LONG_FUNCTIONS names a function that is gone"


def test_functions_take_few_parameters() -> None:
    wrong = []
    for path, node in functions():
        names = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
        count = len(names) - (names[:1] in (["self"], ["cls"]))
        if count > MAX_PARAMETERS:
            wrong.append(f"{where(path, node)} {node.name} takes {count}")
    assert not wrong, "\n".join(wrong)


TEXT = re.compile(r"\.(py|md|toml|txt|json|jsonl|cfg|ini|yml|yaml|sh)$|/(Makefile|run|Dockerfile|\.gitignore)$")


def text_lines() -> Iterator[tuple[str, str]]:
    """`path:line` and text of every line of the project's own text files."""
    for path in tracked():
        if TEXT.search(str(path)):
            for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
                yield f"{where(path)}:{number}", line


def test_no_file_names_a_registry_or_a_path_of_this_machine() -> None:
    places = {str(ROOT), str(ROOT.parent / "shared"), str(Path.home() / "."), sys.base_prefix} - {
        "/",
        "/usr",
        "/usr/local",
    }
    here = "|".join(re.escape(place) + r"\b" for place in sorted(places) if place.count("/") > 1)
    registry = re.compile(r"pypi\.org|pythonhosted\.org|registry\.npmjs|--(extra-)?index-url|--find-links")
    machine = re.compile(rf"{here or '(?!)'}|/(?:work|workspace|builds)/(?:main|shared)\b")
    wrong = [f"{at} {line.strip()[:80]}" for at, line in text_lines() if registry.search(line) or machine.search(line)]
    wrong = [line for line in wrong if not line.startswith("tests/test_shape.py:")]
    assert not wrong, "\n".join(wrong)


def test_no_work_is_left_in_comments() -> None:
    word = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
    wrong = [f"{at} {line.strip()[:80]}" for at, line in text_lines() if word.search(line)]
    wrong = [line for line in wrong if line.split(":")[0] not in ("tests/test_shape.py", "pyproject.toml")]
    assert not wrong, "\n".join(wrong)


def test_every_silenced_rule_has_its_reason() -> None:
    silent = re.compile(r"#\s*(noqa|type: ignore)")
    reasoned = re.compile(
        r"# noqa: [A-Z]+\d+(, ?[A-Z]+\d+)* \(.{8,}\)|# type: ignore\[[a-z-]+(, ?[a-z-]+)*\]\s+# .{8,}"
    )
    wrong = [
        f"{at} {line.strip()[:100]}"
        for at, line in text_lines()
        if at.partition(":")[0].endswith(".py") and silent.search(line) and not reasoned.search(line)
    ]
    wrong = [line for line in wrong if not line.startswith("tests/test_shape.py:")]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("pattern", "lines"), [("README.md", 120), ("CONTRIBUTING.md", 100), ("docs/decisions/*.md", 60)]
)
def test_pages_are_short(pattern: str, lines: int) -> None:
    pages = sorted(ROOT.glob(pattern))
    assert pages
    sizes = {page.name: len(page.read_text("utf-8").splitlines()) for page in pages}
    assert {name: size for name, size in sizes.items() if size > lines} == {}
