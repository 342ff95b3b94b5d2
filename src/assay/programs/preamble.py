"""What a code prompt gives to a whole solution: its imports and helpers, in the prompt's own words."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import lru_cache

from assay.syntax import parse_python

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
"""A line as Python's tokenizer counts them; `str.splitlines` also breaks at form feeds and U+2028."""

_INDENTED = re.compile(r"(?:[ \t\f]*+(?:#[^\r\n]*+)?(?:\r\n|\r|\n))*+[ \t]++[^\s#]")

_Import = ast.Import | ast.ImportFrom
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Part:
    """One top-level statement of a prompt: its source and the names that it imports or defines (none: kept always)."""

    source: str
    imported: frozenset[str] = frozenset()
    defined: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Preamble:
    """The statements of a prompt that are not its entry point, in order."""

    parts: tuple[Part, ...]

    def without(self, text: str) -> str:
        """Source of the parts whose names the text does not provide itself; empty where nothing is left.

        A name counts as provided only where nothing could have used it before: imports at the very beginning of the
        text, definitions after imports and definitions only. What is kept although the text defines it later does no
        harm.
        """
        imported, defined = self._provided_by(text)
        kept = [part.source for part in self.parts if not _covered(part, imported, defined)]
        return "\n".join(kept)

    def _provided_by(self, text: str) -> tuple[set[str], set[str]]:
        mentions = any(name in text for part in self.parts for name in part.defined)
        if not self.parts or not (mentions or "import" in text):
            return set(), set()  # the common case needs no parse
        tree = parse_python(text)
        return (set(), set()) if tree is None else _leading_names(tree)


@lru_cache(maxsize=1024)
def preamble(prompt: str, entry_point: str) -> Preamble:
    """The imports, helpers and other statements beside the entry point in a code prompt; none if it doesn't parse."""
    head = prompt if prompt.endswith("\n") else prompt + "\n"
    tree = _tree_of_beginning(head)
    if tree is None:
        return Preamble(())
    lines = _LINE.findall(head)
    name = entry_point.partition(".")[0]
    kept = [node for node in tree.body if not _is_left_out(node, name)]
    parts = (_part(node, lines) for node in kept)
    return Preamble(tuple(sorted(parts, key=lambda part: not part.source.startswith("from __future__"))))


def _tree_of_beginning(head: str) -> ast.Module | None:
    return next(filter(None, map(parse_python, (head, head + "    pass\n", head + "\tpass\n"))), None)


@lru_cache(maxsize=1024)
def begins_code(prompt: str) -> bool:
    r"""Whether a program begins with the prompt, as it is or with a body put after it.

    A docstring is prose too, and so is "Sort", though each of them is a Python expression.

    >>> begins_code("def f(n):\n"), begins_code("Write f(n)."), begins_code("Sort")
    (True, False, False)
    """
    tree = _tree_of_beginning(prompt if prompt.endswith("\n") else prompt + "\n")
    return tree is not None and not all(isinstance(node, ast.Expr) for node in tree.body)


def is_indented(text: str) -> bool:
    """Whether the first line of code is indented: such a text can only continue a block that a prompt has opened."""
    return _INDENTED.match(text) is not None


def after_future_imports(text: str) -> tuple[str, str]:
    r"""The text cut after its last `from __future__` import: only a docstring and comments may come before these.

    >>> after_future_imports("from __future__ import annotations\nx = 1\n")
    ('from __future__ import annotations\n', 'x = 1\n')
    """
    tree = parse_python(text) if "__future__" in text else None
    ends = [node.end_lineno or 0 for node in tree.body if _is_future(node)] if tree else []
    if not ends:
        return "", text
    lines = _LINE.findall(text)
    head = "".join(lines[: ends[-1]])
    return (head if head.endswith(("\n", "\r")) else head + "\n"), "".join(lines[ends[-1] :])


def _is_left_out(node: ast.stmt, entry_point: str) -> bool:
    return isinstance(node, ast.Expr) or (isinstance(node, _Definition) and node.name == entry_point)


def _part(node: ast.stmt, lines: list[str]) -> Part:
    decorators = node.decorator_list if isinstance(node, _Definition) else []
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    source = "".join(lines[first - 1 : node.end_lineno]).rstrip("\r\n")
    if isinstance(node, _Import):
        return Part(source, imported=frozenset(_imported_names(node)))
    return Part(source, defined=frozenset({node.name})) if isinstance(node, _Definition) else Part(source)


def _covered(part: Part, imported: set[str], defined: set[str]) -> bool:
    names = part.imported or part.defined
    return bool(names) and part.imported <= imported and part.defined <= defined


def _leading_names(tree: ast.Module) -> tuple[set[str], set[str]]:
    imported: set[str] = set()
    defined: set[str] = set()
    for node in tree.body:
        if isinstance(node, _Import):
            imported.update(() if defined else _imported_names(node))
        elif isinstance(node, _Definition):
            defined.add(node.name)
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            break
    return imported, defined


def _imported_names(node: ast.Import | ast.ImportFrom) -> list[str]:
    # A star import of the text's own is not looked into, so it provides only another star of the same module.
    module = node.module if isinstance(node, ast.ImportFrom) else ""
    names = ((alias.asname or alias.name) for alias in node.names)
    return [f"{module}.*" if name == "*" else name.partition(".")[0] for name in names]


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"
