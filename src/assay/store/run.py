"""The run folder: what a run is (`run.json`), every verdict (`verdicts.jsonl`), and the numbers (`estimates.json`).

Keeps true: a verdict is in the file when `append` returns, so that a kill at any moment loses only samples in flight;
only one process writes a run; a run is taken up again only under the same conditions; nothing is deleted.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

import msgspec

from assay.counts import listed
from assay.errors import StoreError
from assay.order import natural_key
from assay.records import SCHEMA, Estimate, InvalidProblem, Manifest, Outcome, Verdict
from assay.store.files import open_regular
from assay.store.index import Index, IndexedFile, index_file, packed_digest
from assay.store.ledgers import Ledger, end_with_whole_line
from assay.store.manifest_files import write_json
from assay.store.manifests import read_manifest, refuse_differences, refuse_other_samples, write_manifest
from assay.store.rows import Row, RowLog, Scan, encode_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import TracebackType

MANIFEST = "run.json"
VERDICTS = "verdicts.jsonl"
PREVIOUS = "verdicts.previous.jsonl"
ESTIMATES = "estimates.json"
_RUNS_NAMED = 5


@dataclass(frozen=True)
class StoredRun:
    """A run as it lies on disk, for reading. `notes` tell what was left out of it and why."""

    folder: Path
    manifest: Manifest
    notes: tuple[str, ...]
    index: Index

    def verdicts(self) -> Iterator[Verdict]:
        """The verdict of each sample that has one, in the order of the file; the last row of a sample wins.

        Raises:
            StoreError: The file can't be read any more.
        """
        return _verdicts(self.folder / VERDICTS, self.index)


class Run:
    """A run that is being written; made by `open_run`, and a context manager that closes it.

    Not for use by several threads at once. `notes` tell what was left out of stored rows and why.
    """

    def __init__(self, folder: Path, manifest: Manifest, log: RowLog, stored: IndexedFile) -> None:
        self.folder = folder
        self.manifest = manifest
        self.notes = stored.notes
        self._log = log
        self._index = stored.index
        self._invalid = {problem.id: problem for problem in manifest.invalid}
        self._stale_estimates = True

    def done(self, problem_id: str, sample_index: int) -> str | None:
        """The job digest of a sample's stored verdict; None if it has none or only `system_error`.

        A digest other than that of the wanted job means that the verdict is not reusable: judge again and append.
        """
        entry = self._index.get(problem_id, sample_index)
        return None if entry is None or entry.outcome is Outcome.SYSTEM_ERROR else entry.job_digest

    def outcome(self, problem_id: str, sample_index: int) -> Outcome | None:
        """The outcome of a sample's stored verdict; None if it has none."""
        entry = self._index.get(problem_id, sample_index)
        return None if entry is None else entry.outcome

    def append(self, verdict: Verdict) -> None:
        """Writes one verdict; it is in the file when this returns.

        Raises:
            StoreError: It could not be written (the disk is full, say); the file stays readable.
            ValueError: The verdict holds a figure or digest that no file can hold.
        """
        line = encode_row(verdict)
        packed_digest(verdict.job_digest)  # raises before anything is written
        if self._stale_estimates:
            (self.folder / ESTIMATES).unlink(missing_ok=True)
            self._stale_estimates = False
        offset = self._log.append(line)
        self._index.put(Row(offset, verdict))

    def mark_invalid(self, problem: InvalidProblem) -> None:
        """Notes a problem that turned out to be invalid; it reaches `run.json` with `finish` or `close`."""
        self._invalid[problem.id] = problem

    def finish(self) -> None:
        """Says that judging ended by itself and every sample was looked at; call it before the run is scored.

        Raises:
            StoreError: `run.json` can't be written.
        """
        self._revise(samples_changed=False)

    def _revise(self, *, samples_changed: bool) -> None:
        invalid = tuple(self._invalid.values())
        revised = msgspec.structs.replace(self.manifest, invalid=invalid, samples_changed=samples_changed)
        if revised != self.manifest:
            write_manifest(self.folder / MANIFEST, revised)
            self.manifest = revised

    def verdicts(self) -> Iterator[Verdict]:
        """The verdict of each sample that has one, in the order of the file; the last row of a sample wins.

        Raises:
            StoreError: The file can't be read.
        """
        return _verdicts(self.folder / VERDICTS, self._index)

    def write_estimates(
        self, estimates: Sequence[Estimate], outcomes: Mapping[Outcome, int], trust: Mapping[str, int]
    ) -> None:
        """Writes `estimates.json`.

        Raises:
            StoreError: It can't be written.
        """
        write_estimates(self.folder, estimates, outcomes, trust)
        self._stale_estimates = True

    def close(self) -> None:
        """Makes everything durable and lets other processes write.

        Raises:
            StoreError: The disk refused.
        """
        try:
            self._revise(samples_changed=self.manifest.samples_changed)
        finally:
            self._log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def open_run(
    path: str | Path, manifest: Manifest, *, fresh: bool = False, clock: Callable[[], float] = time.monotonic
) -> Run:
    """Makes a run folder, or takes up the run that is there, if it has the same conditions.

    A last row that a kill cut off is removed. Rows that don't belong to the run are left out with a note.

    Args:
        path: The folder; made if need be.
        manifest: The conditions of the run.
        fresh: Begin again whatever is there; the old verdicts are kept as `verdicts.previous.jsonl`.
        clock: Seconds, for the intervals of writing to the disk.

    Raises:
        StoreError: The folder can't be used, another process writes it, or it holds a run under other conditions or of other samples.
    """
    folder = Path(path)
    ledger = _ledger(folder)
    descriptor = ledger.open_locked()
    try:
        if fresh:
            descriptor = ledger.begin_again(descriptor, (folder / ESTIMATES, folder / MANIFEST))
        stored = _stored_manifest(folder, descriptor, fresh=fresh)
        if stored is not None:
            refuse_differences(folder, stored, manifest)
        rows = _index(folder / VERDICTS, descriptor, manifest)
        if stored is not None:
            refuse_other_samples(folder, stored, manifest, rows)
        end_with_whole_line(folder / VERDICTS, descriptor, rows.whole_bytes, unended=rows.unended)
        manifest = manifest if stored is None else _taken_up(stored, manifest, has_rows=rows.rows > 0)
        write_manifest(folder / MANIFEST, manifest)
    except BaseException:
        os.close(descriptor)
        raise
    return Run(folder, manifest, RowLog(descriptor, folder / VERDICTS, clock), rows)


