"""What a form of problem rows is: a row's columns say which form it has, and for some forms what stands in one of them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from assay.records import InvalidProblem, Problem


@dataclass(frozen=True)
class Shape:
    """A form of rows.

    Args:
        name: How messages call it.
        id_column: The column of the id.
        marks: A row that has all columns of one of these sets has this form.
        columns: The columns that are read; they make the digest.
        read: Turns a row into a problem; raises `UnusableRow`.
        told_by: What else marks a row, where other forms have the same columns.
        releases: The versions of the releases that are known, by their digests.
    """

    name: str
    id_column: str
    marks: tuple[frozenset[str], ...]
    columns: frozenset[str]
    read: Callable[[Mapping[str, Any]], Problem | InvalidProblem]
    told_by: Callable[[Mapping[str, Any]], bool] | None = None
    releases: Mapping[str, str] = field(default_factory=dict, compare=False)

    def fits(self, row: Mapping[str, Any]) -> bool:
        """Whether the row is marked as one of this form."""
        return any(mark <= row.keys() for mark in self.marks) and (self.told_by is None or self.told_by(row))


def digest_of_rows(shape: Shape, rows: Iterable[Mapping[str, Any]]) -> str:
    """SHA-256 (hexadecimal) over the published rows, the same for every container and source of them.

    Each row, in the published order, is one line of JSON and LF: only the columns that the form reads and that are not
    null, keys sorted, no blanks, ASCII with escapes, and the id as text (mbpp's ids are numbers in one copy and texts
    in another).
    """
    total = hashlib.sha256()
    for row in rows:
        kept = {key: row[key] for key in shape.columns if row.get(key) is not None}
        if shape.id_column in kept:
            kept[shape.id_column] = str(kept[shape.id_column])
        line = json.dumps(kept, sort_keys=True, separators=(",", ":"), default=repr)
        total.update(line.encode("ascii") + b"\n")
    return total.hexdigest()
