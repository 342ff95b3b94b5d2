"""Code out of a chat answer. This is the simple extractor: fenced blocks, or the whole text where it has no fence and is code.

It keeps the rules that decide most answers: fences of three or more back-ticks or tildes, longer ones hold shorter
ones; a block that is never closed runs to the end; CRLF becomes LF; nothing is repaired or renamed. Its time is linear
in the length of the text.
"""

from __future__ import annotations

import ast
import re
import textwrap
from typing import NamedTuple

from assay.syntax import parse_python

_FENCE = re.compile(r"([ \t]*)(`{3,}|~{3,})[ \t]*([^`\n]*)")
_PYTHON = frozenset({"", "python", "py", "python3"})
_CODE_LINE = re.compile(
    r"^[ \t]*(?:(?:async[ \t]+)?def[ \t]+\w|class[ \t]+\w+[ \t]*[(:]|from[ \t]+[\w.]+[ \t]+import\b|import[ \t]+\w|return\b|@\w"
    r"|[\w.]+[ \t]*(?:[-+*/]?=(?!=)|:[ \t]*\w+[ \t]*=(?!=))|[\w.]+\(.*\)[ \t]*$)",
    re.MULTILINE,
)
"""A line that defines, imports, assigns, returns or calls something: however broken the rest may be, the text is meant as code."""
_ACTS = (ast.Call, ast.Lambda, ast.NamedExpr, ast.Await)
"""Expressions that do more than name things: prose that happens to parse ("Sorry", "42", "yes or no") has none."""
_ROUND_IT = "\ufeff\u200b\u200c\u200d\u2060"
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Extraction(NamedTuple):
    """The code found in an answer, and how; where there is none, `code` is None and `how` says why."""

    code: str | None
    how: str


class Block(NamedTuple):
    """A fenced block: its tag in lower case, and its lines without the fence's indentation."""

    tag: str
    code: str


def extract(text: str, entry_point: str | None = None) -> Extraction:
    r"""The code in a chat answer.

    Of several Python blocks (tag `python`, `py`, `python3` or none) the last that parses and defines the entry point is
    taken, else the last that defines it, else the last that parses, else the last. Without a fence the whole text is
    taken for code, unless it neither parses as statements of Python nor has a line that defines something: such an
    answer is words.

    >>> extract("Sure:\n```python\ndef f(n):\n    return n\n```\nIt returns n.")
    Extraction(code='def f(n):\n    return n\n', how='chat: block 1 of 1')
    >>> extract("   ")
    Extraction(code=None, how='the answer holds only blanks')
    >>> extract("I don't know.")
    Extraction(code=None, how='the answer holds words and no code')
    """
    text = text.replace("\r\n", "\n")
    if "```" not in text and "~~~" not in text:
        return _whole(text)
    blocks = _blocks(text)
    if not blocks:
        return _whole(text)
    candidates = [number for number, block in enumerate(blocks) if block.tag in _PYTHON and block.code.strip()]
    if not candidates:
        tags = ", ".join(sorted({block.tag or "none" for block in blocks}))
        return Extraction(None, f"no block of the answer holds Python (tags: {tags})")
    chosen = _choose(blocks, candidates, entry_point)
    return Extraction(_trim(blocks[chosen].code), f"chat: block {chosen + 1} of {len(blocks)}")


def _whole(text: str) -> Extraction:
    code = _trim(text)
    if not code.strip():
        return Extraction(None, "the answer holds only blanks")
    if not _is_code(code):
        return Extraction(None, "the answer holds words and no code")
    return Extraction(code, "chat: whole text")


def _is_code(text: str) -> bool:
    if _CODE_LINE.search(text):
        return True
    tree = parse_python(textwrap.dedent(text))  # an indented text may be the body of the prompt's function
    return tree is not None and (not tree.body or any(map(_does_something, tree.body)))


def _does_something(statement: ast.stmt) -> bool:
    return not isinstance(statement, ast.Expr) or any(isinstance(part, _ACTS) for part in ast.walk(statement))


def _trim(code: str) -> str:
    # Blank lines at the edges go, the first line's indentation stays: it may be the body of the prompt's function.
    code = code.strip(_ROUND_IT)
    return re.sub(r"\A(?:[ \t]*\n)+", "", code).rstrip() + "\n"


def _blocks(text: str) -> list[Block]:
    blocks: list[Block] = []
    opening: re.Match[str] | None = None
    lines: list[str] = []
    for line in text.split("\n"):
        fence = _FENCE.fullmatch(line)
        if opening is None:
            opening, lines = fence, []
        elif fence is not None and _closes(fence, opening):
            blocks.append(_block(opening, lines))
            opening = None
        else:
            lines.append(line)
    return blocks if opening is None else [*blocks, _block(opening, lines)]


def _closes(fence: re.Match[str], opening: re.Match[str]) -> bool:
    mark, opened = fence[2], opening[2]
    return mark[0] == opened[0] and len(mark) >= len(opened) and not fence[3].strip()


def _block(opening: re.Match[str], lines: list[str]) -> Block:
    words = opening[3].split()
    tag = re.sub(r"[^\w+#]", "", words[0]).lower() if words else ""
    indentation = opening[1]
    return Block(tag, "".join(line.removeprefix(indentation) + "\n" for line in lines))


def _choose(blocks: list[Block], candidates: list[int], entry_point: str | None) -> int:
    if len(candidates) == 1:
        return candidates[0]
    return max(candidates, key=lambda number: (*_merit(blocks[number].code, entry_point), number))


def _merit(code: str, entry_point: str | None) -> tuple[bool, bool]:
    tree = parse_python(code)
    if entry_point is None:
        return False, tree is not None
    name = entry_point.partition(".")[0]
    if tree is None:
        return re.search(
            rf"^(?:async[ \t]+def|def|class)[ \t]+{re.escape(name)}\b", code, re.MULTILINE
        ) is not None, False
    return any(isinstance(node, _Definition) and node.name == name for node in tree.body), True
