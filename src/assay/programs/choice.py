"""Which of an answer's blocks is the solution, and which others it needs.

What holds: nothing is repaired. A block is taken whole or not at all; HTML entities are decoded only where the block is no Python before
and is Python after.
"""

from __future__ import annotations

import html
import io
import re
import tokenize
from typing import TYPE_CHECKING, NamedTuple

from assay.programs.fences import is_python_tag
from assay.programs.grammar import defines, does_something, mentions_definition, needed_names, provided_names
from assay.programs.preamble import is_indented
from assay.programs.sessions import code_of_session

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.programs.fences import Block
    from assay.programs.grammar import Grammar

ENTITIES, JOINED = "entities", "joined"

_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|nbsp|#\d+|#x[0-9a-fA-F]+);")
_ENTITY_NAMES = frozenset({"lt", "gt", "amp", "quot", "apos", "nbsp"})
_JOINED_BLOCKS = 20
_ROUND_IT = "\ufeff\u200b\u200c\u200d\u2060"
_BLANK_LINES = re.compile(r"(?:[ \t\f]*\n)+")


class Candidate(NamedTuple):
    """A block as code: how it was found, and what was done to it."""

    code: str
    way: str
    steps: tuple[str, ...] = ()


class Asked(NamedTuple):
    """What is looked for: the entry point, and the prompt where it begins the program (else empty)."""

    entry_point: str | None
    prompt: str


def trim(code: str) -> str:
    """The code without what is invisible round it and blank lines at its edges, ending with one line end."""
    # The first line's indentation stays: it may be the body of the prompt's function.
    code = code.strip(_ROUND_IT)
    blank = _BLANK_LINES.match(code)
    return code[blank.end() if blank else 0 :].rstrip() + "\n"


def candidates_of(blocks: Sequence[Block], grammar: Grammar) -> list[Candidate]:
    """The blocks that hold Python, as code; empty ones and other languages are left out."""
    found = []
    for block in blocks:
        if block.is_session:
            found.append(Candidate(trim(code_of_session(block.code, grammar)), "session"))
        elif is_python_tag(block.tag):
            found.append(_decoded(Candidate(trim(block.code), "fence" if block.closed else "open fence"), grammar))
    return [candidate for candidate in found if candidate.code.strip()]


def _decoded(candidate: Candidate, grammar: Grammar) -> Candidate:
    """The block with HTML entities decoded, if it is no Python with them, or only since `a &lt; b` reads as `(a & lt); b`."""
    if not _ENTITY.search(candidate.code) or (
        grammar.tree(candidate.code) is not None and not _has_entity_for_operator(candidate.code)
    ):
        return candidate
    decoded = html.unescape(candidate.code)
    if grammar.tree(decoded) is None:
        return candidate
    return candidate._replace(code=decoded, steps=(*candidate.steps, ENTITIES))


def _has_entity_for_operator(code: str) -> bool:
    """Whether code that parses has `&lt;` and its like outside of strings and comments, in one piece as nobody writes `& lt;`."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, SyntaxError):  # it is stricter than the parser in odd corners
        return False
    return any(
        (first.string, last.string) == ("&", ";")
        and name.string in _ENTITY_NAMES
        and (first.end, name.end) == (name.start, last.start)
        for first, name, last in zip(tokens, tokens[1:], tokens[2:], strict=False)
    )


def best_of(candidates: Sequence[Candidate], asked: Asked, grammar: Grammar) -> Candidate | None:
    """The last block that is Python and provides the entry point, with those before it that it needs; None where none does."""
    if len(candidates) == 1 and mentions_definition(candidates[0].code, asked.entry_point):
        return candidates[0]  # whatever the grammar says of it
    for number in reversed(range(len(candidates))):
        if _solves(candidates[number].code, asked, grammar):
            return _with_needed(candidates, number, asked, grammar)
    return None


def _solves(code: str, asked: Asked, grammar: Grammar) -> bool:
    if asked.prompt and is_indented(code):
        return grammar.tree(asked.prompt + code) is not None
    tree = grammar.tree(code)
    return tree is not None and defines(tree, asked.entry_point)


def next_best_of(candidates: Sequence[Candidate], asked: Asked) -> Candidate | None:
    """The last block that begins to define the entry point and is no Python (a cut answer, say); None where none does."""
    found = (each for each in reversed(candidates) if mentions_definition(each.code, asked.entry_point))
    return next(found, None)


def last_of(candidates: Sequence[Candidate], grammar: Grammar) -> Candidate | None:
    """The last block that is Python and does something, else the last; None where there is no block."""
    trees = ((each, grammar.tree(each.code)) for each in reversed(candidates))
    acting = next((each for each, tree in trees if tree is not None and does_something(tree)), None)
    return acting or (candidates[-1] if candidates else None)


def _with_needed(candidates: Sequence[Candidate], number: int, asked: Asked, grammar: Grammar) -> Candidate:
    """The block, with those before it in the answer's order that provide names which it uses and nobody else provides."""
    chosen = candidates[number]
    tree = grammar.tree(chosen.code)
    if len(candidates) == 1 or tree is None:
        return chosen
    prompt = grammar.tree(asked.prompt) if asked.prompt else None
    provided = provided_names(tree) | (provided_names(prompt) if prompt is not None else set())
    taken = {number}
    wanted = needed_names(tree) - provided
    while wanted and len(taken) < _JOINED_BLOCKS:
        place = next(_providers(candidates, number, taken, wanted, grammar), None)
        if place is None:
            break
        added = grammar.tree(candidates[place].code)
        assert added is not None
        taken.add(place)
        provided |= provided_names(added)
        wanted = (wanted | needed_names(added)) - provided
    if len(taken) == 1:
        return chosen
    others = [candidates[place] for place in sorted(taken - {number})]
    steps = dict.fromkeys(step for each in (*others, chosen) for step in each.steps)
    return Candidate("\n".join(each.code for each in (*others, chosen)), chosen.way, (*steps, JOINED))


def _providers(
    candidates: Sequence[Candidate], number: int, taken: set[int], wanted: set[str], grammar: Grammar
) -> Iterator[int]:
    """Places of blocks that provide a wanted name: the nearest before the chosen one first, then those behind it."""
    order = (*range(number - 1, -1, -1), *range(number + 1, len(candidates)))
    for place in order:
        tree = grammar.tree(candidates[place].code) if place not in taken else None
        if tree is not None and provided_names(tree) & wanted:
            yield place
