"""The ladder: which rung and layers this machine gives, found by doing each in a throw-away child, never by reading settings.

    L4  namespaces, two uids, seccomp        L3  the same with one uid        L2  Landlock and seccomp, no processes        L1  limits only

A machine whose system calls we have no list for can have no server at all. Runs inside the server process: standard
library only, CPython >= 3.9.
"""

from __future__ import annotations

import os
import signal
from typing import Callable, NamedTuple

from assay.sandbox.inside import accounting, cgroup, landlock, limits, linux, namespaces, seccomp
from assay.sandbox.inside.clone import clone
from assay.sandbox.inside.confine import server_steps
from assay.sandbox.inside.layout import Layout, readable
from assay.sandbox.inside.views import View
from assay.sandbox.inside.zygote import try_hatching

NAMESPACES, TWO_UIDS, LANDLOCK, SECCOMP = "namespaces", "two uids", "landlock", "seccomp"
NO_NEW_PRIVILEGES, LIMITS, FAIR_CLOCK, MEMORY_CGROUP = (
    "no new privileges",
    "resource limits",
    "fair clock",
    "memory cgroup",
)


Ways = tuple[tuple[str, Callable[[], object]], ...]
"""Layers by name, and what a throw-away child does to see whether each works."""

_WAS_KILLED = f"ended with -{int(signal.SIGKILL)}"


class Layer(NamedTuple):
    """One layer: whether it works here, and if not, why (the kernel's words)."""

    name: str
    works: bool
    why: str


class Ladder(NamedTuple):
    """The highest rung that works, the level that it gives with the other layers, and what was found about each."""

    rung: str
    level: str
    layers: tuple[Layer, ...]

    def works(self, name: str) -> bool:
        """Whether the layer of that name is in force."""
        return any(layer.works for layer in self.layers if layer.name == name)


def find(paths: Layout, role: str, without: list[str], engine: int) -> Ladder:
    """Tries everything, each in a child of its own, or several that can't disturb each other in one. `without` names layers to leave out:
    they count as missing; `engine` is the pid of assay itself.
    """
    rung, files = _find_rung(paths, role, without)
    doors = ((LANDLOCK, lambda: _try_landlock(paths, rung)), (SECCOMP, _try_seccomp))
    harmless = ((NO_NEW_PRIVILEGES, server_steps), (LIMITS, limits.set_for_good), (FAIR_CLOCK, _try_fair_clock))
    wall = ((MEMORY_CGROUP, lambda: _try_memory_cgroup(rung, engine)),)
    layers = (*files, *_tried(doors, without), *_tried_at_once(harmless, without), *_tried(wall, without))
    return Ladder(rung, _level(rung, {layer.name for layer in layers if layer.works}), layers)


def _tried(ways: Ways, without: list[str]) -> list[Layer]:
    return [Layer(name, *_outcome(_left_out(name, without) or attempt(do))) for name, do in ways]


def _tried_at_once(ways: Ways, without: list[str]) -> list[Layer]:
    """As `_tried`, by one child where nothing is amiss."""
    if any(name in without for name, _ in ways) or attempt(lambda: [do() for _, do in ways]):
        return _tried(ways, without)
    return [Layer(name, True, "") for name, _ in ways]


def attempt(do: Callable[[], object]) -> str:
    """What went wrong when a throw-away child did it; empty if nothing did. One that somebody killed tells nothing: it is tried anew."""
    why = _attempt_once(do)
    return _attempt_once(do) if why.endswith(_WAS_KILLED) or _WAS_KILLED + ":" in why else why


def _attempt_once(do: Callable[[], object]) -> str:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        _report_failure(do, writer)
    os.close(writer)
    with os.fdopen(reader, "rb") as words:
        said = words.read().decode("utf-8", "replace")
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return said or (f"the child that tried it ended with {code}" if code else "")


def enter(rung: str, paths: Layout, role: str, slots: int) -> tuple[int, int]:
    """Really enters the rung: `(pid, pidfd)` of the server in this process, `(0, -1)` in the server."""
    standard_library = os.path.dirname(os.__file__)
    if rung == namespaces.TWO_UIDS:
        return _enter_namespaces(rung, paths, role, slots)
    unprivileged = os.geteuid() != 0 or namespaces.become_unprivileged(standard_library)
    if rung == namespaces.ONE_UID:
        if not unprivileged:
            raise PermissionError(13, f"an unprivileged user can't read {standard_library}")
        return _enter_namespaces(rung, paths, role, slots)
    if not unprivileged:
        linux.drop_capabilities()
    return clone(0)