def _runs_within(folder: Path) -> str:
    """Where the runs are that a folder of several holds, a sweep's say; nothing where it holds none."""
    try:
        found = sorted((path.parent for path in folder.glob(f"*/{MANIFEST}")), key=lambda path: natural_key(path.name))
    except OSError:
        return ""
    return f"there are runs in it: {listed([*map(str, found)], _RUNS_NAMED)}" if found else ""


def read_run(path: str | Path) -> StoredRun:
    """Reads a run folder, which another process may be writing.

    Raises:
        StoreError: There is no run, or it can't be read.
    """
    folder = Path(path)
    manifest = read_manifest(folder / MANIFEST)
    if manifest is None:
        hint = _runs_within(folder) or "name the folder that `assay judge` wrote with -o"
        raise StoreError(f"{folder} holds no run ({MANIFEST} is missing)", hint=hint)
    file_path = folder / VERDICTS
    try:
        with os.fdopen(open_regular(file_path, os.O_RDONLY), "rb") as file:
            rows = index_file(file, file_path, manifest.expected)
    except FileNotFoundError:
        return StoredRun(folder, manifest, (f"{file_path} does not exist yet: no verdicts",), Index())
    return StoredRun(folder, manifest, rows.notes, rows.index)


def write_estimates(
    path: str | Path, estimates: Sequence[Estimate], outcomes: Mapping[Outcome, int], trust: Mapping[str, int]
) -> None:
    """Writes `estimates.json` into a run folder: the estimates, and how often each outcome and trust level occurred.

    Raises:
        StoreError: It can't be written.
    """
    content = {"estimates": estimates, "outcomes": dict(outcomes), "trust": dict(trust), "schema": SCHEMA}
    write_json(Path(path) / ESTIMATES, content)


def _ledger(folder: Path) -> Ledger:
    return Ledger(folder / VERDICTS, folder / PREVIOUS, folder, "folder", "this run")


def _stored_manifest(folder: Path, descriptor: int, *, fresh: bool) -> Manifest | None:
    stored = None if fresh else read_manifest(folder / MANIFEST)
    if stored is None and os.fstat(descriptor).st_size:
        message = f"{folder} has verdicts but no {MANIFEST}: it can't be told under which conditions they were made"
        raise StoreError(message, hint="name another folder, or give --fresh (the old verdicts are kept beside it)")
    return stored


def _index(path: Path, descriptor: int, manifest: Manifest) -> IndexedFile:
    with os.fdopen(os.dup(descriptor), "rb") as file:
        file.seek(0)
        return index_file(file, path, manifest.expected)


def _taken_up(stored: Manifest, wanted: Manifest, *, has_rows: bool) -> Manifest:
    """The manifest of a run that goes on: begun when it was, over the samples as they are now."""
    changed = stored.samples_changed or (has_rows and stored.samples_digest != wanted.samples_digest)
    return msgspec.structs.replace(wanted, created=stored.created, samples_changed=changed)


def _verdicts(path: Path, index: Index) -> Iterator[Verdict]:
    try:
        descriptor = open_regular(path, os.O_RDONLY)
    except FileNotFoundError:
        return
    with os.fdopen(descriptor, "rb") as file:
        for offset, verdict in Scan(file, path):
            entry = index.get(verdict.problem_id, verdict.sample_index)
            if entry is not None and entry.offset == offset:
                yield verdict
