"""Code that stands in prose without a fence: runs of whole lines that are Python.

What holds: prose that happens to parse ("Sorry", "Note: this") is no part of a run, since it would fail where it is run. Only the lines
round the entry point's definitions are looked at, cut into pieces at unindented lines, so what is said elsewhere costs nothing.
"""

from __future__ import annotations

import ast
import re
import textwrap
from typing import TYPE_CHECKING

from assay.programs.grammar import defines, is_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.programs.grammar import Grammar

_BEFORE, _AFTER, _WINDOW = 20_000, 100_000, 150_000
"""Characters that are looked at before the first definition of the entry point, behind the last, and in all."""

_WAITING = 100
"""Pieces that are put together at most where a bracket or string is open."""

_DEPTH = 3
"""Blocks within blocks that are looked into."""

_KEYWORDS = (
    "async|def|for|with|class|from|import|if|elif|else|try|except|finally|while|return|assert|raise|global|nonlocal|del|pass|lambda|yield"
    "|await|match|not|print"
)
_PROSE = re.compile(rf"(?!(?:{_KEYWORDS})\b)\w+(?:'\w+)?[ \t]+(?!(?:if|in|is|and|or|not|else|for)\b)\w")
"""Two words side by side, which no line of Python begins with but for its keywords."""

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_GOES_ON = re.compile(r"(?:elif|else|except|finally)\b|[)\]}]")


def longest_run(text: str, entry_point: str | None, grammar: Grammar) -> str | None:
    r"""The longest run of lines that is Python and provides the entry point, the last of several; None where there is none.

    >>> from assay.programs.grammar import Grammar
    >>> longest_run("Answer\n\ndef f(n):\n    return n\n\nI hope it helps!\n", "f", Grammar())
    'def f(n):\n    return n\n'
    """
    best = ""
    for run in _runs(_window(text, entry_point), grammar):
        tree = grammar.tree(run)
        if tree is not None and defines(tree, entry_point) and run.count("\n") >= best.count("\n"):
            best = run
    return best or None


def _window(text: str, entry_point: str | None) -> str:
    """The lines round the definitions of the entry point, nothing where there are none; the end of the text where none is asked for."""
    if entry_point is None:
        return text if len(text) <= _WINDOW else text[-_WINDOW:].partition("\n")[2]
    name = re.escape(entry_point.partition(".")[0])
    begins = re.compile(rf"^[ \t]*+(?:(?:(?:async[ \t]+)?def|class)[ \t]+{name}\b|{name}[ \t]*[:=])", re.MULTILINE)
    found = [match.start() for match in begins.finditer(text)]
    if not found:
        return ""
    start = max(0, found[0] - _BEFORE, found[-1] + _AFTER - _WINDOW)
    return text[text.rfind("\n", 0, start) + 1 if start else 0 : found[-1] + _AFTER]


def _runs(text: str, grammar: Grammar, depth: int = 0) -> Iterator[str]:
    run: list[str] = []
    for piece in _code_pieces(_pieces(text), grammar, depth):
        if piece is not None:
            run.append(piece)
        elif run:
            yield "".join(run).rstrip() + "\n"
            run = []
    if run:
        yield "".join(run).rstrip() + "\n"


def _pieces(text: str) -> list[str]:
    """The text cut at unindented lines; those that go on with what stands before them, or are decorated, stay with it."""
    pieces: list[list[str]] = []
    decorated = False
    for line in _LINE.findall(text):
        begins = line[:1].strip() and not _GOES_ON.match(line) and not decorated
        if begins or not pieces:
            pieces.append([])
        pieces[-1].append(line)
        decorated = line.startswith("@") or (decorated and not line.strip())
    return ["".join(lines) for lines in pieces]


def _code_pieces(pieces: list[str], grammar: Grammar, depth: int) -> Iterator[str | None]:
    """The pieces that are Python, None for what is none; those between open brackets or quotes are put together."""
    at = 0
    while at < len(pieces):
        piece, after = _whole(pieces, at, grammar)
        tree = None if _PROSE.match(piece) else grammar.tree(piece)
        if tree is not None and not any(map(_is_prose, tree.body)):
            yield piece
            at = after
        else:
            yield None
            yield from _indented_code(pieces[at], grammar, depth)
            at += 1


def _whole(pieces: list[str], at: int, grammar: Grammar) -> tuple[str, int]:
    """A piece with those that its open brackets or quotes hold, and where to go on."""
    if _PROSE.match(pieces[at]):
        return pieces[at], at + 1
    for end in range(at + 1, min(at + _WAITING, len(pieces)) + 1):
        joined = "".join(pieces[at:end])
        if not grammar.is_unfinished(joined):
            return joined, end
    return pieces[at], at + 1


def _is_prose(statement: ast.stmt) -> bool:
    constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_words(statement) and not constant


def _indented_code(piece: str, grammar: Grammar, depth: int) -> Iterator[str | None]:
    """Indented lines, after a line of prose or at the beginning, as code of their own: Markdown takes them for a block."""
    lines = piece.partition("\n")[2] if piece[:1].strip() else piece
    if depth < _DEPTH and lines.lstrip("\n")[:1] in (" ", "\t"):
        for run in _runs(textwrap.dedent(lines), grammar, depth + 1):
            yield run
            yield None
