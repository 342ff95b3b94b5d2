"""From a sample to its program, by the sample's mode; the one place that knows how prompt and answer are put together.

What holds: a `completion` is the prompt and the text, byte for byte, but for a byte order mark that the program begins
with: that goes in every mode, as in a file that Python runs. A `solution` parses whenever prompt + text parses.
Line ends and lone surrogates reach the compiler as the model wrote them. Nothing is executed, and candidates' text is
parsed only where a name has to be looked up.
"""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import TYPE_CHECKING, assert_never

from assay.programs.extraction import extract
from assay.programs.preamble import after_future_imports, preamble
from assay.records import Mode, Program
from assay.syntax import parse_python

if TYPE_CHECKING:
    from assay.records import Problem, Sample

_BOM = "\ufeff"
"""U+FEFF, which Python drops at the beginning of a file, and only there; of a text it refuses it even there."""

_INDENTED = re.compile(r"(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))*[ \t]+[^\s#]")
"""Text whose first line of code is indented: such a text can only continue a block that the prompt has opened."""


def assemble(problem: Problem, sample: Sample) -> Program:
    r"""The program of a sample.

    - `completion`: prompt + text. Where the prompt is prose (MBPP), no program begins with it: the text stands alone.
    - `solution`: the text; where the prompt is code, the prompt's imports and helpers stand before it (after the text's
      `from __future__` imports), without those that the text itself begins with. A text whose first line of code is
      indented continues the prompt. A prompt that does not parse gives nothing.
    - `chat`: code is taken out of the answer (`extract`), then as `solution`; words alone are no code.

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
    if not sample.text.removeprefix(_BOM).strip():
        return _program(problem, sample, "", "the answer holds only blanks" if sample.text else "the answer is empty")
    match sample.mode:
        case Mode.COMPLETION:
            return _program(problem, sample, _completed(problem, sample.text))
        case Mode.SOLUTION:
            return _program(problem, sample, _solved(problem, sample.text))
        case Mode.CHAT:
            return _from_chat(problem, sample)
        case _:
            assert_never(sample.mode)


def _from_chat(problem: Problem, sample: Sample) -> Program:
    found = extract(sample.text, problem.entry_point)
    if found.code is None:
        return _program(problem, sample, "", found.how)
    return _program(problem, sample, _solved(problem, found.code), how=found.how)


def _program(
    problem: Problem, sample: Sample, source: str, no_code: str | None = None, how: str | None = None
) -> Program:
    return Program(
        problem_id=problem.id,
        sample_index=sample.index,
        source=source,
        language=problem.language,
        how_extracted=how or sample.mode.value,
        no_code=no_code,
    )


def _completed(problem: Problem, text: str) -> str:
    prompt = problem.prompt.removeprefix(_BOM)
    return prompt + text if problem.prompt_is_code or _holds_code(prompt) else text.removeprefix(_BOM)


@lru_cache(maxsize=1024)
def _holds_code(prompt: str) -> bool:
    # A docstring is prose too, and so is "Sort", though each of them is a Python expression.
    tree = parse_python(prompt)
    return tree is not None and not all(isinstance(node, ast.Expr) for node in tree.body)


def _solved(problem: Problem, text: str) -> str:
    prompt, text = problem.prompt.removeprefix(_BOM), text.removeprefix(_BOM)
    if not problem.prompt_is_code or problem.entry_point is None:
        return text
    if _INDENTED.match(text):
        return prompt + text
    needed = preamble(prompt, problem.entry_point).without(text)
    if not needed:
        return text
    head, tail = after_future_imports(text)
    return f"{head}{needed}\n\n{tail}"
