"""Which row of a verdict file speaks for a sample, in 25 bytes a sample.

Keeps true: the last whole row of a sample wins; rows of samples that the run does not have are left out; both, and rows
that disagree about the same job, are told as notes.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from assay.errors import StoreError
from assay.records import Outcome
from assay.store.rows import Row, Scan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import BinaryIO

_ENTRY = struct.Struct("=B16sQ")
_OUTCOMES = tuple(Outcome)
_NO_DIGEST = bytes(16)
NAMED = 5
"""So many samples are named in a note; the others are counted."""


class Entry(NamedTuple):
    """The row that speaks for a sample: what came out, of which job (None: the row names none), and where it stands."""

    outcome: Outcome
    job_digest: str | None
    offset: int


class Index:
    """Finds the last row of a sample.

    One bytearray a problem holds the entries of its samples by index; an entry that begins with 0 is empty.
    """

    def __init__(self) -> None:
        self._entries: dict[str, bytearray] = {}

    def put(self, row: Row) -> None:
        """Makes `row` speak for its sample.

        Raises:
            ValueError: Its job digest is neither empty nor 32 hexadecimal digits.
        """
        verdict = row.verdict
        entries = self._entries.setdefault(verdict.problem_id, bytearray())
        start = verdict.sample_index * _ENTRY.size
        if len(entries) < start + _ENTRY.size:
            entries.extend(bytes(start + _ENTRY.size - len(entries)))
        code = _OUTCOMES.index(verdict.outcome) + 1
        _ENTRY.pack_into(entries, start, code, packed_digest(verdict.job_digest), row.offset)

    def get(self, problem_id: str, sample_index: int) -> Entry | None:
        """The entry of a sample, None where it has no row."""
        entries = self._entries.get(problem_id)
        start = sample_index * _ENTRY.size
        if entries is None or not 0 <= start < len(entries):
            return None
        code, packed, offset = _ENTRY.unpack_from(entries, start)
        if not code:
            return None
        return Entry(_OUTCOMES[code - 1], None if packed == _NO_DIGEST else packed.hex(), offset)


def packed_digest(text: str) -> bytes:
    """16 bytes for a job digest, zeros for an empty one.

    Raises:
        ValueError: It is neither empty nor 32 hexadecimal digits.
    """
    try:
        packed = bytes.fromhex(text)
    except ValueError:
        packed = b"?"
    if text and len(packed) != len(_NO_DIGEST):
        raise ValueError(f"job_digest must be 32 hexadecimal digits, got {text!r}")
    return packed or _NO_DIGEST


@dataclass(frozen=True)
class IndexedFile:
    """What one pass over a verdict file found; `orphans` of its rows are of no sample of the run."""

    index: Index
    rows: int
    whole_bytes: int
    unended: bool
    orphans: int
    notes: tuple[str, ...]


def index_file(file: BinaryIO, path: Path, expected: Mapping[str, int]) -> IndexedFile:
    """Reads all rows of a verdict file.

    Args:
        file: The file, at its beginning.
        path: Its name, for messages.
        expected: Samples of each problem; rows of others are left out. Empty: all rows are taken.

    Raises:
        StoreError: A line is not a verdict of this release.
    """
    index, scan, rows = Index(), Scan(file, path), 0
    orphans, disagreements = [], []
    for row in scan:
        rows += 1
        verdict = row.verdict
        if expected and not verdict.sample_index < expected.get(verdict.problem_id, 0):
            orphans.append(_name(row))
            continue
        if earlier := _disagreeing(index, row):
            disagreements.append(f"{_name(row)} ({earlier.outcome}, then {verdict.outcome})")
        _put(index, row, path)
    notes = (*_torn_notes(scan, path), *_notes(path, orphans, disagreements))
    return IndexedFile(index, rows, scan.whole_bytes, scan.unended, len(orphans), notes)


def _put(index: Index, row: Row, path: Path) -> None:
    try:
        index.put(row)
    except ValueError as error:
        hint = "remove that line, or name another folder"
        raise StoreError(f"{path}: {_name(row)}: {error}", hint=hint) from None


def _name(row: Row) -> str:
    return f"{row.verdict.problem_id} sample {row.verdict.sample_index}"


def _disagreeing(index: Index, row: Row) -> Entry | None:
    """The earlier row about the same job, where it says something else; no verdict and another job don't disagree."""
    verdict = row.verdict
    earlier = index.get(verdict.problem_id, verdict.sample_index)
    if earlier is None or earlier.job_digest != (verdict.job_digest or None) or earlier.outcome is verdict.outcome:
        return None
    return None if Outcome.SYSTEM_ERROR in (earlier.outcome, verdict.outcome) else earlier


def _torn_notes(scan: Scan, path: Path) -> tuple[str, ...]:
    if scan.torn_line is None:
        return ()
    return (f"{path}:{scan.torn_line}: the last row was cut while it was written, and is left out",)


def _notes(path: Path, orphans: Sequence[str], disagreements: Sequence[str]) -> tuple[str, ...]:
    notes = []
    if orphans:
        notes.append(f"{path}: left out, since the run has no such sample: {_listed(orphans)}")
    if disagreements:
        notes.append(f"{path}: rows of one sample disagree, the last one counts: {_listed(disagreements)}")
    return tuple(notes)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"
