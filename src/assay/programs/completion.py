"""Where a completion ends: a base model writes on after the function, and what it writes then is not its answer.

What holds: a completion that nothing is cut from is the prompt and the text, byte for byte. It is cut only before a top-level statement
behind the entry point's definition, and only where something of the text is left.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, NamedTuple

from assay.programs.grammar import bound_names, needed_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.programs.grammar import Grammar

_TOP_LEVEL = re.compile(r"^[^\s#)\]}]", re.MULTILINE)
_LINE = re.compile(r"[^\n]*(?:\n|\Z)")
_TRIES = 4
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Completed(NamedTuple):
    """A program and whether the text was cut for it."""

    source: str
    cut: bool = False


def complete(prompt: str, text: str, entry_point: str | None, grammar: Grammar) -> Completed:
    r"""Prompt and text, up to the first top-level statement behind the entry point that is no import and no definition that it needs.

    >>> from assay.programs.grammar import Grammar
    >>> complete("def f(n):\n", "    return n\n\nprint(f(1))\n", "f", Grammar())
    Completed(source='def f(n):\n    return n\n', cut=True)
    """
    whole = prompt + text
    if entry_point is None or not _TOP_LEVEL.search(text):
        return Completed(whole)
    tree, parsed = _longest_that_parses(whole, len(prompt), grammar)
    if tree is None:
        return Completed(whole)
    end = _end_of_answer(tree, entry_point)
    kept = parsed if end is None else "".join(_LINE.findall(whole)[: end - 1])
    if (end is None and parsed == whole) or not kept[len(prompt) :].strip():
        return Completed(whole)
    return Completed(kept.rstrip() + "\n", cut=True)


def _longest_that_parses(whole: str, least: int, grammar: Grammar) -> tuple[ast.Module | None, str]:
    """The tree of the text, else of as much of it as parses when it is cut at unindented lines, the last first."""
    tree = grammar.tree(whole)
    if tree is not None:
        return tree, whole
    begins = [line.start() for line in _TOP_LEVEL.finditer(whole) if line.start() >= least]
    for at in _tries(begins):
        tree = grammar.tree(whole[:at])
        if tree is not None:
            return tree, whole[:at]
    return None, whole


def _tries(begins: Sequence[int]) -> list[int]:
    """Some of the places where the text may be cut, the last of them, and the first in any case."""
    return [*reversed(begins[1:][-_TRIES:]), *begins[:1]]


def _end_of_answer(tree: ast.Module, entry_point: str) -> int | None:
    """The line of the first statement that is no more part of the answer; None where all is."""
    name = entry_point.partition(".")[0]
    places = [place for place, node in enumerate(tree.body) if name in bound_names(node)]
    if not places:
        return None
    answers = [place for place in places if not _is_empty(tree.body[place])]
    place = answers[0] if answers else places[-1]
    needed = _needed_by(tree.body, place)
    for node in tree.body[place + 1 :]:
        if not (isinstance(node, ast.Import | ast.ImportFrom) or bound_names(node) & needed):
            return _first_line(node)
    return None


def _is_empty(node: ast.stmt) -> bool:
    """Whether a definition has no body but a docstring: the prompt's, where the model wrote the function anew."""
    return isinstance(node, _Definition) and all(
        isinstance(inner, ast.Pass) or (isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Constant))
        for inner in node.body
    )


def _needed_by(body: Sequence[ast.stmt], place: int) -> set[str]:
    """Names that the statement uses, and those that their definitions use, and so on."""
    uses = {name: needed_names(node) for node in body for name in bound_names(node)}
    found: set[str] = set()
    waiting = needed_names(body[place])
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting |= uses.get(name, set()) - found
    return found


def _first_line(node: ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, _Definition) else []
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])
