"""How a child is confined: the ordered list of steps, each one mechanism, that it takes between its birth and the first foreign byte.

Some doors are closed once, by the server, and inherited: no_new_privs, not dumpable, no core files, empty group list, no further user
namespaces, signals that end pid 1 (see `server_steps`). The rest is done by each child in the order of `steps`, because each step takes
away what an earlier one needs. The steps are system calls made ready before and taken by one short loop, because each page that a child
touches is copied for it. A step that fails is our failure: it is told through the alarm pipe and ends the whole server; no foreign code
runs after it. Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
from typing import NamedTuple

from assay.sandbox.inside import limits, linux
from assay.sandbox.inside.linux import prepare
from assay.sandbox.inside.order import Fields
from assay.sandbox.inside.seccomp import Filter
from assay.sandbox.inside.views import View

SESSION = 3
"""The descriptor of a child's socket."""

SCHEDSTAT = 4
"""The descriptor of a judge fork's own `/proc/self/schedstat`."""

_LAST = 0xFFFFFFFF
_SCORE = "/proc/self/oom_score_adj"
_EARLY, _FIRST = 500, b"1000"
_HERE = -100  # AT_FDCWD

_SIGSTKFLT = 16  # the signal module has it from 3.11 on
_ENDING_SIGNALS = (
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGTRAP,
    signal.SIGABRT,
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGALRM,
    signal.SIGTERM,
    _SIGSTKFLT,
    signal.SIGXCPU,
    signal.SIGVTALRM,
    signal.SIGPROF,
    signal.SIGIO,
    signal.SIGPWR,
)
"""Signals that end a process by default. Faults are not among them: the kernel delivers those even to pid 1."""

_STOPPING_SIGNALS = (signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU, signal.SIGSYS)
"""Signals that stop a process by default, and the one that the seccomp filter sends in the place of SIGSTOP."""


class Cell(NamedTuple):
    """What a slot's children are confined with, made once.

    A layer that this machine doesn't give is None; without a uid of its own the child drops its capabilities instead. `processors` is a
    mask for `sched_setaffinity`, None where children stay where the server is. `last_fd` is the highest descriptor that a child keeps.
    `users` is the user namespace in which the kernel counts the slot's processes, where all slots have one uid. `goes_first`: children can
    tell a machine out of memory to end them before the server and the zygote. `leaf`: the cgroup that they are born into.
    """

    view: View | None
    ruleset: linux.Call | None
    uid: int | None
    filter: Filter | None
    ceiling: limits.Ceiling
    processors: bytes | None = None
    last_fd: int = SESSION
    users: int | None = None
    goes_first: bool = False
    leaf: int | None = None


class Step(NamedTuple):
    """One mechanism: its name, what it gives, the system calls that bring it, made ready."""

    name: str
    gives: str
    calls: tuple[linux.Call, ...]


def server_steps() -> None:
    """Closes, once for the server and all its children, the doors that nobody needs open."""
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    linux.prctl(linux.PR_SET_DUMPABLE, 0)
    limits.set_for_good()
    linux.exit_on(_ENDING_SIGNALS)
    linux.pause_on(_STOPPING_SIGNALS)


def go_early() -> None:
    """Has a machine that is out of memory end this process, and what it will start, before any other's; as far as it may.

    To be called before the process gets a user namespace: the file is the host's root's from then on.
    """
    try:
        with open(_SCORE, "r+") as score:
            if int(score.read()) < _EARLY:
                score.write(str(_EARLY))
    except OSError:
        return


def can_go_first() -> bool:
    """Whether children of this process, in its namespaces, can have themselves ended before it; found by writing what stands there."""
    linux.prctl(linux.PR_SET_DUMPABLE, 1)  # or the file isn't its own
    try:
        with open(_SCORE) as score:
            value = score.read()
        with open(_SCORE, "w") as score:
            score.write(value)
    except OSError:
        return False
    finally:
        linux.prctl(linux.PR_SET_DUMPABLE, 0)
    return True


