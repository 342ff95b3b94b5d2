"""Samples out: a file that grows while a model answers, with a manifest and a file of errors beside it.

    samples.jsonl              one answer a line, in the form that `open_samples` reads
    samples.generation.json    what decides them
    samples.errors.jsonl       what was asked for and did not come, in the last run of the command

Keeps true: an answer is in the file when `append` returns, so that a kill at any moment loses only answers in flight; only one process
writes a file; a file is taken up again only if its answers are drawn in the same way; nothing is deleted.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import msgspec

from assay.errors import StoreError
from assay.jsonrows import decode_row
from assay.store.generations import read_generation, refuse_other_generation, write_generation
from assay.store.ledgers import ErrorRows, Ledger, end_with_whole_line
from assay.store.rows import RowLog
from assay.store.sample_rows import ProblemIds, read_answer, to_sample
from assay.store.samples import open_samples

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from types import TracebackType

    from assay.records import Benchmark, Generation, Sample, Unanswered

DRAW = "draw"
"""The field of a row that says which of the answers to its problem it is, from 0; the order of rows is that of arrival."""

_TAIL_BYTES = 1 << 20
_ENCODER = msgspec.json.Encoder()


class LogPaths(NamedTuple):
    """Where the files of one sample file lie."""

    samples: Path
    generation: Path
    errors: Path
    previous: Path

    @classmethod
    def beside(cls, path: str | Path) -> LogPaths:
        """The files that go with a sample file.

        >>> LogPaths.beside("out/samples.jsonl").errors.name
        'samples.errors.jsonl'
        """
        samples = Path(path)
        stem = samples.with_suffix("") if samples.suffix in (".jsonl", ".json") else samples
        return cls(samples, *(stem.with_name(stem.name + end) for end in _ENDINGS))


_ENDINGS = (".generation.json", ".errors.jsonl", ".previous.jsonl")


class SampleLog:
    """A sample file that is being written; made by `open_sample_log`, and a context manager that closes it.

    Not for use by several threads at once.
    """

    def __init__(self, paths: LogPaths, log: RowLog, ids: ProblemIds, drawn: dict[str, set[int]]) -> None:
        self.paths = paths
        self._log = log
        self._ids = ids
        self._drawn = drawn
        self._counts = {problem_id: len(draws) for problem_id, draws in drawn.items()}
        self._errors = ErrorRows(paths.errors)

    def drawn(self, problem_id: str) -> Collection[int]:
        """Which of a problem's answers are in the file."""
        return self._drawn.get(problem_id, ())

    def append(self, problem_id: str, draw: int, row: Mapping[str, Any]) -> Sample:
        """Writes one answer; it is in the file when this returns.

        Args:
            problem_id: Whose answer it is.
            draw: Which of its answers.
            row: The text under the name that says what it is, and whatever is known of it.

        Returns:
            The sample, as it reads back from the file; its index is its order among the rows of its problem.

        Raises:
            StoreError: It could not be written (the disk is full, say); the file stays readable.
        """
        index = self._counts.get(problem_id, 0)
        whole = {"problem_id": problem_id, **row, DRAW: draw}
        sample = to_sample(whole, read_answer(whole, self._ids), index)  # raises before anything is written
        self._log.append(_line(whole))
        self._drawn.setdefault(problem_id, set()).add(draw)
        self._counts[problem_id] = index + 1
        return sample

    def append_error(self, row: Unanswered) -> None:
        """Writes down that answers did not come.

        Raises:
            StoreError: It could not be written.
        """
        self._errors.append(_line(msgspec.to_builtins(row)))

    def close(self) -> None:
        """Makes everything durable and lets other processes write.

        Raises:
            StoreError: The disk refused.
        """
        try:
            self._errors.close()
        finally:
            self._log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _line(row: Mapping[str, Any]) -> bytes:
    try:
        return _ENCODER.encode(row) + b"\n"
    except UnicodeEncodeError:  # a model's text may hold lone surrogates, which UTF-8 does not take: escapes and all
        return json.dumps(row).encode("ascii") + b"\n"


def open_sample_log(
    path: str | Path,
    generation: Generation,
    benchmark: Benchmark,
    *,
    fresh: bool = False,
    clock: Callable[[], float] = time.monotonic,
) -> SampleLog:
    """Makes a sample file, or takes up the one that is there, if its answers are drawn in the same way.

    A last row that a kill cut off is removed.

    Args:
        path: The file; its folder is made if need be.
        generation: What decides its answers.
        benchmark: The problems that are asked.
        fresh: Begin again whatever is there; the old answers are kept as `NAME.previous.jsonl`.
        clock: Seconds, for the intervals of writing to the disk.

    Raises:
        StoreError: The file can't be used, another process writes it, or it holds answers that were drawn in another way.
        DataError: Rows of it are no samples of these problems.
    """
    paths = LogPaths.beside(path)
    ledger = Ledger(paths.samples, paths.previous, paths.samples, "file", "these samples")
    descriptor = ledger.open_locked()
    try:
        if fresh:
            descriptor = ledger.begin_again(descriptor, (paths.generation,))
        stored = read_generation(paths.generation)
        if stored is not None:
            refuse_other_generation(paths.samples, stored, generation)
        elif os.fstat(descriptor).st_size:
            message = (
                f"{paths.samples} is there without {paths.generation.name}: it can't be told how its answers were drawn"
            )
            raise StoreError(message, hint="name another file, or give --fresh (the old answers are kept beside it)")
        _mend(paths.samples, descriptor)
        drawn = _drawn(paths.samples, benchmark)
        created = generation.created if stored is None else stored.created
        write_generation(paths.generation, msgspec.structs.replace(generation, created=created))
    except BaseException:
        os.close(descriptor)
        raise
    log = RowLog(descriptor, paths.samples, clock, what="sample")
    return SampleLog(paths, log, ProblemIds(benchmark), drawn)


def _mend(path: Path, descriptor: int) -> None:
    """Makes the file end with a whole line: a row that lacks its end only gets it, a cut one is removed."""
    size = os.fstat(descriptor).st_size
    tail = _last_line(descriptor, size)
    if not tail:
        return
    is_whole = _is_row(tail)
    end_with_whole_line(path, descriptor, size if is_whole else size - len(tail), unended=is_whole)


def _last_line(descriptor: int, size: int) -> bytes:
    """What stands after the last line end."""
    tail, at = b"", size
    while at > 0 and b"\n" not in tail:
        start = max(0, at - _TAIL_BYTES)
        tail, at = os.pread(descriptor, at - start, start) + tail, start
    return tail[tail.rfind(b"\n") + 1 :]


def _is_row(line: bytes) -> bool:
    try:
        decode_row(line)
    except ValueError:
        return False
    return True


def _drawn(path: Path, benchmark: Benchmark) -> dict[str, set[int]]:
    """Which answers of each problem the file holds; a row that does not say which it is takes the first free number."""
    found: dict[str, set[int]] = {}
    with open_samples(str(path), benchmark) as samples:
        for problem_id in samples.problem_ids():
            draws = found[problem_id] = set()
            for sample in samples.read(problem_id):
                draw = sample.extra.get(DRAW)
                if not isinstance(draw, int) or draw in draws:
                    draw = next(number for number in range(len(draws) + 1) if number not in draws)
                draws.add(draw)
    return found
