"""Readers of published rows whose tests are unittest suites, columns unchanged: BigCodeBench and ClassEval.

Many of these suites mock what the candidate uses, read files with it, or look at figures: such problems are read like the others, and the
judge names them as invalid with the construct that is in the way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.benchmarks.fields import identifier, list_of_texts, optional_text, required_text
from assay.benchmarks.shapes import Shape
from assay.records import Problem, UnittestTests

if TYPE_CHECKING:
    from collections.abc import Mapping


def _bigcodebench(row: Mapping[str, Any]) -> Problem:
    prompt = required_text(row, "complete_prompt")
    solution = optional_text(row, "canonical_solution")
    return Problem(
        id=identifier(row, "task_id"),
        prompt=prompt,
        tests=(UnittestTests(source=required_text(row, "test")),),
        entry_point=required_text(row, "entry_point"),
        reference=None if solution is None else prompt + solution,
        prompt_is_code=True,
    )


def _classeval(row: Mapping[str, Any]) -> Problem:
    """ClassEval puts the imports before whatever is on trial, so both sides see them."""
    return Problem(
        id=identifier(row, "task_id"),
        prompt=required_text(row, "skeleton"),
        tests=(UnittestTests(source=required_text(row, "test")),),
        entry_point=required_text(row, "class_name"),
        reference=optional_text(row, "solution_code"),
        setup="\n".join(list_of_texts(row, "import_statement")),
    )


def _shape(name: str, needed: str, others: str, read: Any) -> Shape:
    marks = frozenset(needed.split())
    return Shape(name, "task_id", (marks,), marks | {*others.split()}, read)


BIGCODEBENCH = _shape("bigcodebench", "task_id complete_prompt entry_point test", "canonical_solution", _bigcodebench)
"""BigCodeBench and its hard part: functions to complete from a docstring, which use libraries."""

CLASSEVAL = _shape("classeval", "task_id skeleton class_name test", "solution_code import_statement", _classeval)
"""ClassEval: classes to write from a skeleton of their methods."""
