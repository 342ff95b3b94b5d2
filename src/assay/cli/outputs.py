"""Files that a command is told to write: where a folder or somebody else's file is in the place, it is refused before any work is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_HEAD_BYTES = 4096
"""So much of a file tells what made it."""


def require_free(
    path: Path,
    flag: str,
    *,
    kind: str = "",
    is_ours: Callable[[bytes], bool] | None = None,
    overwrite: bool | None = None,
) -> None:
    """Does nothing where a file may be written.

    Args:
        path: The file.
        flag: The option that named it.
        kind: What is replaced without a word, for the message.
        is_ours: Whether a file that begins so is of that kind.
        overwrite: Whether anything may be replaced; None if no option allows that.

    Raises:
        SettingsError: A folder is there, or a file that may not be replaced.
    """
    if path.is_dir():
        raise SettingsError(f"{flag} {path} is a folder", hint="name a file in it")
    if not path.exists() or overwrite or (is_ours is not None and is_ours(_head(path))):
        return
    told = f", and is no {kind}" if kind else ""
    way_out = "name another file" if overwrite is None else "name another file, or give --overwrite"
    raise SettingsError(f"{path} is there already{told}", hint=way_out)


def _head(path: Path) -> bytes:
    """How a file begins; nothing where that can't be read, which is then nobody's."""
    try:
        with path.open("rb") as file:
            return file.read(_HEAD_BYTES)
    except OSError:
        return b""
