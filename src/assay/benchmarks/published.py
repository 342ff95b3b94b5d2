"""Readers of published rows, columns unchanged: MBPP, MBPP sanitized and HumanEval; and the table of all published forms.

Nothing is repaired here but line ends: MBPP's code has CRLF, which Python's compiler takes for LF anyway.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.benchmarks.entry import entry_of
from assay.benchmarks.evalplus import EVALPLUS, HUMANEVALPLUS, MBPPPLUS
from assay.benchmarks.evalplus_origin import HUMANEVALPLUS_ORIGIN, MBPPPLUS_ORIGIN
from assay.benchmarks.fields import UnusableRow, identifier, list_of_texts, optional_text, required_text
from assay.benchmarks.shapes import Shape
from assay.benchmarks.unittest_columns import BIGCODEBENCH, CLASSEVAL
from assay.records import AssertTests, CheckTests, Problem, Tests

if TYPE_CHECKING:
    from collections.abc import Mapping

_ID = "task_id"


def _mbpp(row: Mapping[str, Any]) -> Problem:
    setup = _lf(optional_text(row, "test_setup_code") or "")
    return _assert_problem(row, required_text(row, "text"), setup)


def _sanitized(row: Mapping[str, Any]) -> Problem:
    return _assert_problem(row, required_text(row, "prompt"), "\n".join(list_of_texts(row, "test_imports")))


def _assert_problem(row: Mapping[str, Any], prompt: str, setup: str) -> Problem:
    reference = _lf(required_text(row, "code"))
    cases = list_of_texts(row, "test_list")
    if not cases:
        raise UnusableRow("'test_list' is empty")
    challenge = list_of_texts(row, "challenge_test_list")
    tests: tuple[Tests, ...] = (AssertTests(cases=cases),)
    if challenge:
        tests += (AssertTests(cases=challenge, group="challenge"),)
    return Problem(
        id=identifier(row, _ID),
        prompt=prompt,
        tests=tests,
        entry_point=entry_of(cases[0], reference),
        reference=reference,
        setup=setup,
    )


def _humaneval(row: Mapping[str, Any]) -> Problem:
    prompt = required_text(row, "prompt")
    solution = optional_text(row, "canonical_solution")
    return Problem(
        id=identifier(row, _ID),
        prompt=prompt,
        tests=(CheckTests(source=required_text(row, "test")),),
        entry_point=required_text(row, "entry_point"),
        reference=None if solution is None else prompt + solution,
        prompt_is_code=True,
    )


def _lf(code: str) -> str:
    # Python's tokenizer reads all three as one line end; four of MBPP's rows end with a lone CR.
    return code.replace("\r\n", "\n").replace("\r", "\n")


def _shape(name: str, marks: str, others: str, read: Any) -> Shape:
    needed = frozenset(marks.split())
    return Shape(name, _ID, (needed,), needed | {*others.split()}, read)


MBPP = _shape("mbpp", "task_id text code test_list", "test_setup_code challenge_test_list", _mbpp)
"""All 974 problems of MBPP: asserts, with challenge tests apart."""

SANITIZED = _shape("mbpp:sanitized", "task_id prompt code test_list", "test_imports", _sanitized)
"""The 427 verified problems of MBPP."""

HUMANEVAL = _shape("humaneval", "task_id prompt entry_point test", "canonical_solution", _humaneval)
"""HumanEval: the prompt is the beginning of the program, the reference continues it."""

PUBLISHED = (
    MBPPPLUS, HUMANEVALPLUS, EVALPLUS, MBPPPLUS_ORIGIN, HUMANEVALPLUS_ORIGIN, MBPP, SANITIZED, HUMANEVAL, BIGCODEBENCH, CLASSEVAL,
)  # fmt: skip
"""In the order in which they are tried: EvalPlus's rows have MBPP's and HumanEval's columns too."""
