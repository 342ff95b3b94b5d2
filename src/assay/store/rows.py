"""Verdict rows as bytes: one JSON object a line, in and out.

Keeps true: a row goes out in one write and is whole or not there; a row that was cut by a kill is told from a row that is
wrong (the first is dropped with a note, the second is an error that names file and line); a row of another schema is
refused, never guessed at.
"""

from __future__ import annotations

import math
import os
import time
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from assay.counts import count_of
from assay.errors import StoreError
from assay.records import SCHEMA, Verdict
from assay.store.files import store_error, write_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import BinaryIO

SYNC_S = 0.5
"""At most so many seconds of verdicts are lost when the machine itself stops (a kill of assay loses none)."""

MAX_INDEX = 1_000_000
"""Greatest sample index that is believed, so that a damaged row can't make the index of rows eat the memory."""

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What bytes that are no JSON of ours raise; a RecursionError where they are nested a hundred thousand deep."""

_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Verdict)


class Row(NamedTuple):
    """A verdict as it stands in a file: `offset` is where its line begins."""

    offset: int
    verdict: Verdict


class Scan:
    """One pass over the rows of a file, in their order.

    After the pass `whole_bytes` is where the last whole row ends; `unended` says that it lacks its line end; `torn_line` is
    the number of a cut last line, if there is one.

    Args:
        file: The file, at its beginning.
        path: Its name, for messages.

    Raises:
        StoreError: A line is not a verdict, and not merely cut at the end of the file.
    """

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self._file = file
        self._path = path
        self.whole_bytes = 0
        self.unended = False
        self.torn_line: int | None = None

    def __iter__(self) -> Iterator[Row]:
        for number, line in enumerate(self._file, 1):
            ended = line.endswith(b"\n")
            if ended and not line.strip():
                self.whole_bytes += len(line)
                continue
            if not ended and not _is_json(line):
                self.torn_line = number
                return
            row = Row(self.whole_bytes, _decode(line, self._path, number))
            self.whole_bytes += len(line)
            self.unended = not ended
            yield row


def _is_json(line: bytes) -> bool:
    try:
        msgspec.json.decode(line)
    except UNREADABLE:
        return False
    return True


def _decode(line: bytes, path: Path, number: int) -> Verdict:
    try:
        verdict = _DECODER.decode(line)
    except UNREADABLE as error:
        _refuse_other_schema(line, path, number)
        hint = "remove that line (its sample is then judged again), or name another folder"
        raise StoreError(f"{path}:{number}: not a verdict: {error}", hint=hint) from None
    if verdict.schema != SCHEMA:
        _refuse_other_schema(line, path, number)
    if not 0 <= verdict.sample_index <= MAX_INDEX:
        problem = f"sample_index {verdict.sample_index} is not within 0 and {MAX_INDEX}"
        raise StoreError(f"{path}:{number}: {problem}", hint="remove that line, or name another folder")
    if (flaw := contradiction(verdict)) is not None:
        hint = "assay writes no such row; remove that line (its sample is then judged again), or name another folder"
        raise StoreError(f"{path}:{number}: the row contradicts itself: {flaw}", hint=hint)
    return verdict


def contradiction(verdict: Verdict) -> str | None:
    """What in a row does not fit the rest of it, as where one figure was changed by hand; None where nothing does.

    That a row is in order does not say that it was written by assay: see `docs/internals/verdicts.md`.
    """
    passed, total = verdict.passed_cases, verdict.total_cases
    groups = verdict.groups.values()
    if set(verdict.cases) - set("01") or len(verdict.cases) != total or verdict.cases.count("1") != passed:
        return f"{passed} of {count_of(total, 'case')} passed, but `cases` tells {verdict.cases.count('1')} of {len(verdict.cases)}"
    if any(not 0 <= good <= count for good, count in groups):
        return "a group has more cases passed than cases"
    if groups and (sum(good for good, _ in groups), sum(count for _, count in groups)) != (passed, total):
        return "the cases of its groups are not those of the sample"
    if verdict.passed and (passed < total or not total):
        return f"it passed, with {passed} of {count_of(total, 'case')}"
    if verdict.passed and verdict.first_failure is not None:
        return "it passed, and tells a failure"
    return None


class _Schema(msgspec.Struct):
    """The only field of a row that every release can read."""

    schema: int = SCHEMA


def _refuse_other_schema(line: bytes, path: Path, number: int) -> None:
    try:
        schema = msgspec.json.decode(line, type=_Schema).schema
    except UNREADABLE:
        return
    if schema != SCHEMA:
        message = f"{path}:{number}: this row has schema {schema}, and this release of assay reads {SCHEMA}"
        raise StoreError(message, hint="use the release that wrote it, or name another folder")


def encode_row(verdict: Verdict) -> bytes:
    """The line of a verdict, with its line end.

    Lone surrogates (a candidate's message may hold some) are written as backslash escapes, since JSON has no place for
    them.

    Raises:
        ValueError: A time or memory figure is not finite; JSON could not hold it and the file would not be readable.
    """
    for name in ("time_s", "peak_mib", "cpu_s", "wall_s"):
        value = getattr(verdict, name)
        if value is not None and not math.isfinite(value):
            raise ValueError(f"{name} {value} must be finite")
    try:
        line = _ENCODER.encode(verdict)
    except UnicodeEncodeError:
        line = _ENCODER.encode(_without_surrogates(msgspec.to_builtins(verdict)))
    return line + b"\n"


def _without_surrogates(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {key: _without_surrogates(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_surrogates(item) for item in value]
    return value


class RowLog:
    """Appends lines to a file: each is whole in the file when `append` returns, or not there at all.

    A kill of assay loses nothing that was appended; a stop of the machine loses at most the last `SYNC_S` seconds of a
    busy run. One process at a time writes (the run's lock sees to it).

    Args:
        descriptor: The file, opened with O_APPEND; closed by `close`.
        path: Its name, for messages.
        clock: Seconds, from any zero.
        what: What a line is, for messages.
    """

    def __init__(
        self, descriptor: int, path: Path, clock: Callable[[], float] = time.monotonic, *, what: str = "verdict"
    ) -> None:
        self._descriptor = descriptor
        self._path = path
        self._clock = clock
        self._what = what
        self._synced_at_s = clock()

    def append(self, line: bytes) -> int:
        """Appends a line and returns the offset at which it begins.

        Raises:
            StoreError: It could not be written; nothing of it is left in the file.
        """
        # Asked anew each time: after a Ctrl-C between a write and its bookkeeping a kept size would be wrong.
        offset = os.lseek(self._descriptor, 0, os.SEEK_END)
        try:
            write_all(self._descriptor, line)
        except OSError as error:
            os.ftruncate(self._descriptor, offset)
            raise store_error(self._path, f"write a {self._what}", error) from error
        if self._clock() - self._synced_at_s >= SYNC_S:
            self.sync()
        return offset

    def sync(self) -> None:
        """Makes all that was appended survive a stop of the machine.

        Raises:
            StoreError: The disk refused.
        """
        try:
            os.fdatasync(self._descriptor)
        except OSError as error:
            raise store_error(self._path, f"write {self._what}s to the disk", error) from error
        self._synced_at_s = self._clock()

    def close(self) -> None:
        """Syncs and closes.

        Raises:
            StoreError: The disk refused.
        """
        try:
            self.sync()
        finally:
            os.close(self._descriptor)


class RowWriter:
    """Writes verdict rows to a pipe or terminal, each in one write as it comes; the counterpart of `Run` for `-o -`.

    Args:
        descriptor: Where to; it stays open.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def append(self, verdict: Verdict) -> None:
        """Writes one row.

        Raises:
            BrokenPipeError: Nobody reads any more.
            StoreError: It could not be written, or only a part of it.
        """
        try:
            write_all(self._descriptor, encode_row(verdict))
        except BrokenPipeError:
            raise
        except OSError as error:
            message = f"standard output: can't write a verdict: {error.strerror or error}"
            raise StoreError(
                message, hint="let it go to a file or pipe that takes it, or name a run folder: -o RUN"
            ) from error
