"""What earlier runs found out, so that later ones need not find it out again: bytes under a digest, each in a file of its own.

Keeps true: what comes out was put in under the same key, or nothing comes out. A file that is damaged, cut short or lies under another
name is taken away. A folder that somebody else owns or may write in is not used at all: what is in it decides verdicts. The cache does not
know what it holds, and does not grow without end: what was not used for longest goes first.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from assay.errors import StoreError
from assay.store.files import read_regular, store_error

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

VARIABLE = "ASSAY_CACHE"
"""The environment variable that names the folder, or is `off`."""

LARGEST_BYTES = 8 << 20
"""What is larger is not kept: few such things would push out all others."""

MOST_BYTES = 512 << 20
"""Bytes that the files may have together once a run is over."""

_HEAD = b"assay cache 1\n"
_ENDING = ".kept"


class CacheSize(NamedTuple):
    """How much a cache holds."""

    entries: int
    bytes: int


def cache_folder(environment: Mapping[str, str]) -> Path | None:
    """Where the user's cache lies, None where there is to be none.

    >>> str(cache_folder({"XDG_CACHE_HOME": "/var/cache"})), cache_folder({"ASSAY_CACHE": "off"})
    ('/var/cache/assay', None)
    """
    named = environment.get(VARIABLE)
    if named is not None:
        return None if named in ("off", "") else Path(named)
    bases = Path(environment.get("XDG_CACHE_HOME", "")), Path(environment.get("HOME", "")) / ".cache"
    return next((base / "assay" for base in bases if base.is_absolute()), None)


class Cache:
    """Bytes under digests, in a folder that is the user's own.

    Args:
        folder: Where; it is made when the first thing is put in.

    Raises:
        StoreError: It can't be looked at, is no folder, or somebody else could have written what is in it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._has_grown = False
        try:
            found = folder.stat()
        except FileNotFoundError:
            return
        except OSError as error:
            raise store_error(folder, "look into it", error) from error
        if not stat.S_ISDIR(found.st_mode):
            raise StoreError(f"{folder} is no folder", hint=f"name a folder in {VARIABLE}, or set it to off")
        if found.st_uid != os.geteuid() or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            hint = f"make it your own (chown, chmod 700), or name another folder in {VARIABLE}"
            raise StoreError(f"{folder} may be written in by others than you, and decides verdicts", hint=hint)

    def get(self, key: str) -> bytes | None:
        """What was put in under that key.

        Raises:
            StoreError: It can't be read.
        """
        path = self._path(key)
        data = read_regular(path)
        if data is None:
            return None
        content = data[len(_HEAD) + 32 :]
        if data != _sealed(key, content):
            with contextlib.suppress(OSError):
                path.unlink()
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return content

    def put(self, key: str, content: bytes) -> None:
        """Keeps bytes under a key, unless they are too large.

        Raises:
            StoreError: They can't be written.
        """
        if len(content) > LARGEST_BYTES:
            return
        path = self._path(key)
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.parent.mkdir(mode=0o700, exist_ok=True)
            _write(path, _sealed(key, content))
        except OSError as error:
            raise store_error(path, "write it", error) from error
        self._has_grown = True

    def size(self) -> CacheSize:
        """How much there is."""
        sizes = [size for _, _, size in self._files()]
        return CacheSize(len(sizes), sum(sizes))

    def clear(self) -> CacheSize:
        """Takes everything away; how much that was."""
        before = self.size()
        for _, path, _ in self._files():
            with contextlib.suppress(OSError):
                path.unlink()
        return before

    def trim(self, most_bytes: int = MOST_BYTES) -> None:
        """Takes away what was not used for longest, where there is more than that and something was put in."""
        if not self._has_grown:
            return
        files = sorted(self._files())
        left = sum(size for _, _, size in files)
        for _, path, size in files:
            if left <= most_bytes:
                return
            with contextlib.suppress(OSError):
                path.unlink()
            left -= size

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key[2:]}{_ENDING}"

    def _files(self) -> Iterator[tuple[float, Path, int]]:
        """`(time of last use, path, size)` of each."""
        for path in self.folder.glob(f"??/*{_ENDING}"):
            with contextlib.suppress(OSError):  # another process may have taken it away
                found = path.lstat()
                yield found.st_mtime, path, found.st_size


def _sealed(key: str, content: bytes) -> bytes:
    return _HEAD + hashlib.sha256(key.encode() + b"\n" + content).digest() + content


def _write(path: Path, data: bytes) -> None:
    """Puts a whole file in its place; not synced, since one that is cut short is noticed."""
    descriptor, name = tempfile.mkstemp(prefix=".", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
