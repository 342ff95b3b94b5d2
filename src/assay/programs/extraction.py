r"""From a model's text to code: one pipeline, a pure function of the text, the prompt before it, the mode, and the name that is looked for.

The steps, in their order; `how` names the way by which the code was found, and after it every step that changed or left away something:

    reasoning, channel, tokens    what is no part of the answer (`speech`)
    prefill, wrapper, json        where the answer stands
    fence, session, lines ...     the way: a block, a run of lines, a span (`fences`, `runs`, `spans`), and which of several (`choice`)
    prompt imports, body, cut     how it is put together with a prompt that is code (`preamble`, `completion`)

What holds: nothing is renamed, repaired or taken out of a block. The time is linear in the length of the text (`grammar`).
"""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING, NamedTuple, assert_never

from assay.programs.choice import Asked, Candidate, best_of, candidates_of, last_of, next_best_of, trim
from assay.programs.completion import complete
from assay.programs.fences import blocks_of, open_block, without_bare_runs
from assay.programs.grammar import PARSED_CHARACTERS, Grammar, defines, does_something, mentions_definition
from assay.programs.preamble import after_future_imports, begins_code, is_indented, preamble
from assay.programs.runs import longest_run
from assay.programs.sessions import code_of_session
from assay.programs.spans import field_code, inline_code
from assay.programs.speech import WRAPPER, answer_in, without_wrapper
from assay.records import Mode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.programs.fences import Block

BOM = "\ufeff"
"""U+FEFF, which Python drops at the beginning of a file, and only there; of a text it refuses it even there."""

NONE = "none"
"""The way of an answer in which no rule finds code."""

_CODE_LINE = re.compile(
    r"^[ \t]*+(?:(?:async[ \t]+)?def[ \t]+\w|class[ \t]+\w+[ \t]*[(:]|from[ \t]+[\w.]+[ \t]+import\b|import[ \t]+\w|return\b|@\w"
    r"|[\w.]++[ \t]*(?:[-+*/]?=(?!=)|:[ \t]*\w+[ \t]*=(?!=))|[\w.]++\([^\n]*\)[ \t]*$)",
    re.MULTILINE,
)
"""A line that defines, imports, assigns, returns or calls something: however broken the rest may be, the text is meant as code."""


class Extraction(NamedTuple):
    """The code found in an answer, and how; where there is none, `code` is None and `reason` says why."""

    code: str | None
    how: str
    reason: str = ""


def extract(
    text: str, prompt: str = "", mode: Mode = Mode.CHAT, entry_point: str | None = None, *, prefill: str = ""
) -> Extraction:
    r"""The program in a model's text.

    Args:
        text: What the model wrote.
        prompt: What stood before it: the beginning of the program, or a prompt that opened a fence for the answer. Words do no harm.
            Left out for a solution or chat answer whose prompt is no code to build on.
        mode: What the text is.
        entry_point: The name that the program has to provide (`Solution.f`: a method); None for a whole program.
        prefill: How a chat answer was begun for the model, where the prompt does not end with it.

    >>> extract("Sure:\n```python\ndef f(n):\n    return n\n```\nIt returns n.")
    Extraction(code='def f(n):\n    return n\n', how='fence', reason='')
    >>> extract("I don't know.")
    Extraction(code=None, how='none', reason='the answer holds words and no code')
    """
    if not text.removeprefix(BOM).strip():
        return Extraction(None, NONE, "the answer holds only blanks" if text else "the answer is empty")
    match mode:
        case Mode.COMPLETION:
            completed = complete(prompt, text, entry_point, Grammar())
            return Extraction(completed.source, "completion + cut" if completed.cut else "completion")
        case Mode.SOLUTION:
            return _solved(Candidate(text.removeprefix(BOM), "solution"), Asked(entry_point, prompt))
        case Mode.CHAT:
            return _from_chat(text, Asked(entry_point, prompt), prefill or prompt)
        case _:
            assert_never(mode)


def _solved(found: Candidate, asked: Asked) -> Extraction:
    """A solution with what a prompt that is code gives it."""
    code, steps = found.code, found.steps
    if asked.prompt and asked.entry_point is not None:
        if is_indented(code):
            code, steps = asked.prompt + code, (*steps, "body")
        elif needed := preamble(asked.prompt, asked.entry_point).without(code):
            head, tail = after_future_imports(code)
            code, steps = f"{head}{needed}\n\n{tail}", (*steps, "prompt imports")
    return Extraction(code, _how(found.way, steps))


def _how(way: str, steps: Sequence[str]) -> str:
    return " + ".join((way, *dict.fromkeys(steps)))


