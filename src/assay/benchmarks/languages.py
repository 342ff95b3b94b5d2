"""Rows of problems in another language than Python, told before they are read as Python problems.

The sister sets of HumanEval and MBPP in other languages have the very columns of the Python ones, so the columns can't tell. Their tests
can: in a Python set they are Python, in such a set none is. A column `language` alone says too little, since some Python sets name their
library there; where it agrees with the tests it gives the message its word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.errors import DataError
from assay.syntax import parse_python

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.benchmarks.rowfiles import NumberedRow

_MARKS = frozenset(("task_id", "prompt"))
"""Columns of the published forms whose sister sets are in other languages."""

_TESTS = ("test", "tests", "test_list")
_LANGUAGE = ("language", "lang", "programming_language")
_PYTHON = frozenset(("python", "python3", "py"))


def require_python(rows: Sequence[NumberedRow], path: str | None) -> None:
    """Lets rows pass unless they are problems in another language: rows of a published form, not one of whose tests is Python.

    Raises:
        DataError: They are.
    """
    tests = [(numbered, text) for numbered in rows if (text := _test_of(numbered.row)) is not None]
    if not tests or any(parse_python(text) is not None for _, text in tests):
        return
    line, row = tests[0][0]
    language = next((str(row[key]) for key in _LANGUAGE if row.get(key)), None)
    told = f"are {language}" if language and language.lower() not in _PYTHON else "are not Python"
    whose = "its 1 problem" if len(tests) == 1 else f"all {len(tests):,} problems"
    raise DataError(
        f"the tests of {whose} {told} (the first is {row['task_id']!r}), and assay judges Python",
        path=path,
        line=line,
        hint="give the Python problems of this data set",
    )


def _test_of(row: Mapping[str, Any]) -> str | None:
    """The first text of a row's tests, None where it has none or is of another form."""
    if not row.keys() >= _MARKS:
        return None
    for key in _TESTS:
        value = row.get(key)
        first = value[0] if isinstance(value, list) and value else value
        if isinstance(first, str) and first.strip():
            return first
    return None
