"""Sessions of Python's interpreter as code: what was typed that defines something, without prompts and without what was printed."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.programs.grammar import Grammar

LINES = 20_000
"""Lines of a session that are read."""


def code_of_session(session: str, grammar: Grammar) -> str:
    r"""The statements of a session; expressions, which only show a value, and printed lines are left out.

    >>> from assay.programs.grammar import Grammar
    >>> code_of_session(">>> def f(n):\n...     return n\n...\n>>> f(3)\n3\n", Grammar())
    'def f(n):\n    return n\n'
    """
    entries: list[list[str]] = []
    for line in session.split("\n", LINES)[:LINES]:
        bare = line.lstrip()
        if bare.startswith(">>>"):
            entries.append([_typed(bare)])
        elif bare.startswith("...") and entries:
            entries[-1].append(_typed(bare))
    typed = ["\n".join(lines).rstrip() + "\n" for lines in entries]
    return "".join(entry for entry in typed if entry.strip() and not _only_shows(entry, grammar))


def _typed(line: str) -> str:
    return line[4:] if line[3:4] == " " else line[3:]


def _only_shows(entry: str, grammar: Grammar) -> bool:
    tree = grammar.tree(entry)
    return tree is not None and all(isinstance(node, ast.Expr) for node in tree.body)
