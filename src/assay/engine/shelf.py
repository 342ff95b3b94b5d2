"""What references told in earlier runs, kept so that they need not run again: with few samples a problem, that is half of the work.

Keeps true: a kept answer is one that the reference would give again. So only those of plain references are kept (`judge/plain_programs.py`:
no files, no randomness, no modules but well-known ones of the standard library), and none that could read the clock; none of another
interpreter that the user named, whose packages may change; and the key holds the problem, its limits, the seeds, the isolation, both
interpreters, the C library and every line of the code that makes and reads such an answer. Below level L2, where a candidate could write
the user's files, nothing is kept or read. What was read is looked at as any answer of a judge is, and the judge that gets it is jailed.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import StoreError
from assay.judge.wire import codec
from assay.records import digest
from assay.store import LARGEST_BYTES, Cache, cache_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.engine.settings import Settings
    from assay.engine.work import Task
    from assay.records import Isolation

LEAST_LEVEL = "L2"
"""The isolation under which no candidate writes a file of the user's."""

_CODE = ("judge", "guest", "engine")
_NO_C_LIBRARY = "unknown"


class Shelf:
    """A user's cache, as far as it holds calibrations.

    Args:
        kept: The cache.
        note: Told once if it can't be used any more.
    """

    def __init__(self, kept: Cache, note: Callable[[str], None]) -> None:
        self._kept: Cache | None = kept
        self._note = note

    @classmethod
    def open(cls, settings: Settings, isolation: Isolation, note: Callable[[str], None]) -> Shelf | None:
        """The shelf in the user's cache folder; None where nothing is to be kept. `note` is told why, where that may surprise."""
        folder = cache_folder(os.environ)
        if not settings.cache or folder is None or settings.python is not None or isolation.level < LEAST_LEVEL:
            return None
        try:
            return cls(Cache(folder), note)
        except StoreError as error:
            note(f"nothing is kept for later runs: {error.message}")
            return None

    def recall(self, task: Task) -> tuple[Any, ...] | None:
        """The calibration, the numbers of cases, the screen and the questions that were kept for a problem, as a judge would tell them;
        the questions are None where none were made.
        """
        if self._kept is None or not task.is_repeatable:
            return None
        try:
            data = self._kept.get(_key(task))
            told = None if data is None else codec.decode(data)
        except StoreError as error:
            self._give_up(error)
            return None
        except codec.CodecError:
            return None
        return told if type(told) is tuple and len(told) == 4 and type(told[0]) is bytes else None

    def keep(self, task: Task) -> None:
        """Keeps what judges told of a problem that was calibrated, so far."""
        if self._kept is None or not task.is_repeatable or len(task.calibration or "") not in range(1, LARGEST_BYTES):
            return
        told = (task.calibration, tuple(task.totals), task.screen, task.questions or None)
        try:
            self._kept.put(_key(task), codec.encode(told))
        except StoreError as error:
            self._give_up(error)

    def close(self) -> None:
        """Makes room for the next run."""
        if self._kept is not None:
            self._kept.trim()

    def _give_up(self, error: StoreError) -> None:
        self._kept = None
        self._note(f"nothing more is kept for later runs: {error.message}")


def _key(task: Task) -> str:
    return digest("calibration", task.key, task.seeds, _machine())


@cache
def _machine() -> str:
    """The code that makes and reads calibrations, and what it runs on."""
    root, code = Path(__file__).resolve().parent.parent, hashlib.sha256()
    for path in sorted(path for name in _CODE for path in (root / name).glob("*.py")):
        code.update(path.read_bytes())
    try:
        library = os.confstr("CS_GNU_LIBC_VERSION") or _NO_C_LIBRARY
    except (OSError, ValueError):
        library = _NO_C_LIBRARY
    return digest(code.hexdigest(), sys.version, library, platform.machine())
