"""Which form a sample file has, told by its content and shape alone; rows of ours are no foreign form.

What holds: a file that could be two things, or that is one JSON document of no known kind, is an error with a way out. A
file is taken for rows unless something else is certain, so that a bad first row stays a bad row.
"""

from __future__ import annotations

import hashlib
from functools import partial
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from assay.errors import DataError
from assay.jsonrows import decode_row
from assay.store.foreign.bigcode import read_generations
from assay.store.foreign.documents import decode_value, read_document
from assay.store.foreign.found import Foreign, Found
from assay.store.foreign.inspect_log import is_log, read_archive, read_log
from assay.store.foreign.lm_eval import is_log_row, read_sample_log
from assay.store.sample_rows import ID_FIELDS, TEXT_FIELDS
from assay.store.sample_source import Lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assay.records import Benchmark
    from assay.store.sample_rows import ProblemIds

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_FORMS = "known are rows (one JSON object a line), bigcode's generations.json and inspect's logs"


def recognise(handle: IO[bytes], path: str, benchmark: Benchmark, ids: ProblemIds) -> Foreign | None:
    """The foreign form of a file; None where it holds rows of ours.

    Args:
        handle: The file, readable at any place.
        path: Its name, for messages.
        benchmark: The problems that its samples answer.
        ids: How an id names a problem.

    Raises:
        DataError: The file has no known form, or more than one.
    """
    rows = _rows(handle, path, benchmark, ids)
    return None if rows is None else Foreign(rows, partial(_digest, handle))


def _digest(handle: IO[bytes]) -> str:
    handle.seek(0)
    return hashlib.file_digest(handle, "sha256").hexdigest()  # type: ignore[arg-type]  # typeshed wants readinto, which all files have


def _rows(handle: IO[bytes], path: str, benchmark: Benchmark, ids: ProblemIds) -> Iterator[Found] | None:
    if _beginning(handle) in _ZIP:
        return read_archive(handle, path)
    document = _document(handle, path)
    if document is not None:
        return _of_document(document.value, path, benchmark, ids)
    row = _first_row(handle, path)
    if row is None or not is_log_row(row):
        return None
    _refuse_both(row, path)
    return read_sample_log(Lines(handle, path), path)


def _beginning(handle: IO[bytes]) -> bytes:
    handle.seek(0)
    return handle.read(4)


class _Document(NamedTuple):
    """A file that is one JSON value."""

    value: object


def _document(handle: IO[bytes], path: str) -> _Document | None:
    """The one value of a file that is no file of rows."""
    lines = iter(Lines(handle, path))
    first = next(lines, None)
    if first is None:
        return None
    alone = next(lines, None) is None
    try:
        value = decode_value(first.data)
    except ValueError:
        return None if alone else _indented(handle, path, first.data.strip())
    return _Document(value) if alone and not _is_row(value) else None


def _indented(handle: IO[bytes], path: str, first_line: bytes) -> _Document | None:
    """A value that is spread over lines. No row is a lone bracket; any other broken first line may be a bad row."""
    if first_line[:1] not in (b"{", b"["):
        return None
    try:
        return _Document(read_document(handle, path))
    except (ValueError, DataError) as error:
        if first_line not in (b"{", b"["):
            return None
        if isinstance(error, DataError):
            raise
        raise DataError(str(error), path=path, hint="is the file whole?") from None


def _is_row(value: object) -> bool:
    """Whether the only line of a file is a row, good or bad: an object with a row's fields, or no object and no list."""
    if isinstance(value, dict):
        return is_log_row(value) or any(field in value for field in (*ID_FIELDS, *TEXT_FIELDS))
    return not isinstance(value, list)


def _of_document(value: object, path: str, benchmark: Benchmark, ids: ProblemIds) -> Iterator[Found]:
    if isinstance(value, dict) and is_log(value):
        return read_log(value, path)
    if not isinstance(value, list):
        keys = f" with the keys {', '.join(sorted(value)[:8])}" if isinstance(value, dict) and value else ""
        raise DataError(f"a JSON document{keys}, whose form is not known", path=path, hint=_FORMS)
    if all(isinstance(each, dict) for each in value) and value:
        hint = "write one object a line: jq -c '.[]' FILE > samples.jsonl"
        raise DataError("a JSON list of objects, where rows are expected", path=path, hint=hint)
    if not all(isinstance(each, list | None) for each in value):
        hint = f"bigcode's generations.json holds a list of programs for each problem; {_FORMS}"
        raise DataError("a JSON list, but not of lists", path=path, hint=hint)
    return read_generations(value, path, benchmark, ids)


def _first_row(handle: IO[bytes], path: str) -> Mapping[str, Any] | None:
    for line in Lines(handle, path):
        try:
            return decode_row(line.data, constants=True)
        except ValueError:
            continue
    return None


def _refuse_both(row: Mapping[str, Any], path: str) -> None:
    texts = [field for field in TEXT_FIELDS if field in row]
    if texts and any(field in row for field in ID_FIELDS):
        message = f"the rows are lm-eval's ('doc', 'resps') and samples of their own ({texts[0]!r}) at the same time"
        hint = f"keep one of them: jq -c 'del(.resps)' FILE, or jq -c 'del(.{texts[0]})' FILE"
        raise DataError(message, path=path, hint=hint)
