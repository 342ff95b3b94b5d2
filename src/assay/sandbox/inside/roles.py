"""The two roles of a fork server and how their entry functions are loaded: before any door closes, and out of the candidate's reach.

An agent's entry is a file named by path, imported with its folder on the path for that while; afterwards neither it, nor its siblings,
nor anything of assay is importable or in `sys.modules`. The judge's entry is a module of assay, imported under bare packages, so that
no package's own imports are run (they need more than the standard library).

Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from types import ModuleType
from typing import Any

from assay.sandbox.inside.clockpage import SlotClock
from assay.sandbox.inside.confine import SCHEDSTAT
from assay.sandbox.inside.zygote import Role

JUDGE_ENTRY = "assay.judge.fork"
JUDGE_REHEARSAL = "assay.judge.rehearsal"


def agent_role(path: str) -> Role:
    """Runs `main(fd)` of the file at `path`; its `rehearse()`, if it has one, runs here and now, so that children find its code warm, and
    gives what is to be said to a child that rehearses.
    """
    entry = _load_file(path)
    return Role(None, entry.main, getattr(entry, "rehearse", tuple)() or ())


def judge_role(path: str | None) -> Role:
    """Runs `main(fd, clock)` of assay's judge, or of the file at `path`, once it is given a clock (`with_clock`)."""
    if path:
        main = _load_file(path).main
    else:
        main = importlib.import_module(JUDGE_ENTRY).main
        importlib.import_module(JUDGE_REHEARSAL).rehearse()
    return Role(None, main)


def with_clock(role: Role, clock_fd: int) -> Role:
    """The role with the child's own slot's page as its clock."""
    return role._replace(prepare=lambda slot: SlotClock(clock_fd, slot, inherited=True, schedstat=_own_schedstat()))


def _own_schedstat() -> int | None:
    """Opens the process's own scheduler statistics, while it can still see them, under a number that it keeps."""
    try:
        fd = os.open("/proc/self/schedstat", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    return os.dup2(fd, SCHEDSTAT)


def preload(names: list[str], sites: list[str]) -> None:
    """Imports packages that samples find ready; their directories stay on the path, for what they import later."""
    sys.path += sites
    for name in names:
        importlib.import_module(name)


def require_one_thread() -> None:
    """Refuses to go on where a preloaded package has started a thread: a lock that it holds would stay taken in every child.

    Raises:
        ImportError: That is so.
    """
    threads = len(sys._current_frames())  # noqa: SLF001 (the only count that needs no /proc and knows threads that `threading` doesn't)
    if threads > 1:
        raise ImportError(
            f"a package to preload has started {threads - 1} thread(s); samples can't be cloned beside them"
        )


def forget_modules(directories: list[str]) -> None:
    """Takes every module that came from one of the directories out of `sys.modules`, and the directories off the path."""
    sys.path[:] = [entry for entry in sys.path if os.path.realpath(entry) not in directories]
    for name, module in list(sys.modules.items()):
        paths = [getattr(module, "__file__", None) or "", *list(getattr(module, "__path__", []))]
        if name != "__main__" and any(_lies_in(path, directories) for path in paths):
            del sys.modules[name]
    sys.path_importer_cache.clear()
    sys.modules["__main__"] = ModuleType("__main__")


def _lies_in(path: str, directories: list[str]) -> bool:
    real = os.path.realpath(path) if path else ""
    return any(real == directory or real.startswith(directory + "/") for directory in directories)


def _load_file(path: str) -> Any:
    folder = os.path.dirname(os.path.realpath(path))
    sys.path.insert(0, folder)
    try:
        spec = importlib.util.spec_from_file_location("entry", path)
        if spec is None or spec.loader is None:
            raise ImportError(f"{path} is not a Python file")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(folder)
    return module