def steps(cell: Cell, order: Fields) -> list[Step]:
    """The steps of a slot's children, in the order in which they are taken; a step that has no calls isn't given here."""
    view, uid, ruleset, seccomp = cell.view, cell.uid, cell.ruleset, cell.filter
    return [
        Step("all processors", "those that the engine may use, not the server's one alone", _processors(cell)),
        Step("own group", "`kill(0)` reaches itself alone", (prepare("setpgid", 0, 0),)),
        Step("first to go", "out of memory, samples end before the server and the zygote", _first_to_go(cell)),
        Step("own descriptors", "/dev/null, two output pipes and the session at 0 to 3", _descriptors(order)),
        Step(
            "own files",
            "the read-only root with the slot's own /tmp and /dev/shm, no /proc",
            view.enter if view else (),
        ),
        Step("own limits", "the kernel's resource limits", _limits(cell, order)),
        Step("own count", "a count of processes of its own, where it has no uid of its own", _count(cell)),
        Step("own uid", "the slot's uid, whose change drops every capability; with one uid just that", _uid(uid)),
        # after the uid, whose change clears it; with a pid namespace the kernel sees to that
        Step("die with server", "SIGKILL when the server ends", () if view else _die_with_parent()),
        Step("landlocked", "the slot's Landlock ruleset", (ruleset,) if ruleset else ()),
        Step("filtered", "the seccomp filter", (seccomp.call,) if seccomp else ()),
        # last, because it closes the alarm
        Step("nothing inherited", "no descriptor but its own", (prepare("close_range", cell.last_fd + 1, _LAST, 0),)),
    ]


class Confinement:
    """The steps as one flat list of calls: a child that takes them touches little more than that list."""

    def __init__(self, taken: list[Step]) -> None:
        self._steps = taken
        self._calls = tuple(call for step in taken for call in step.calls)

    def confine(self, alarm: int) -> None:
        """Takes every step; a step that fails rings the alarm and ends this process."""
        syscall = linux.raw_syscall
        call = None
        try:
            for call in self._calls:
                if syscall(*call) < 0:
                    raise linux.failure(call)
        except BaseException as error:  # noqa: BLE001 (whatever it is, no foreign code may run after it)
            os.write(alarm, f"{self._name(call)}: {error!r}".encode()[:4000])
            os._exit(111)

    def _name(self, call: linux.Call | None) -> str:
        return next(
            (step.name for step in self._steps if any(known is call for known in step.calls)), "before the first step"
        )


def harmless() -> Step:
    """A step that changes nothing, with arguments of every kind that the others have."""
    call = prepare("prlimit64", ctypes.c_int(0), int(resource.RLIMIT_CORE), None, ctypes.byref(ctypes.c_uint64(), 0))
    return Step("practice", "nothing", (call,))


def _first_to_go(cell: Cell) -> tuple[linux.Call, ...]:
    """A bomb's memory may be the kernel's (descriptors, sockets), which counts for no process: the zygote is as large as a sample then."""
    if not cell.goes_first:
        return ()
    return (
        prepare("close", 0),
        prepare("openat", _HERE, _SCORE.encode(), os.O_WRONLY),  # the lowest number that is free, so 0
        prepare("write", 0, _FIRST, len(_FIRST)),
        prepare("prctl", linux.PR_SET_DUMPABLE, 0, 0, 0, 0),  # the zygote is, or the file would be the host's root's
    )


def _descriptors(order: Fields) -> tuple[linux.Call, ...]:
    """Each child opens /dev/null itself: flags and locks belong to the open file, and a copy would share them with all later samples."""
    null = (
        prepare("close", 0),
        prepare("openat", _HERE, b"/dev/null", os.O_RDONLY),
    )  # the lowest number that is free, so 0
    copies = enumerate((order.stdout, order.stderr, order.session), 1)
    return null + tuple(prepare("dup3", fd, place, 0) for place, fd in copies)


def _processors(cell: Cell) -> tuple[linux.Call, ...]:
    mask = cell.processors
    return () if mask is None else (prepare("sched_setaffinity", 0, len(mask), mask),)


def _limits(cell: Cell, order: Fields) -> tuple[linux.Call, ...]:
    kinds = limits.kinds(cell.ceiling)
    return tuple(prepare("prlimit64", 0, kind, order.limit(place), None) for place, kind in enumerate(kinds))


def _die_with_parent() -> tuple[linux.Call, ...]:
    return (prepare("prctl", linux.PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0),)


def _count(cell: Cell) -> tuple[linux.Call, ...]:
    return () if cell.users is None else (prepare("setns", cell.users, linux.NEWUSER),)


def _uid(uid: int | None) -> tuple[linux.Call, ...]:
    if uid is None:
        return (linux.call_drop_capabilities(),)
    return (prepare("setresgid", uid, uid, uid), prepare("setresuid", uid, uid, uid))
