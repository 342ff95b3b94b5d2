"""How a child is confined: the ordered list of steps, each one mechanism, that it takes between its birth and the first foreign byte.

Some doors are closed once, by the server, and inherited: no_new_privs, not dumpable, no core files, empty group list, no further user
namespaces, signals that end pid 1 (see `server_steps`). The rest is done by each child in the order of `STEPS`, because each step takes
away what an earlier one needs. A step that fails is our failure: it is told through the alarm pipe and ends the whole server; no foreign
code runs after it. Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import os
import resource
import signal
from typing import Callable, NamedTuple

from assay.sandbox.inside import limits, linux
from assay.sandbox.inside.seccomp import Filter
from assay.sandbox.inside.views import View

SESSION = 3
FIRST_FREE_DESCRIPTOR = SESSION + 1

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


class Cell(NamedTuple):
    """What a slot's children are confined with, made once.

    A layer that this machine doesn't give is None; without a uid of its own the child drops its capabilities instead.
    """

    view: View | None
    ruleset: linux.PreparedCall | None
    uid: int | None
    filter: Filter | None
    close_the_rest: linux.PreparedCall
    ceiling: limits.Ceiling


class Birth(NamedTuple):
    """What one child is born with: its limits as `setrlimit` takes them, its descriptors, its slot's cell."""

    limits: list[tuple[int, tuple[int, int]]]
    null: int
    stdout: int
    stderr: int
    session: int
    cell: Cell


def server_steps() -> None:
    """Closes, once for the server and all its children, the doors that nobody needs open."""
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    linux.prctl(linux.PR_SET_DUMPABLE, 0)
    limits.set_for_good()
    linux.exit_on(_ENDING_SIGNALS)


def own_group(_: Birth) -> None:
    """Its own process group, so that `kill(0)` reaches itself alone."""
    os.setpgid(0, 0)


def own_descriptors(birth: Birth) -> None:
    """/dev/null, two output pipes and the session at 0 to 3."""
    os.dup2(birth.null, 0)
    os.dup2(birth.stdout, 1)
    os.dup2(birth.stderr, 2)
    os.dup2(birth.session, SESSION)


def own_files(birth: Birth) -> None:
    """The slot's mount namespace: the read-only root with the slot's own /tmp and /dev/shm, and no /proc."""
    if birth.cell.view is not None:
        birth.cell.view.enter()


def own_limits(birth: Birth) -> None:
    """The kernel's resource limits."""
    for kind, value in birth.limits:
        resource.setrlimit(kind, value)


def own_uid(birth: Birth) -> None:
    """The slot's uid, which drops every capability; where there is one uid only, dropping them is all."""
    uid = birth.cell.uid
    if uid is None:
        linux.drop_capabilities()
    else:
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)


def die_with_server(birth: Birth) -> None:
    """SIGKILL when the server ends; after the uid, whose change clears it. With a pid namespace the kernel sees to that."""
    if birth.cell.view is None:
        linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)


def landlocked(birth: Birth) -> None:
    """The slot's Landlock ruleset."""
    if birth.cell.ruleset is not None:
        birth.cell.ruleset.make()


def filtered(birth: Birth) -> None:
    """The seccomp filter."""
    if birth.cell.filter is not None:
        birth.cell.filter.load()


def nothing_inherited(birth: Birth) -> None:
    """No descriptor but 0 to 3: last, because it closes the alarm."""
    birth.cell.close_the_rest.make()


STEPS: tuple[Callable[[Birth], None], ...] = (
    own_group,
    own_descriptors,
    own_files,
    own_limits,
    own_uid,
    die_with_server,
    landlocked,
    filtered,
    nothing_inherited,
)


def confine(birth: Birth, alarm: int) -> None:
    """Takes every step; a step that fails rings the alarm and ends this process."""
    for step in STEPS:
        try:
            step(birth)
        except BaseException as error:  # noqa: BLE001, PERF203 (whatever it is, no foreign code may run after it; it names the step)
            os.write(alarm, f"{step.__name__}: {error!r}".encode()[:4000])
            os._exit(111)
