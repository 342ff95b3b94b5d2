"""`generations.json` of bigcode-evaluation-harness: a list for each problem, in the order of the data, of whole programs.

There are no ids: the place in the list names the problem. So the count must fit the problems that were chosen, and the
programs must be about them; a list that begins elsewhere (`--limit_start`) would fail every test in silence. An empty
list, or null, is a problem whose turn had not come (`..._intermediate.json`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from assay.counts import count_of
from assay.errors import DataError
from assay.jsonrows import json_kind
from assay.store.foreign.found import Found
from assay.store.sample_rows import BadSample

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.records import Benchmark
    from assay.store.sample_rows import ProblemIds

_FEWEST_TO_COMPARE = 5
"""With fewer problems one odd answer would look like a list that begins elsewhere."""

_ROWS = "or write rows that name their problem: {'task_id': ..., 'solution': ...}"


def read_generations(
    lists: Sequence[list[object] | None], path: str, benchmark: Benchmark, ids: ProblemIds
) -> Iterator[Found]:
    """The programs, each with its place, `[3][0]` for the first one of the fourth problem.

    Raises:
        DataError: The lists can't belong to the problems that were chosen.
    """
    names = _names(len(lists), path, ids)
    _refuse_strangers(dict(zip(names, lists, strict=True)), path, benchmark)
    for number, (name, texts) in enumerate(zip(names, lists, strict=True)):
        for index, text in enumerate(texts or ()):
            yield Found(f"[{number}][{index}]", _row(name, text))


def _row(name: str, text: object) -> dict[str, str] | BadSample:
    if isinstance(text, str):
        return {"task_id": name, "solution": text}
    return BadSample(f"the program of {name} must be a text, not {json_kind(text)}")


def _names(count: int, path: str, ids: ProblemIds) -> tuple[str, ...]:
    """The problem of each list: all of the split, or as many as a limit leaves."""
    if not ids.order and (ids.problems or ids.invalid):
        hint = f"judge without a limit, {_ROWS}"
        raise DataError("it can't be told which list belongs to which problem", path=path, hint=hint)
    judged = frozenset(ids.problems)
    chosen = max((place for place, name in enumerate(ids.order, 1) if name in judged), default=0)
    if count in (len(ids.order), chosen):
        return ids.order[:count]
    few = f"{chosen:,} chosen of " * (chosen < len(ids.order)) + count_of(len(ids.order), "problem")
    hint = f"choose just the problems that it answers, with --split or --limit, {_ROWS}"
    raise DataError(f"{count_of(count, 'list')} of programs for {few}", path=path, hint=hint)


def _refuse_strangers(lists: dict[str, list[object] | None], path: str, benchmark: Benchmark) -> None:
    # bigcode's programs begin with the prompt, which names the function; so do nearly all programs without one.
    checked = [
        (each.entry_point, texts) for each in benchmark.problems if each.entry_point and (texts := lists.get(each.id))
    ]
    fitting = sum(_names_function(texts, entry_point) for entry_point, texts in checked if entry_point)
    if len(checked) >= _FEWEST_TO_COMPARE and 2 * fitting < len(checked):
        message = f"only {fitting} of {len(checked)} lists name the function that their problem asks for"
        hint = f"do they begin with another problem, or answer another split? Choose the right one, {_ROWS}"
        raise DataError(message, path=path, hint=hint)


def _names_function(texts: list[object], entry_point: str) -> bool:
    name = re.compile(rf"\b{re.escape(entry_point.partition('.')[0])}\b")
    return any(isinstance(text, str) and name.search(text) for text in texts)
