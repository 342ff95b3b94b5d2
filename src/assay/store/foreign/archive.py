"""Zip archives from strangers: no entry, and not all of them together, may unpack to more than is believable.

The sizes that an archive declares are never trusted; what comes out is counted. inspect packs with Zstandard, which
Python's own `zipfile` can't unpack before 3.14.
"""

from __future__ import annotations

import importlib
import io
import struct
import sys
import zipfile
import zlib
from typing import IO, Any

from assay.errors import DataError

MAX_ENTRY_BYTES = 64 << 20
"""No entry is larger when it is unpacked: parsed, it needs several times as much memory. Answers that are code are far smaller."""

BELIEVABLE_RATIO = 200
"""All entries together unpack to at most so many times the archive's size, and to one largest entry."""

_ZSTANDARD = 93
_LOCAL_HEADER = struct.Struct("<4s22xHH")
_ENCRYPTED = 0x1
_PIECE_BYTES = 1 << 20
_TROUBLES = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError, struct.error)
"""What `zipfile` raises on damaged archives."""


class BadEntry(ValueError):
    """An entry can't be unpacked; the message says why."""


class Archive:
    """An archive that is open for reading; its directory is in memory, its entries are not.

    Args:
        handle: The file; it stays open.
        path: Its name, for messages.

    Raises:
        DataError: It is damaged.
    """

    def __init__(self, handle: IO[bytes], path: str) -> None:
        self._handle = handle
        self._path = path
        self._left = MAX_ENTRY_BYTES + BELIEVABLE_RATIO * handle.seek(0, io.SEEK_END)
        try:
            self._zip = zipfile.ZipFile(handle)
        except _TROUBLES as error:
            raise DataError(f"not a whole zip archive: {error}", path=path, hint="copy it again") from None

    def names(self) -> list[str]:
        """The names of the entries; one that is there twice stands for its last entry."""
        return list(dict.fromkeys(self._zip.namelist()))

    def read(self, name: str) -> bytes:
        """The bytes of an entry.

        Raises:
            BadEntry: It is damaged, encrypted, or larger than `MAX_ENTRY_BYTES`.
            DataError: The archive unpacks to far more than its size, or needs a package that is not installed.
        """
        info = self._zip.getinfo(name)
        if info.flag_bits & _ENCRYPTED:
            raise BadEntry("the entry is encrypted")
        try:
            data = self._unpacked(info)
        except _TROUBLES as error:
            raise BadEntry(f"the entry is damaged: {error}") from None
        self._left -= len(data)
        if self._left < 0:
            message = f"the archive unpacks to more than {BELIEVABLE_RATIO} times its size"
            raise DataError(message, path=self._path, hint="no log does; if yours is honest, unpack it and write rows")
        if len(data) > MAX_ENTRY_BYTES:
            raise BadEntry(f"the entry unpacks to more than {MAX_ENTRY_BYTES >> 20} MiB")
        return data

    def _unpacked(self, info: zipfile.ZipInfo) -> bytes:
        if info.compress_type == _ZSTANDARD:
            return self._unpacked_zstandard(info)
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise zipfile.BadZipFile(f"compression method {info.compress_type} is not known")
        with self._zip.open(info) as entry:
            return entry.read(MAX_ENTRY_BYTES + 1)

    def _unpacked_zstandard(self, info: zipfile.ZipInfo) -> bytes:
        self._handle.seek(info.header_offset)
        mark, name_length, extra_length = _LOCAL_HEADER.unpack(self._handle.read(_LOCAL_HEADER.size))
        if mark != b"PK\x03\x04":
            raise zipfile.BadZipFile("there is no entry where the directory says")
        self._handle.seek(name_length + extra_length, io.SEEK_CUR)
        packed = self._handle.read(min(info.compress_size, MAX_ENTRY_BYTES))
        data = _unpack_zstandard(packed, self._path)
        if len(data) <= MAX_ENTRY_BYTES and zlib.crc32(data) != info.CRC:
            raise zipfile.BadZipFile("its checksum is wrong")
        return data


def _unpack_zstandard(packed: bytes, path: str) -> bytes:
    reader, trouble = _zstandard_reader(io.BytesIO(packed), path)
    pieces, left = [], MAX_ENTRY_BYTES + 1
    try:
        while left > 0 and (piece := reader.read(min(left, _PIECE_BYTES))):
            pieces.append(piece)
            left -= len(piece)
    except trouble as error:
        raise zipfile.BadZipFile(str(error)) from None
    return b"".join(pieces)


def _zstandard_reader(source: IO[bytes], path: str) -> tuple[IO[bytes], type[Exception]]:
    """A stream of what `source` holds packed, over all its frames, and the error that the stream raises."""
    # By name, since neither module is there under every Python that we run on.
    try:
        if sys.version_info >= (3, 14):
            module: Any = importlib.import_module("compression.zstd")
            return module.ZstdFile(source), module.ZstdError
        module = importlib.import_module("zstandard")
    except ImportError:
        hint = "pip install -e '.[inspect]' in assay's checkout; or let inspect write it: inspect log convert LOG --to json --output-dir ."
        message = "the log is packed with Zstandard, which this Python can't unpack without the package zstandard"
        raise DataError(message, path=path, hint=hint) from None
    return module.ZstdDecompressor().stream_reader(source, read_across_frames=True), module.ZstdError
