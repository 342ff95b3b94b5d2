"""What templates know of a problem: its words, the tests that may be shown, its names; and of a shot its solution as well."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from assay.errors import SettingsError
from assay.records import AssertTests, Record

if TYPE_CHECKING:
    from assay.records import Problem

_DOCSTRING = re.compile(r'\A"""\n(?P<words>.*?)\n(?P<tests>(?:assert [^\n]*\n)*)"""\n\Z', re.DOTALL)
"""EvalPlus's form of an MBPP prompt: a docstring of words and one assert."""


class Asked(Record):
    """The variables of a template.

    Args:
        id: The problem's id.
        prompt: The problem's prompt as the data set has it.
        words: What is asked, in words: the prompt without the docstring quotes and asserts of EvalPlus's form.
        tests: Asserts of the base group that the task shows: its own, else those within its prompt.
        test: The first of these; empty where there is none.
        docstring: The form of EvalPlus and InCoder: a docstring of the words and the first test; a prompt that is code stays as it is.
        entry_point: The name of the function; empty for whole programs.
        setup: Test-side code that the candidate sees too.
        is_code: Whether the prompt is the beginning of the program.
        code: The reference; empty but for shots.
    """

    id: str
    prompt: str
    words: str
    tests: tuple[str, ...]
    test: str
    docstring: str
    entry_point: str
    setup: str
    is_code: bool
    code: str = ""


def asked_of(problem: Problem, *, solved: bool = False) -> Asked:
    r"""The variables of a problem, with its reference where it is shown `solved`.

    Raises:
        SettingsError: It is to be shown solved and has no reference.

    >>> from assay.records import Problem
    >>> asked_of(Problem(id="1", prompt='\"\"\"\nDouble n.\nassert f(1) == 2\n\"\"\"\n', tests=())).words
    'Double n.'
    """
    if solved and problem.reference is None:
        raise SettingsError(f"problem {problem.id!r} has no reference to show", hint="choose another shot")
    inside = None if problem.prompt_is_code else _DOCSTRING.match(problem.prompt)
    words = problem.prompt if inside is None else inside["words"]
    tests = _asserts(problem) or (() if inside is None else tuple(inside["tests"].splitlines()))
    return Asked(
        id=problem.id,
        prompt=problem.prompt,
        words=words,
        tests=tests,
        test=tests[0] if tests else "",
        docstring=problem.prompt if problem.prompt_is_code or inside is not None else _docstring(words, tests),
        entry_point=problem.entry_point or "",
        setup=problem.setup,
        is_code=problem.prompt_is_code,
        code=(problem.reference or "") if solved else "",
    )


def _asserts(problem: Problem) -> tuple[str, ...]:
    return tuple(
        case
        for tests in problem.tests
        if isinstance(tests, AssertTests) and tests.group == "base"
        for case in tests.cases
    )


def _docstring(words: str, tests: tuple[str, ...]) -> str:
    lines = "\n".join((words, *tests[:1]))
    return f'"""\n{lines}\n"""\n'
