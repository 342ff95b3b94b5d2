"""Tasks without tests: what can't be run can still be asked, and judged by a judge model.

{"id", "prompt", "reference"?, "tags"?, "split"?}

What holds: such rows are read only where tasks are wanted that need no tests; `load` refuses them, so that nothing without tests is ever
judged by running it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.benchmarks.fields import UnusableRow, identifier, list_of_texts, optional_text, required_text
from assay.benchmarks.rowfiles import read_rows
from assay.benchmarks.shapes import Shape, digest_of_rows
from assay.errors import BadRow, DataError
from assay.records import Benchmark, Problem

if TYPE_CHECKING:
    from collections.abc import Mapping

_COLUMNS = frozenset({"id", "prompt", "reference", "tags", "split"})


def _read(row: Mapping[str, Any]) -> Problem:
    odd = sorted(row.keys() - _COLUMNS)
    if odd:
        raise UnusableRow(f"unknown key {odd[0]!r}")
    return Problem(
        id=identifier(row, "id"),
        prompt=required_text(row, "prompt"),
        tests=(),
        reference=optional_text(row, "reference"),
        language="",
        split=optional_text(row, "split"),
        tags=list_of_texts(row, "tags"),
    )


_SHAPE = Shape("questions", "id", (frozenset({"id", "prompt"}),), _COLUMNS, _read)


def read_questions(path: str) -> Benchmark | None:
    """The tasks of a file, JSONL, the same gzipped, or a JSON array; None where its first row has columns of a benchmark.

    Raises:
        SettingsError: The file can't be read.
        DataError: Rows are unusable; all are listed.
    """
    rows, bad = read_rows(path)
    if rows and not rows[0].row.keys() <= _COLUMNS:
        return None
    problems: dict[str, Problem] = {}
    for line, row in rows:
        try:
            problem = _read(row)
            if problem.id in problems:
                raise UnusableRow(f"the id {problem.id!r} is given twice")
            problems[problem.id] = problem
        except UnusableRow as error:
            bad.append(BadRow(line, str(error)))
    if bad or not rows:
        hint = "each line is an object with id, prompt and, if there is one, reference"
        bad.sort(key=lambda each: each.line)
        what = f"{len(bad)} unusable rows" if bad else "no tasks in it"
        raise DataError(what, path=path, rows=tuple(bad), hint=hint)
    digest = digest_of_rows(_SHAPE, (row for _, row in rows))
    return Benchmark(name=path, version=None, digest=digest, problems=tuple(problems.values()), order=tuple(problems))
