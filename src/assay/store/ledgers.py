"""A file of rows that grows, and that one process owns while it does; and the file of errors beside one.

Keeps true: whoever writes holds a lock, which ends with the process however that ends; rows that are begun again are set aside, never
deleted; a file that is taken up again ends with a whole line.
"""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING, NamedTuple

from assay.errors import StoreError
from assay.store.files import open_regular, store_error, sync_folder, write_all
from assay.store.rows import RowLog

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class Ledger(NamedTuple):
    """A growing file, and how a person is told of it.

    `previous` is where its rows are kept when they are begun again. `named` is what the user has named, a file or a folder as `kind` says,
    and `contents` what is written in it ("this run").
    """

    path: Path
    previous: Path
    named: Path
    kind: str
    contents: str

    def open_locked(self) -> int:
        """A descriptor of the file, for appending, locked against other processes until it is closed; the folder is made if need be.

        Raises:
            StoreError: It can't be opened, or another process writes it.
        """
        make_folder(self.path.parent)
        descriptor = open_regular(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            if not isinstance(error, BlockingIOError):
                raise store_error(self.path, "lock it", error) from error
            hint = f"wait until it has ended, or name another {self.kind}"
            message = f"{self.named}: another process of assay is writing {self.contents}"
            raise StoreError(message, hint=hint) from None
        return descriptor

    def begin_again(self, descriptor: int, stale: Iterable[Path]) -> int:
        """Sets the old rows aside and opens an empty file in their place; an empty file stays open as it is.

        Args:
            descriptor: The file's; closed if another one is given back.
            stale: Files beside it that spoke of the old rows; they are removed.

        Raises:
            StoreError: The files can't be moved, or another process writes them.
        """
        has_rows = os.fstat(descriptor).st_size > 0
        try:
            if has_rows:
                self.path.replace(self.previous)
            for path in stale:
                path.unlink(missing_ok=True)
            sync_folder(self.path.parent)
        except OSError as error:
            raise store_error(self.path, "set it aside", error) from error
        if not has_rows:
            return descriptor
        opened = self.open_locked()
        os.close(descriptor)
        return opened


class ErrorRows:
    """Rows about what did not come, in a file that is there only if there are any; what an earlier run wrote is removed at once.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._log: RowLog | None = None
        path.unlink(missing_ok=True)

    def append(self, line: bytes) -> None:
        """Writes a line; it is in the file when this returns.

        Raises:
            StoreError: It could not be written.
        """
        if self._log is None:
            descriptor = open_regular(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
            self._log = RowLog(descriptor, self._path, what="row")
        self._log.append(line)

    def close(self) -> None:
        """Makes them durable.

        Raises:
            StoreError: The disk refused.
        """
        if self._log is not None:
            self._log.close()


def make_folder(folder: Path) -> None:
    """Makes a folder with all above it, where it is not there yet.

    Raises:
        StoreError: It can't be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise store_error(folder, "make the folder", error) from error


def end_with_whole_line(path: Path, descriptor: int, whole_bytes: int, *, unended: bool) -> None:
    """Cuts off what a kill has left of a last row.

    Args:
        path: The file's name, for messages.
        descriptor: The file, open for appending.
        whole_bytes: Where its last whole row ends.
        unended: Whether that row lacks its line end.

    Raises:
        StoreError: The file can't be changed.
    """
    try:
        os.ftruncate(descriptor, whole_bytes)
        if unended:
            write_all(descriptor, b"\n")
    except OSError as error:
        raise store_error(path, "mend its last row", error) from error
