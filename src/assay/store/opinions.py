"""A folder of opinions: what decides them (`inquiry.json`), each reply of the judge model (`opinions.jsonl`), what did not come.

    opinions.jsonl             one reply a line, with all that the judge was shown
    inquiry.json               what decides them
    errors.jsonl               questions to which no reply came, in the last run of the command

Keeps true: an opinion is in the file when `append` returns; only one process writes a folder; it is taken up again only for the same
judge, rubric and sources; an opinion counts only for the very prompt that it answers, and the last row of a question wins.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import msgspec

from assay.errors import StoreError
from assay.records import SCHEMA, Inquiry, Opinion, Placing, Unheard
from assay.store.ledgers import ErrorRows, Ledger, end_with_whole_line
from assay.store.manifest_files import as_read, read_record, refuse, unequal, write_json
from assay.store.rows import UNREADABLE, RowLog

if TYPE_CHECKING:
    from types import TracebackType

OPINIONS, PREVIOUS, INQUIRY, ERRORS = "opinions.jsonl", "opinions.previous.jsonl", "inquiry.json", "errors.jsonl"

_FREE = ("created", "server", "versions", "split", "limit", "per_problem", "samples_digests", "benchmark_version")
"""Fields of a manifest that may differ: no single opinion hangs on them, or its prompt's digest tells."""

_OTHER_FOLDER = "name another folder, or give --fresh to begin again (the old opinions are kept beside it)"
_DECODER = msgspec.json.Decoder(Opinion)
_ENCODER = msgspec.json.Encoder()


class OpinionKey(NamedTuple):
    """Which question an opinion answers: about which sample, or pair, and in which order."""

    problem_id: str
    sample_index: int
    other_index: int | None
    placing: Placing


class OpinionLog:
    """A folder of opinions that is being written; made by `open_opinions`, and a context manager that closes it.

    What is held in memory lacks the texts (`seen`, `reply`), which are in the file.
    """

    def __init__(self, folder: Path, log: RowLog, found: dict[OpinionKey, Opinion]) -> None:
        self.folder = folder
        self._log = log
        self._found = found
        self._errors = ErrorRows(folder / ERRORS)

    def find(self, key: OpinionKey, prompt_digest: str) -> Opinion | None:
        """The opinion that answers this very prompt, without its texts; None where there is none."""
        found = self._found.get(key)
        return found if found is not None and found.prompt_digest == prompt_digest else None

    def append(self, opinion: Opinion) -> None:
        """Writes one opinion; it is in the file when this returns.

        Raises:
            StoreError: It could not be written (the disk is full, say); the file stays readable.
        """
        self._log.append(_line(opinion))
        self._found[key_of(opinion)] = _bare(opinion)

    def append_error(self, row: Unheard) -> None:
        """Writes down that no reply came to a question.

        Raises:
            StoreError: It could not be written.
        """
        self._errors.append(_line(row))

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


def key_of(opinion: Opinion) -> OpinionKey:
    """Which question an opinion answers."""
    return OpinionKey(opinion.problem_id, opinion.sample_index, opinion.other_index, opinion.placing)


def open_opinions(path: str | Path, inquiry: Inquiry, *, fresh: bool = False) -> OpinionLog:
    """Makes a folder of opinions, or takes up the one that is there, if it asks the same judge in the same way.

    A last row that a kill cut off is removed.

    Args:
        path: The folder; made if need be.
        inquiry: What decides the opinions.
        fresh: Begin again whatever is there; the old opinions are kept as `opinions.previous.jsonl`.

    Raises:
        StoreError: The folder can't be used, another process writes it, or it holds other opinions.
    """
    folder = Path(path)
    ledger = Ledger(folder / OPINIONS, folder / PREVIOUS, folder, "folder", "these opinions")
    descriptor = ledger.open_locked()
    try:
        if fresh:
            descriptor = ledger.begin_again(descriptor, (folder / INQUIRY,))
        stored = read_record(folder / INQUIRY, Inquiry, instead="name another folder", damaged_hint=_OTHER_FOLDER)
        if stored is not None:
            found = unequal(_deciding(stored), _deciding(inquiry))
            refuse(found, f"{folder} holds opinions of another kind", _OTHER_FOLDER)
        elif os.fstat(descriptor).st_size:
            message = f"{folder} has opinions but no {INQUIRY}: it can't be told whose they are"
            raise StoreError(message, hint=_OTHER_FOLDER)
        opinions = _read_and_mend(folder / OPINIONS, descriptor)
        created = inquiry.created if stored is None else stored.created
        write_json(folder / INQUIRY, msgspec.structs.replace(inquiry, created=created))
    except BaseException:
        os.close(descriptor)
        raise
    return OpinionLog(folder, RowLog(descriptor, folder / OPINIONS, what="opinion"), opinions)


def _deciding(inquiry: Inquiry) -> dict[str, Any]:
    """Of the rubric what people quote, and its digest."""
    row = as_read(inquiry)
    rubric = inquiry.rubric
    return {name: value for name, value in row.items() if name not in _FREE} | {
        "rubric": f"{rubric.name}@{rubric.version} ({rubric.digest[:12]})"
    }


def _read_and_mend(path: Path, descriptor: int) -> dict[OpinionKey, Opinion]:
    """The opinions of a file, the last of each question; the file then ends with a whole line."""
    found: dict[OpinionKey, Opinion] = {}
    whole, unended = 0, False
    with os.fdopen(os.dup(descriptor), "rb") as file:
        file.seek(0)
        for number, line in enumerate(file, 1):
            opinion = _decode(line, path, number)
            if opinion is None:
                break
            whole, unended = whole + len(line), not line.endswith(b"\n")
            found[key_of(opinion)] = opinion
    end_with_whole_line(path, descriptor, whole, unended=unended)
    return found


def _decode(line: bytes, path: Path, number: int) -> Opinion | None:
    """The opinion in a line, without its texts; None where a kill has cut the line.

    Raises:
        StoreError: It is whole and no opinion of this release.
    """
    try:
        opinion = _DECODER.decode(line)
    except UNREADABLE as error:
        if not line.endswith(b"\n"):
            return None
        hint = "remove that line (its question is then asked again), or name another folder"
        raise StoreError(f"{path}:{number}: not an opinion: {error}", hint=hint) from None
    if opinion.schema != SCHEMA:
        message = f"{path}:{number}: this row has schema {opinion.schema}, and this release of assay reads {SCHEMA}"
        raise StoreError(message, hint="use the release that wrote it, or name another folder")
    return _bare(opinion)


def _bare(opinion: Opinion) -> Opinion:
    return msgspec.structs.replace(opinion, seen=(), reply="")


def _line(row: Opinion | Unheard) -> bytes:
    try:
        return _ENCODER.encode(row) + b"\n"
    except UnicodeEncodeError:  # JSON has no place for the lone surrogates that a reply may hold
        return _ENCODER.encode(_without_surrogates(msgspec.to_builtins(row))) + b"\n"


def _without_surrogates(value: object) -> object:
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode()
        case dict():
            return {key: _without_surrogates(item) for key, item in value.items()}
        case list() | tuple():
            return [_without_surrogates(item) for item in value]
        case _:
            return value
