"""How the files of a run folder are opened and replaced.

Keeps true: no file is reached through a symbolic link (a link that somebody else put there could make assay overwrite a
file elsewhere); a replaced file is whole, old or new, whenever the machine stops; every failure is one `StoreError` that
names the file and a way out.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from typing import TYPE_CHECKING

from assay.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""The disk is full, or a quota or size limit is reached."""


def store_error(path: Path, action: str, error: OSError) -> StoreError:
    """The `StoreError` that says what could not be done with `path`, why, and what helps."""
    if error.errno == errno.ELOOP:
        return _link_error(path)
    if error.errno in (errno.EEXIST, errno.ENOTDIR) and (file := _file_on_the_way(path)) is not None:
        return StoreError(f"{file} is a file, and a folder is wanted there", hint="name another folder")
    if error.errno in FULL:
        hint = "free some space, then run the same command again: all that was written so far is kept"
    elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        hint = "name a folder that you may write in"
    else:
        hint = "see that the folder exists and that its disk works"
    return StoreError(f"{path}: can't {action}: {error.strerror or error}", hint=hint)


def _file_on_the_way(path: Path) -> Path | None:
    """What is no folder, of a path that should be one."""
    return next((each for each in (path, *path.parents) if each.exists() and not each.is_dir()), None)


def _link_error(path: Path) -> StoreError:
    why = "a run's files are not reached through links, since a link could make assay overwrite a file elsewhere"
    return StoreError(f"{path} is a symbolic link: {why}", hint="remove the link, or name the folder that it leads to")


def open_regular(path: Path, flags: int) -> int:
    """A descriptor of a regular file, never of a link's target, a device or a pipe.

    Args:
        path: The file.
        flags: As for `os.open`.

    Raises:
        StoreError: It can't be opened, or is something else.
        FileNotFoundError: It does not exist and `flags` do not create it.
    """
    try:
        # Without O_NONBLOCK a named pipe would hold us here until somebody wrote into it.
        descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK, 0o644)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise store_error(path, "open it", error) from error
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise StoreError(f"{path} is not a regular file", hint="name another folder")


def read_regular(path: Path) -> bytes | None:
    """The bytes of a file, or None where there is no such file.

    Raises:
        StoreError: It can't be read.
    """
    try:
        descriptor = open_regular(path, os.O_RDONLY)
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        try:
            return file.read()
        except OSError as error:
            raise store_error(path, "read it", error) from error


def write_all(descriptor: int, data: bytes) -> None:
    """Writes all bytes: in one call, unless the system takes only a part of them.

    Raises:
        OSError: As `os.write`; a part may have been written.
    """
    written = os.write(descriptor, data)
    while written < len(data):
        written += os.write(descriptor, data[written:])


def replace_file(path: Path, data: bytes) -> None:
    """Writes `path` anew; whoever reads it, whenever the machine stops, finds the whole old or the whole new file.

    Raises:
        StoreError: It can't be written, or is a symbolic link; the old file is then untouched.
    """
    replace_file_by(path, (data,))


def replace_file_by(path: Path, pieces: Iterable[bytes]) -> None:
    """As `replace_file`, from pieces that are made while it is written; where their making fails, the old file stays.

    Raises:
        StoreError: It can't be written, or is a symbolic link, a device or anything else but a file; what was there is then untouched.
    """
    _require_replaceable(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()
        _write_synced(temporary, pieces)
        temporary.replace(path)
        sync_folder(path.parent)
    except BaseException as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError):
            raise store_error(path, "write it", error) from error
        raise


def _require_replaceable(path: Path) -> None:
    """A rename puts a file in the place of anything but a folder: of /dev/null too, for every program of the machine."""
    try:
        mode = path.lstat().st_mode
    except OSError:  # nothing is there; or else writing tells what is wrong
        return
    if stat.S_ISLNK(mode):
        raise _link_error(path)
    if not stat.S_ISREG(mode):
        raise StoreError(f"{path} is not a regular file, so it is not replaced", hint="name another file")


def _write_synced(path: Path, pieces: Iterable[bytes]) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
    try:
        for piece in pieces:
            write_all(descriptor, piece)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder durable (some file systems can't; then they need not).

    Raises:
        OSError: As `os.open`.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
