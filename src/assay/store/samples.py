"""Samples in: a file, pipe or folder of answers, checked whole before anything runs, then read problem by problem.

What holds: every bad row is known before the first sample is handed out; memory grows with the number of rows (12 bytes
each), never with their text, but for forms that are one JSON document; a sample's index is its order among the rows of
its problem. What can't be read at any place (gzip, pipes, other projects' forms) is copied to an unlinked temporary file.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import weakref
from array import array
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple, Protocol, Self

from assay.errors import BadRow, SettingsError, StoreError
from assay.jsonrows import decode_row
from assay.order import natural_key
from assay.store.foreign import Foreign, Found, read_folder, recognise
from assay.store.sample_list import SampleList, from_samples
from assay.store.sample_rows import Answer, ProblemIds, read_answer, to_sample
from assay.store.sample_source import Lines, open_source
from assay.store.sample_survey import Survey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from assay.records import Benchmark, Sample

__all__ = ["SampleFile", "SampleList", "Samples", "from_samples", "open_samples"]


class Samples(Protocol):
    """Answers by problem, from a file (`SampleFile`) or from memory (`SampleList`)."""

    digest: str
    """SHA-256, hexadecimal: of the file (unpacked, where it is gzipped), of a folder's samples, or of those in memory."""
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
    """Opens and checks a sample file, or a folder of samples.

    Rows have one of three forms: human-eval's (`task_id`, `completion`), EvalPlus's (`task_id`, `solution`), ours
    (`problem_id` and one of `solution`, `completion`, `text`). Lines end at LF only; blank lines are skipped; a byte
    order mark may begin the file. How an id names a problem: see `ProblemIds`. What other projects write is known by its
    shape and turned into such rows: see `assay.store.foreign`. Samples of invalid or deselected problems are known, and
    left out with a warning.

    Args:
        path: The file, gzipped or not, or a pipe; `-` for standard input; or a folder.
        benchmark: The problems that the rows answer.
        skip_bad_rows: Go on without the bad rows, which then stand in `bad_rows`.

    Raises:
        SettingsError: The file can't be opened.
        DataError: Rows are bad (all are listed), the file has no known form or more than one, a line is longer than
            `MAX_LINE_BYTES`, or no id of the file is known, skipped or not.
    """
    survey = Survey(ProblemIds(benchmark))
    places: dict[str, _Places] = {}
    with contextlib.ExitStack() as opened:
        try:
            handle = _read(path, benchmark, survey, places, opened)
        except OSError as error:
            hint = "see that the disk works and the folder for temporary files has room (TMPDIR names another)"
            raise SettingsError(f"{path}: {error.strerror or error}", hint=hint) from error
        survey.require_usable(path, skip_bad_rows=skip_bad_rows)
        return SampleFile(path, handle, survey, places)


def _read(
    path: str, benchmark: Benchmark, survey: Survey, places: dict[str, _Places], opened: contextlib.ExitStack
) -> IO[bytes]:
    """Checks all rows, and gives the file in which they lie: the user's, or one that was made of it."""
    if path != "-" and Path(path).is_dir():
        return _convert(read_folder(path, survey.ids), opened, survey, places)
    source = opened.enter_context(contextlib.closing(open_source(path)))
    foreign = recognise(source, path, benchmark, survey.ids)
    if foreign is not None:
        return _convert(foreign, opened, survey, places)
    _scan(Lines(source, path), survey, places)
    return source


def _scan(lines: Lines, survey: Survey, places: dict[str, _Places]) -> None:
    for number, offset, data in lines:
        answer = _checked(data, number, survey)
        if answer is not None and survey.is_judged(answer.problem_id):
            _keep(places, answer.problem_id, offset, len(data))
    _finish(survey, lines.digest(), places)


def _checked(line: bytes, number: int, survey: Survey) -> Answer | None:
    try:
        answer = read_answer(decode_row(line), survey.ids)
    except ValueError as error:
        cut = "" if line.endswith(b"\n") else "the last line is cut: "
        survey.refuse(number, error, cut if str(error).startswith("not JSON") else "")
        return None
    survey.accept(number, answer)
    return answer


def _convert(foreign: Foreign, opened: contextlib.ExitStack, survey: Survey, places: dict[str, _Places]) -> IO[bytes]:
    """A temporary file with the rows that a foreign form amounts to."""
    copy = opened.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 (it is one: `opened` closes it)
    offset = 0
    for found in foreign.rows:
        answer = _converted(found, survey)
        if answer is not None and survey.is_judged(answer.problem_id):
            # Escapes and all, since a model's text may hold lone surrogates, which UTF-8 does not take.
            line = json.dumps(found.row).encode("ascii")
            copy.write(line)
            _keep(places, answer.problem_id, offset, len(line))
            offset += len(line)
    copy.flush()
    _finish(survey, foreign.digest(), places)
    return copy


def _converted(found: Found, survey: Survey) -> Answer | None:
    try:
        if isinstance(found.row, ValueError):
            raise found.row
        answer = read_answer(found.row, survey.ids)
    except ValueError as error:
        survey.refuse(found.place, error)
        return None
    survey.accept(found.place, answer)
    return answer


def _keep(places: dict[str, _Places], problem_id: str, offset: int, length: int) -> None:
    place = places.get(problem_id)
    if place is None:
        place = places[problem_id] = _Places(array("Q"), array("I"))
    place.offsets.append(offset)
    place.lengths.append(length)


def _finish(survey: Survey, digest: str, places: dict[str, _Places]) -> None:
    survey.finish(digest, rows=sum(len(place.offsets) for place in places.values()))
