"""JSON documents: files that are one value. They are parsed whole, since nothing in them can be read without the rest."""

from __future__ import annotations

import io
from typing import IO

from assay.errors import DataError
from assay.jsonrows import BOM, as_value, decode_text

MAX_DOCUMENT_BYTES = 256 << 20
"""No document is larger: parsed, it needs several times as much memory."""


def decode_value(data: bytes) -> object:
    """The JSON value that some bytes hold, with `NaN` and `Infinity`, which Python's own writer puts out.

    Raises:
        ValueError: They are not UTF-8, no JSON, or give a key twice.
    """
    value: object = as_value(decode_text(data.removeprefix(BOM)), constants=True)
    return value


def read_document(handle: IO[bytes], path: str) -> object:
    """The value of a whole file.

    Raises:
        ValueError: It is not one JSON value.
        DataError: It is larger than `MAX_DOCUMENT_BYTES`.
    """
    size = handle.seek(0, io.SEEK_END)
    if size > MAX_DOCUMENT_BYTES:
        most = f"{MAX_DOCUMENT_BYTES >> 20} MiB"
        hint = "write it as rows, one JSON object a line (inspect: as an .eval log); these are read piece by piece"
        raise DataError(f"a JSON document is parsed whole, and this one is larger than {most}", path=path, hint=hint)
    handle.seek(0)
    return decode_value(handle.read(size))  # not MAX_DOCUMENT_BYTES: Python takes so much memory before it reads
