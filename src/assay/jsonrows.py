"""The one strict reading of a JSON row, for problems and samples alike.

Lenient readers change numbers in silence: a key given twice keeps its last value, `NaN` passes, a cut line vanishes.
Here each of them is a `ValueError` whose message a person can act on. Lone surrogates pass: they are data, a model
wrote them. Neither does a source go on for ever: a line beyond any row's length is a `DataError`.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from typing import TYPE_CHECKING, Any, Protocol

from assay.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator

BOM = b"\xef\xbb\xbf"
"""UTF-8's byte order mark; accepted at the beginning of a file and nowhere else."""

MAX_LINE_BYTES = 256 << 20
"""No row is longer: what goes on without a line end is a device or a sparse file, and would be read for ever."""

_CHUNK_BYTES = 1 << 20


class Source(Protocol):
    """Bytes that are read from the beginning to the end: a file, a pipe, an unpacked file."""

    def read(self, size: int, /) -> bytes | None:
        """At most so many bytes; none at the end, and None where a pipe that doesn't wait has nothing yet."""


def read_chunks(source: Source, path: str) -> Iterator[bytes]:
    """The bytes of a source, piece by piece, for as long as its lines may be rows.

    Raises:
        DataError: A line is longer than `MAX_LINE_BYTES`; nothing beyond it is read.
        OSError: As the source's `read`; or it does not wait for its data, which must not pass for its end.
    """
    line, length = 1, 0
    while chunk := _waited_for(source.read(_CHUNK_BYTES)):
        end = chunk.find(b"\n")
        if length + (len(chunk) if end < 0 else end) > MAX_LINE_BYTES:
            raise endless_line(path, line)
        line += chunk.count(b"\n")
        length = length + len(chunk) if end < 0 else len(chunk) - chunk.rfind(b"\n") - 1
        yield chunk


def _waited_for(chunk: bytes | None) -> bytes:
    if chunk is None:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
    return chunk


def endless_line(path: str, line: int) -> DataError:
    """The error of a line that is longer than a row may be."""
    size = f"{MAX_LINE_BYTES >> 20} MiB"
    return DataError(f"the line is longer than {size}", path=path, line=line, hint="one JSON object a line is expected")


def decode_row(line: bytes, *, constants: bool = False) -> dict[str, Any]:
    r"""The object that one line of a JSONL file holds.

    Args:
        line: The bytes of the line, with or without its line end.
        constants: Whether `NaN` and `Infinity` may stand for numbers (published test inputs use them).

    Raises:
        ValueError: The line is no UTF-8, no JSON, no object, or gives a key twice; the message says which.

    >>> decode_row(b'{"id": "a"}\r\n')
    {'id': 'a'}
    >>> decode_row(b'{"id": 1, "id": 2}')
    Traceback (most recent call last):
    ValueError: the key 'id' is given twice
    """
    # Without its end, or a row that is cut would be wrong "at line 2 column 1".
    return as_object(decode_text(line).rstrip("\r\n"), constants=constants)


def decode_text(data: bytes) -> str:
    """UTF-8 bytes as text.

    Raises:
        ValueError: The bytes are not UTF-8.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8: byte 0x{data[error.start]:02x} at {error.start}") from None


def as_object(text: str, *, constants: bool = False) -> dict[str, Any]:
    """The JSON object in `text`; the same rules as `decode_row`.

    Raises:
        ValueError: `text` is no JSON, no object, or gives a key twice.
    """
    value = as_value(text, constants=constants)
    if type(value) is not dict:
        raise ValueError(f"not an object but {json_kind(value)}")
    return value


def as_value(text: str, *, constants: bool = False) -> Any:
    """The JSON value in `text`, of any kind; the same rules as `decode_row`.

    Raises:
        ValueError: `text` is no JSON, gives a key twice, or has a number of thousands of digits.
    """
    try:
        return (LENIENT if constants else STRICT).decode(text)
    except json.JSONDecodeError as error:
        line = "" if error.lineno == 1 else f"line {error.lineno} "
        raise ValueError(f"not JSON: {error.msg} at {line}column {error.colno}") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError as error:
        # Python's own words for it would tell the user to change a limit of the interpreter.
        if "int_max_str_digits" in str(error):
            raise ValueError(f"a number has more than {sys.get_int_max_str_digits():,} digits") from None
        raise


def json_kind(value: object) -> str:
    """What JSON calls a value: `null`, `a list`, `a number` ...

    >>> json_kind(True), json_kind(None), json_kind([1])
    ('a boolean', 'null', 'a list')
    """
    return _KINDS.get(type(value), type(value).__name__)


_KINDS = {
    type(None): "null",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "a text",
    list: "a list",
    tuple: "a list",
    dict: "an object",
}


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) == len(pairs):
        return row
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise ValueError(f"the key {key!r} is given twice")
        seen.add(key)
    raise AssertionError("a dict is smaller than its pairs only if a key repeats")


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


STRICT = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse)
"""Decoder of sample rows: no `NaN`, no repeated key."""

LENIENT = json.JSONDecoder(object_pairs_hook=_unique)
"""Decoder of problem rows: no repeated key."""
