"""Foreign Python source as a syntax tree, without running it, warning about it or breaking on it."""

from __future__ import annotations

import ast
import warnings

UNPARSABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What `ast` raises for bad source: wrong grammar, NUL bytes or lone surrogates, deep nesting (two kinds)."""


def parse_python(source: str) -> ast.Module | None:
    """The syntax tree of `source`, None where it is not Python.

    >>> parse_python("def f(:") is None
    True
    """
    # Foreign code's odd escapes ("\d") are its own affair: no warning on a user's screen, no error under `-W error`.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except UNPARSABLE:
            return None
