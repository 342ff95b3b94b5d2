"""The bytes of a sample file, readable at any place: the file itself, or a copy of what was packed or came through a pipe.

Copies are unlinked temporary files: they need disk, no memory, and are gone whatever ends the process.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import os
import stat
import sys
import tempfile
import zlib
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from assay.errors import DataError, SettingsError
from assay.jsonrows import BOM, MAX_LINE_BYTES, Source, endless_line, read_chunks

if TYPE_CHECKING:
    from collections.abc import Iterator

_GZIP = b"\x1f\x8b"
_BLANKS = b" \t\r\n"


def open_source(path: str) -> IO[bytes]:
    """A handle on the bytes of a file or pipe (`-`: standard input), unpacked where they are gzipped, at their beginning.

    Raises:
        SettingsError: The file can't be opened.
        DataError: It is not a whole gzip file, or a line of it is longer than `MAX_LINE_BYTES`.
    """
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


class Line(NamedTuple):
    """A line that holds something: its number from 1, where it begins, and its bytes with the line end."""

    number: int
    offset: int
    data: bytes


class Lines:
    """The lines of a file from its beginning: blank ones are passed over, a byte order mark may stand before the first.

    Lines end at LF only. Iterating raises `DataError` where a line is longer than `MAX_LINE_BYTES`.

    Args:
        handle: The file; it is read from its beginning.
        path: Its name, for messages.
    """

    def __init__(self, handle: IO[bytes], path: str) -> None:
        self._handle = handle
        self._path = path
        self._total = hashlib.sha256()

    def __iter__(self) -> Iterator[Line]:
        self._handle.seek(0)
        offset = 0
        for number, line in enumerate(iter(partial(self._handle.readline, MAX_LINE_BYTES + 1), b""), 1):
            if len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
                raise endless_line(self._path, number)
            self._total.update(line)
            start = offset
            offset += len(line)
            if number == 1 and line.startswith(BOM):
                line, start = line[len(BOM) :], start + len(BOM)  # noqa: PLW2901 (the rest of the line is the row)
            if line[:1] == b"{" or line.strip(_BLANKS):
                yield Line(number, start, line)

    def digest(self) -> str:
        """SHA-256, hexadecimal, of everything that was read, blank lines too."""
        return self._total.hexdigest()
