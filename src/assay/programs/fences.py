"""Fenced blocks of an answer: where each begins and ends, what its tag says, and its lines as they were meant.

What holds: the lines of a block come out as they stand, but for what the fence's own line shows to be no part of them: its indentation, and
the `> ` of a quotation. Every fence line is looked at once; whether a fence stands within a string of the code is asked at a bounded price.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from assay.programs.grammar import Grammar

if TYPE_CHECKING:
    from collections.abc import Sequence

FENCES = 20_000
"""Fence lines of an answer that are looked at."""

_FENCE = re.compile(r"(`{3,}+|~{3,}+)([^\n]*+)")
_LEAD = re.compile(r"[ \t]*+(?:>[ \t>]*+)?")
_BRACKET = re.compile(r"^[ \t]*+\[(/?)(PYTHON|BEGIN|CODE|TESTS?)\][ \t]*+$", re.MULTILINE)
"""The marks of CodeLlama's and MBPP's prompts; the end of an answer to the latter, `[DONE]`, is an end token."""

_BARE_RUN = re.compile(r"^([ \t]*+)(`{3,}+|~{3,}+)[ \t]*+\n(?:\1\2[ \t]*+\n){2,}+", re.MULTILINE)
_TAG = re.compile(r"[^\w\n]*+([A-Za-z][\w+#-]*+)")
_PYTHON = re.compile(r"(?:python|py)\d*", re.ASCII)
_SESSIONS = frozenset({"pycon", "pyrepl", "python-repl", "python-console", "pythonconsole", "doctest"})
_CODE = re.compile(
    r"(?:async[ \t]+)?(?:def|class|import|from|for|while|if|with|try|print|return)\b[ \t(:]|@\w|\w+[ \t]+=[ \t]"
)
"""How code begins that some models put on the opening line; `title="sq.py"` is an attribute."""

_LOOK_AHEAD = 64
"""Closing fences within one open string that are passed over."""


class Block(NamedTuple):
    """A block: its tag in lower case, its code, whether its end was marked, and where in the text it stands with its fences."""

    tag: str
    code: str
    closed: bool
    start: int
    end: int

    @property
    def is_session(self) -> bool:
        """Whether it shows a session of the interpreter."""
        return self.tag in _SESSIONS or (is_python_tag(self.tag) and self.code.lstrip().startswith(">>>"))


class _Fence(NamedTuple):
    """A fence line: its place in the text, how it is indented or quoted, its mark, and what follows on the line."""

    start: int
    end: int
    lead: str
    mark: str
    info: str

    @property
    def tag(self) -> str:
        info = self.info.strip()
        found = _TAG.match(info)
        word = found[1].lower() if found else ""
        return "" if _CODE.match(info) else word

    @property
    def code(self) -> str:
        """Code that stands on the opening line, after the tag or in its place."""
        info = self.info.strip()
        found = _TAG.match(info)
        rest = info[found.end() :].lstrip() if found and is_python_tag(found[1].lower()) else info
        return rest if _CODE.match(rest) else ""

    def closes(self, opening: _Fence) -> bool:
        return self.fits(opening) and not self.info.strip()

    def opens_anew(self, opening: _Fence) -> bool:
        """Whether it begins a block although another was not closed."""
        return self.fits(opening) and bool(self.tag) and is_python_tag(self.tag)

    def fits(self, opening: _Fence) -> bool:
        return self.mark[0] == opening.mark[0] and len(self.mark) >= len(opening.mark)


def is_python_tag(tag: str) -> bool:
    """Whether a tag in lower case says Python, as none does.

    >>> [tag for tag in ("python", "py", "python3", "", "pycon", "js") if is_python_tag(tag)]
    ['python', 'py', 'python3', '']
    """
    return not tag or _PYTHON.fullmatch(tag) is not None


def blocks_of(text: str, grammar: Grammar) -> list[Block]:
    r"""The blocks of a text, in their order; those between marks in brackets where it has no fences.

    >>> from assay.programs.grammar import Grammar
    >>> [(block.tag, block.code) for block in blocks_of("1. So:\n   ```Python\n   x = 1\n   ```", Grammar())]
    [('python', 'x = 1\n')]
    """
    fences = _fences(text)
    if not fences:
        return _bracketed(text)
    if len(fences) == FENCES:
        text = text[: fences[-1].end]  # no block goes on into what was not looked at
    blocks, at = [], 0
    while at < len(fences):
        place = _end_of(text, fences, at, grammar)
        closing = fences[place] if place < len(fences) else None
        closed = closing is not None and closing.closes(fences[at])
        end = len(text) if closing is None else closing.end if closed else closing.start
        inside = text[fences[at].end + 1 : end if not closed or closing is None else closing.start]
        blocks.append(Block(fences[at].tag, _code(fences[at], inside), closed, fences[at].start, end))
        at = place + 1 if closed else place
    return blocks


def open_block(prompt: str) -> str:
    r"""The end of a prompt from the fence on that it opened for the answer; empty where it opened none.

    >>> open_block("Answer:\n```python\n"), open_block("Solve:\n```\nf(n)\n```\n")
    ('```python\n', '')
    """
    if "```" not in prompt and "~~~" not in prompt:
        return ""
    blocks = blocks_of(prompt, Grammar())
    opened = prompt[blocks[-1].start :] if blocks and not blocks[-1].closed else ""
    return opened if opened.endswith("\n") or not opened else f"{opened}\n"


def without_bare_runs(text: str) -> str:
    """The text with three or more empty fences in a row cut down to one or two: what they open and close stays the same."""
    return _BARE_RUN.sub(_shortened, text) if "```\n```" in text or "~~~\n~~~" in text else text


def _shortened(run: re.Match[str]) -> str:
    line = f"{run[1]}{run[2]}\n"
    return line if run[0].count("\n") % 2 else line * 2


def _fences(text: str) -> list[_Fence]:
    found = []
    for line in islice(_FENCE.finditer(text), FENCES):
        lead = text[text.rfind("\n", 0, line.start()) + 1 : line.start()]
        if _LEAD.fullmatch(lead) and (line[1][0] == "~" or "`" not in line[2]):  # else a span within a line
            found.append(_Fence(line.start() - len(lead), line.end(), lead, *line.groups()))
    return found


def _end_of(text: str, fences: Sequence[_Fence], at: int, grammar: Grammar) -> int:
    """The place in the list of the fence where the block that is opened `at` ends; behind its end where it runs to that of the text."""
    opening, passed = fences[at], len(fences)
    for place in range(at + 1, len(fences)):
        fence = fences[place]
        if not (fence.closes(opening) or fence.opens_anew(opening)):
            continue
        inside = text[opening.end + 1 : fence.start] if place - at < _LOOK_AHEAD else ""
        if _ends_in_string(opening, inside, grammar):
            passed = place if passed == len(fences) and fence.closes(opening) else passed
            continue
        # Passing over a fence was right only if the longer block is Python: a string may be open because the block was cut.
        return place if passed == len(fences) or grammar.tree(_code(opening, inside)) is not None else passed
    return passed


def _ends_in_string(opening: _Fence, inside: str, grammar: Grammar) -> bool:
    quoted = "'''" in inside or '"""' in inside
    return quoted and is_python_tag(opening.tag) and grammar.ends_in_string(inside)


def _code(opening: _Fence, inside: str) -> str:
    lead = opening.lead
    if ">" in lead:
        inside = re.sub(rf"^[ \t]*+(?:>[ ]?){{1,{lead.count('>')}}}", "", inside, flags=re.MULTILINE)
    elif lead and inside.lstrip("\n").startswith(lead):
        inside = re.sub(rf"^{lead}", "", inside, flags=re.MULTILINE)
    return f"{opening.code}\n{inside}" if opening.code else inside


def _bracketed(text: str) -> list[Block]:
    blocks, opening = [], None
    for mark in islice(_BRACKET.finditer(text), FENCES) if "[" in text else ():
        if opening is not None:
            blocks.append(_between(text, opening, mark.start(), closed=True))
        opening = None if mark[1] else mark
    return blocks if opening is None else [*blocks, _between(text, opening, len(text), closed=False)]


def _between(text: str, opening: re.Match[str], end: int, *, closed: bool) -> Block:
    tag = "tests" if opening[2].startswith("TEST") else "python"
    return Block(tag, text[opening.end() + 1 : end], closed, opening.start(), end)
