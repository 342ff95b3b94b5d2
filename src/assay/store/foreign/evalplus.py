"""EvalPlus's folders of programs: `FOLDER/Mbpp_2/0.py` is a whole program for `Mbpp/2`.

Keeps true: nothing outside the folder is read (links are not followed), nothing but regular files is opened, and samples
are numbered in the natural order of their files' names.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import DataError, SettingsError
from assay.jsonrows import MAX_LINE_BYTES, decode_text
from assay.order import natural_key
from assay.store.foreign.found import Foreign, Found
from assay.store.sample_rows import BadSample

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.store.sample_rows import ProblemIds

_SUFFIX = ".py"
_FILES = (".jsonl", ".jsonl.gz", ".json", ".eval")
_LINK = "a symbolic link, and links are not followed (they may lead out of the folder)"


def read_folder(path: str, ids: ProblemIds) -> Foreign:
    """The programs of a folder; the digest is over names and contents.

    While rows are read:

    Raises:
        SettingsError: The folder can't be read.
        DataError: It holds no programs.
    """
    folder = _Folder(path, ids)
    return Foreign(folder.rows(), folder.digest)


class _Folder:
    def __init__(self, path: str, ids: ProblemIds) -> None:
        self._path = Path(path)
        self._ids = ids
        self._named: dict[str, set[str]] = {}
        self._total = hashlib.sha256()
        for text, name in ids.texts():
            self._named.setdefault(text.replace("/", "_"), set()).add(name)

    def digest(self) -> str:
        return self._total.hexdigest()

    def rows(self) -> Iterator[Found]:
        any_found = False
        for task in _listed(self._path):
            for found in self._of_task(task):
                any_found = True
                yield found
        if not any_found:
            raise _no_programs(self._path)

    def _of_task(self, task: Path) -> Iterator[Found]:
        if not task.is_dir():
            return
        try:
            files = [] if task.is_symlink() else _programs(task)
        except OSError as error:
            yield Found(task.name, BadSample(_reason(error)))
            return
        if task.is_symlink():
            yield Found(task.name, BadSample(_LINK))
        for file in files:
            yield Found(f"{task.name}/{file.name}", self._row(file))

    def _row(self, file: Path) -> dict[str, str] | ValueError:
        task = file.parent.name
        try:
            data = _read_regular(file)
            self._total.update(os.fsencode(f"{task}/{file.name}\0{len(data)}\0") + data)
            return {"task_id": self._problem(task), "solution": decode_text(data)}
        except OSError as error:
            return BadSample(_reason(error))
        except ValueError as error:
            return error

    def _problem(self, task: str) -> str:
        names = self._named.get(task, set())
        if len(names) > 1:
            raise BadSample(f"the folder's name stands for several problems: {', '.join(sorted(names))}")
        return next(iter(names), None) or self._ids.match(task.replace("_", "/"), "task_id").problem_id


def _read_regular(path: Path) -> bytes:
    # Without O_NONBLOCK a named pipe would hold us here until somebody wrote into it.
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise BadSample("not a regular file")
        if status.st_size > MAX_LINE_BYTES:
            raise BadSample(f"larger than {MAX_LINE_BYTES >> 20} MiB")
        return file.read(status.st_size)  # not MAX_LINE_BYTES: Python takes so much memory before it reads


def _reason(error: OSError) -> str:
    return _LINK if error.errno == errno.ELOOP else f"it can't be read: {error.strerror or error}"


def _sorted(folder: Path) -> list[Path]:
    return sorted(folder.iterdir(), key=lambda path: natural_key(path.name))


def _programs(task: Path) -> list[Path]:
    return [path for path in _sorted(task) if path.name.endswith(_SUFFIX)]


def _listed(folder: Path) -> list[Path]:
    try:
        return _sorted(folder)
    except OSError as error:
        raise SettingsError(f"{folder}: {error.strerror or error}", hint="see that you may read the folder") from None


def _no_programs(folder: Path) -> DataError:
    """The error of a folder without programs; it names what was probably meant."""
    meant = next((path for path in _listed(folder) if path.name.endswith(_FILES) or _holds_programs(path)), None)
    if meant is not None:
        hint = f"did you mean {meant}?"
    else:
        hint = "a folder of EvalPlus holds one folder a problem, with a program in each file: Mbpp_2/0.py"
    return DataError("the folder holds no programs", path=str(folder), hint=hint)


def _holds_programs(folder: Path) -> bool:
    try:
        return any(_programs(task) for task in _sorted(folder) if task.is_dir())
    except OSError:
        return False