def child_flags(rung: str) -> int:
    """The namespaces that each child of a server on this rung has for itself."""
    return 0 if rung == namespaces.NONE else linux.NEWPID


def _enter_namespaces(rung: str, paths: Layout, role: str, slots: int) -> tuple[int, int]:
    namespaces.enter_files(rung, paths, slots)
    return namespaces.clone_server(rung, role, slots)


def _find_rung(paths: Layout, role: str, without: list[str]) -> tuple[str, list[Layer]]:
    two = (
        _unknown_machine()
        or _left_out(TWO_UIDS, without)
        or _left_out(NAMESPACES, without)
        or _needs_root()
        or attempt(lambda: _try_rung(namespaces.TWO_UIDS, paths, role))
    )
    if not two:
        return namespaces.TWO_UIDS, [Layer(NAMESPACES, True, ""), Layer(TWO_UIDS, True, "")]
    one = (
        _unknown_machine()
        or _left_out(NAMESPACES, without)
        or attempt(lambda: _try_rung(namespaces.ONE_UID, paths, role))
    )
    rung = namespaces.NONE if one else namespaces.ONE_UID
    return rung, [Layer(NAMESPACES, not one, one), Layer(TWO_UIDS, False, two)]


def _try_rung(rung: str, paths: Layout, role: str) -> None:
    pid, _ = enter(rung, paths, role, 1)
    if pid == 0:
        _try_server(rung)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code:
        raise OSError(code, f"the first process of the namespaces ended with {code}: {os.strerror(abs(code))}")


def _try_server(rung: str) -> None:
    """What a server does in its namespaces, in a throw-away one; its exit status is the error's number."""
    status = 1
    try:
        View(0, 16, same_uid=True)
        if rung == namespaces.ONE_UID:
            namespaces.make_users()
        namespaces.deny_more_users()
        try_hatching(child_flags(rung))
        status = 0
    except OSError as error:
        status = error.errno or 1
    finally:
        os._exit(status)


def _try_landlock(paths: Layout, rung: str) -> None:
    """Puts on what will be put on: with namespaces a few trees, without them hundreds of places, which take 10 ms to find."""
    if not landlock.version():
        raise OSError(95, "the kernel has no Landlock, or it is switched off")
    trees = readable(paths)[0] if rung == namespaces.NONE else [*paths.shown, *paths.packages]
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    landlock.restrict(landlock.ruleset(trees, [], []))
    try:
        os.close(os.open("/proc/self/status", os.O_RDONLY))
    except PermissionError:
        return
    raise OSError(1, "the ruleset is in force and /proc can still be read")


def _try_seccomp() -> None:
    if _unknown_machine():
        raise OSError(95, _unknown_machine())
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    seccomp.Filter(seccomp.server_program(processes=False)).load()
    seccomp.Filter(seccomp.sample_program(processes=False)).load()
    try:
        os.fork()
    except PermissionError:
        return
    raise OSError(1, "the filter is in force and a process can still be made")


def _try_fair_clock() -> None:
    if not os.path.exists("/proc/self/schedstat"):
        raise OSError(2, "/proc/self/schedstat is missing (CONFIG_SCHED_INFO)")
    accounting.scheduled_ns(os.getpid())


def _try_memory_cgroup(rung: str, engine: int) -> None:
    if os.geteuid() == 0 and rung != namespaces.TWO_UIDS:
        raise PermissionError(1, "root becomes an unprivileged user here, who could not remove a cgroup of root's")
    cgroup.try_it(engine)


def _level(rung: str, works: set[str]) -> str:
    if rung == namespaces.NONE:
        return "L2" if {LANDLOCK, SECCOMP} <= works else "L1"
    level = 4 if rung == namespaces.TWO_UIDS else 3
    return f"L{level if SECCOMP in works else level - 1}"


def _unknown_machine() -> str:
    return "" if linux.CALLS else f"no list of system calls is known for {linux.MACHINE}"


def _left_out(name: str, without: list[str]) -> str:
    return "left out on request" if name in without else ""


def _needs_root() -> str:
    return "" if os.geteuid() == 0 else "only root may map a second uid"


def _outcome(why: str) -> tuple[bool, str]:
    return (not why, why)


def _report_failure(do: Callable[[], object], writer: int) -> None:
    code = 0
    try:
        do()
    except BaseException as error:  # noqa: BLE001 (whatever it is, it is the answer)
        code = 1
        os.write(writer, str(error).encode())
    finally:
        os._exit(code)
