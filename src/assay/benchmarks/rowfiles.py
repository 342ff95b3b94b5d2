"""Rows out of a problem file, whatever its container: JSONL, the same gzipped, or one JSON array."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.errors import BadRow, DataError, SettingsError
from assay.jsonrows import BOM, LENIENT, Source, as_object, decode_text, json_kind, read_chunks

if TYPE_CHECKING:
    from collections.abc import Iterator

_GZIP = b"\x1f\x8b"
_PACKED = {b"PAR1": "a parquet file", b"ARROW1": "an Arrow file", b"PK\x03\x04": "a zip file"}
"""How files begin that hold rows in a form that is not read here, and what they are."""

_BLANKS = " \t\r\n"

MAX_BYTES = 2 << 30
"""No problem file is larger, packed or not: problems are kept in memory, and a pipe may go on for ever."""


class NumberedRow(NamedTuple):
    """A row and where it stands: the line, from 1, on which it begins."""

    line: int
    row: dict[str, Any]


def read_rows(path: str) -> tuple[list[NumberedRow], list[BadRow]]:
    """All rows of a file, and all lines that hold none.

    Raises:
        SettingsError: There is no such file, or it can't be read.
        DataError: The file is no gzip though it begins like one, no UTF-8, a broken array, or too large.
    """
    text = _text_of(path)
    return _array_rows(text, path) if text.lstrip(_BLANKS).startswith("[") else _line_rows(text)


def _text_of(path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            data = _whole(file, path)
        _refuse_packed(data, path)
        if data.startswith(_GZIP):
            data = _whole(gzip.GzipFile(fileobj=io.BytesIO(data)), path)
        return decode_text(data.removeprefix(BOM))
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"not a whole gzip file: {error}", path=path, hint="download it again") from None
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}", hint="check the path of the problem file") from None
    except ValueError as error:
        raise DataError(str(error), path=path, hint="problem files are UTF-8") from None


def _refuse_packed(data: bytes, path: str) -> None:
    kind = next((kind for begin, kind in _PACKED.items() if data.startswith(begin)), None)
    if kind is not None:
        hint = (
            "give its rows as .jsonl, .jsonl.gz or .json; without --data a named set is read from the Hugging Face hub"
        )
        raise DataError(f"is {kind}", path=path, hint=hint)


def _whole(source: Source, path: str) -> bytes:
    data = bytearray()
    for chunk in read_chunks(source, path):
        data += chunk
        if len(data) > MAX_BYTES:
            size = f"{MAX_BYTES >> 30} GiB"
            raise DataError(f"holds more than {size}", path=path, hint="problems are read whole; split the file")
    return bytes(data)


def _line_rows(text: str) -> tuple[list[NumberedRow], list[BadRow]]:
    rows: list[NumberedRow] = []
    bad: list[BadRow] = []
    # Not splitlines(): U+2028, form feeds and the like are data inside a JSON text.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip(_BLANKS):
            try:
                rows.append(NumberedRow(number, as_object(line, constants=True)))
            except ValueError as error:
                bad.append(BadRow(number, str(error)))
    return rows, bad


def _array_rows(text: str, path: str) -> tuple[list[NumberedRow], list[BadRow]]:
    rows: list[NumberedRow] = []
    bad: list[BadRow] = []
    for line, value in _array_items(text, path):
        if isinstance(value, dict):
            rows.append(NumberedRow(line, value))
        else:
            bad.append(BadRow(line, f"not an object but {json_kind(value)}"))
    return rows, bad


def _array_items(text: str, path: str) -> Iterator[tuple[int, object]]:
    """The items of a JSON array, each with the line on which it begins; a whole decode would not tell the line."""
    position, line, counted = text.index("["), 1, 0
    sign = "["
    while sign != "]":
        position = _after_blanks(text, position + 1)
        if sign == "[" and text[position : position + 1] == "]":
            break
        line, counted = line + text.count("\n", counted, position), position
        try:
            value, position = LENIENT.raw_decode(text, position)
        except RecursionError:
            raise DataError("nested too deeply", path=path, line=line) from None
        except ValueError as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
            raise DataError(f"the array is broken: {reason}", path=path, line=line) from None
        yield line, value
        position = _after_blanks(text, position)
        sign = text[position : position + 1]
        if sign not in {",", "]"}:
            raise DataError("the array is broken: ',' or ']' expected", path=path, line=line)
    if text[position + 1 :].strip(_BLANKS):
        raise DataError("something stands behind the array", path=path)


def _after_blanks(text: str, position: int) -> int:
    while text[position : position + 1] and text[position] in _BLANKS:
        position += 1
    return position