def _from_chat(text: str, asked: Asked, before: str) -> Extraction:
    speech = answer_in(text.replace("\r\n", "\n"))
    if speech.answer is None:
        return Extraction(None, _how(NONE, speech.steps), speech.reason)
    opened = "" if begins_code(before) else open_block(before)
    if opened and before == asked.prompt:
        asked = asked._replace(prompt="")  # a prompt that opens a block for the answer is no beginning of a program
    answer, steps = _prefilled(speech.answer, opened), speech.steps
    if answer != speech.answer:
        steps += ("prefill",)
    grammar = Grammar()
    for place, step in _places(answer):
        found = _Answer(place, asked, grammar).code()
        if found is not None:
            return _solved(found._replace(steps=(*steps, *step, *found.steps)), asked)
    return Extraction(None, _how(NONE, steps), _reason(answer, grammar))


def _prefilled(answer: str, opened: str) -> str:
    """The answer with the block that its prompt opened, unless the model opened it again."""
    return answer if not opened or answer.lstrip().startswith(("```", "~~~")) else f"{opened}{answer}"


def _places(answer: str) -> list[tuple[str, tuple[str, ...]]]:
    """The texts in which the code may stand, the narrowest first, each with the steps that lead to it."""
    inner = without_wrapper(answer)
    field = field_code(inner)
    places: list[tuple[str, tuple[str, ...]]] = [(answer, ())]
    if inner != answer:
        places.insert(0, (inner, (WRAPPER,)))
    if field is not None:
        places.insert(0, (field, (*places[0][1], "json")))
    return places


class _Answer:
    """One text in which code is looked for, by each of the ways in turn."""

    def __init__(self, text: str, asked: Asked, grammar: Grammar) -> None:
        self._text = without_bare_runs(text)
        self._asked = asked
        self._grammar = grammar
        self._blocks = blocks_of(self._text, grammar)
        self._candidates = candidates_of(self._blocks, grammar)
        self._outside = _outside(self._text, self._blocks)

    def code(self) -> Candidate | None:
        """The code by the first way that leads to the entry point, else by the first that leads to any; None where none does."""
        asked, grammar = self._asked, self._grammar
        return (
            best_of(self._candidates, asked, grammar)
            or self._run(asked.entry_point)
            or self._session()
            or self._inline()
            or next_best_of(self._candidates, asked)
            or last_of(self._candidates, grammar)
            or (None if self._blocks else self._body() or self._broken() or self._run(None) or self._meant_as_code())
        )

    def _run(self, entry_point: str | None) -> Candidate | None:
        run = longest_run(self._outside, entry_point, self._grammar)
        if run is None:
            return None
        code, whole = trim(run), trim(self._text)
        if code == whole:
            return Candidate(whole, "whole")
        if entry_point is None and _CODE_LINE.search(self._outside.replace(code, "", 1)):
            return None  # a part of a program is no program: whatever breaks it is for Python to tell
        return Candidate(code, "lines")

    def _session(self) -> Candidate | None:
        """What was typed in a session that stands in no block."""
        if ">>>" not in self._outside:
            return None
        code = trim(code_of_session(self._outside, self._grammar))
        tree = self._grammar.tree(code)
        return Candidate(code, "session") if tree is not None and defines(tree, self._asked.entry_point) else None

    def _inline(self) -> Candidate | None:
        span = inline_code(self._text, self._asked.entry_point, self._grammar)
        return None if span is None else Candidate(trim(span), "inline")

    def _body(self) -> Candidate | None:
        """The body of the function that the prompt begins, up to the words after it."""
        prompt = self._asked.prompt
        if not prompt or not is_indented(self._text):
            return None
        completed = complete(prompt, self._text, self._asked.entry_point, self._grammar)
        return Candidate(trim(completed.source[len(prompt) :]), "whole", ("cut",) if completed.cut else ())

    def _broken(self) -> Candidate | None:
        is_meant = mentions_definition(self._text, self._asked.entry_point)
        return Candidate(trim(self._text), "whole") if is_meant else None

    def _meant_as_code(self) -> Candidate | None:
        code = trim(self._text)
        return Candidate(code, "whole") if code.strip() and _is_code(code, self._grammar) else None


def _outside(text: str, blocks: Sequence[Block]) -> str:
    """The text without its blocks, with a fence where each of them stood: no code goes on across it."""
    starts = [0, *(block.end for block in blocks)]
    ends = [*(block.start for block in blocks), len(text)]
    return "\n```\n".join(text[start:end] for start, end in zip(starts, ends, strict=True))


def _is_code(text: str, grammar: Grammar) -> bool:
    if _CODE_LINE.search(text):
        return True
    if len(text) > PARSED_CHARACTERS:
        return False
    tree = grammar.tree(textwrap.dedent(text))  # an indented text may be the body of the prompt's function
    return tree is not None and (not tree.body or does_something(tree))


def _reason(answer: str, grammar: Grammar) -> str:
    if not trim(answer).strip():
        return "the answer holds only blanks"
    tags = sorted({block.tag or "none" for block in blocks_of(without_bare_runs(answer), grammar)})
    if tags:
        return f"no block of the answer holds Python (tags: {', '.join(tags)})"
    return "the answer holds words and no code"
