"""A folder of opinions: what decides them (`inquiry.json`), each reply of the judge model (`opinions.jsonl`), what did not come.

    opinions.jsonl             one reply a line, with all that the judge was shown
    inquiry.json               what decides them
    errors.jsonl               questions to which no reply came, in the last run of the command

Keeps true: an opinion is in the file when `append` returns; only one process writes a folder; it is taken up again only for the same
judge, rubric and sources; an opinion counts only for the very prompt that it answers, and the last row of a question wins.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import msgspec

from assay.errors import StoreError
from assay.records import SCHEMA, Inquiry, Opinion, Placing, Unheard
from assay.store.files import open_regular, read_regular, replace_file, store_error, sync_folder, write_all
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
        self._errors: RowLog | None = None
        (folder / ERRORS).unlink(missing_ok=True)

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
        if self._errors is None:
            path = self.folder / ERRORS
            self._errors = RowLog(open_regular(path, os.O_RDWR | os.O_APPEND | os.O_CREAT), path, what="row")
        self._errors.append(_line(row))

    def close(self) -> None:
        """Makes everything durable and lets other processes write.

        Raises:
            StoreError: The disk refused.
        """
        try:
            if self._errors is not None:
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
    descriptor = _open_locked(_made(folder) / OPINIONS)
    try:
        if fresh:
            descriptor = _begin_again(folder, descriptor)
        stored = _read_inquiry(folder / INQUIRY)
        if stored is not None:
            _refuse_other(folder, stored, inquiry)
        elif os.fstat(descriptor).st_size:
            message = f"{folder} has opinions but no {INQUIRY}: it can't be told whose they are"
            raise StoreError(message, hint=_OTHER_FOLDER)
        found = _read_and_mend(folder / OPINIONS, descriptor)
        created = inquiry.created if stored is None else stored.created
        content = msgspec.json.encode(msgspec.structs.replace(inquiry, created=created))
        replace_file(folder / INQUIRY, msgspec.json.format(content, indent=1) + b"\n")
    except BaseException:
        os.close(descriptor)
        raise
    return OpinionLog(folder, RowLog(descriptor, folder / OPINIONS, what="opinion"), found)


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise store_error(folder, "make the folder", error) from error
    return folder


def _open_locked(path: Path) -> int:
    descriptor = open_regular(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        if not isinstance(error, BlockingIOError):
            raise store_error(path, "lock it", error) from error
        hint = "wait until it has ended, or name another folder"
        raise StoreError(f"{path.parent}: another process of assay is writing these opinions", hint=hint) from None
    return descriptor


def _begin_again(folder: Path, descriptor: int) -> int:
    """Sets the old opinions aside and opens an empty file in their place."""
    path = folder / OPINIONS
    has_rows = os.fstat(descriptor).st_size > 0
    try:
        if has_rows:
            path.replace(folder / PREVIOUS)
        (folder / INQUIRY).unlink(missing_ok=True)
        sync_folder(folder)
    except OSError as error:
        raise store_error(path, "set it aside", error) from error
    if not has_rows:
        return descriptor
    opened = _open_locked(path)
    os.close(descriptor)
    return opened


def _read_inquiry(path: Path) -> Inquiry | None:
    data = read_regular(path)
    if data is None:
        return None
    try:
        schema = msgspec.json.decode(data, type=dict[str, Any]).get("schema")
        if schema != SCHEMA:
            message = f"{path} has schema {schema!r}, and this release of assay reads {SCHEMA}"
            raise StoreError(message, hint="use the release that wrote it, or name another folder")
        return msgspec.json.decode(data, type=Inquiry)
    except UNREADABLE as error:
        raise StoreError(f"{path} is damaged: {error}", hint=_OTHER_FOLDER) from None


def _refuse_other(folder: Path, stored: Inquiry, wanted: Inquiry) -> None:
    """Does nothing where both ask the same judge in the same way.

    Raises:
        StoreError: They don't; each difference is named.
    """
    old, new = _deciding(stored), _deciding(wanted)
    found = [(name, old[name], new[name]) for name in old if old[name] != new[name]]
    if found:
        listing = "".join(f"\n  {name}: {was!r} there, {now!r} now" for name, was, now in found)
        raise StoreError(f"{folder} holds opinions of another kind:{listing}", hint=_OTHER_FOLDER)


def _deciding(inquiry: Inquiry) -> dict[str, Any]:
    """As it reads back from a file; of the rubric what people quote, and its digest."""
    row = msgspec.json.decode(msgspec.json.encode(inquiry), type=dict[str, Any])
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
    try:
        os.ftruncate(descriptor, whole)
        if unended:
            write_all(descriptor, b"\n")
    except OSError as error:
        raise store_error(path, "mend its last row", error) from error
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
