"""The zygote: the process that children are cloned from. It does nothing else, so that a clone leaves little behind to copy.

After every clone each page that parent or child writes to is copied, so whoever is cloned pays for all that it does between two clones.
The zygote only reads an order, clones, and answers; the supervisor, which polls, reads clocks and output and reports, is never cloned and
pays nothing. Children are born with `CLONE_PARENT`: the supervisor is their parent and waits for them. Zygote and supervisor share one
table of descriptors (`CLONE_FILES`), so that an order names descriptors by number and none is ever passed or closed twice.

What is true of it: an order is limits and numbers, so a child, which sees all of the zygote's memory, sees nothing of another sample. The
loop is the first thing on the stack, and a child lives in the loop's frame: samples have nearly the whole stack, and nothing has to be
taken apart to get there. What every child will run is run here before, harmlessly, so that children find the interpreter's caches filled.

Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import ctypes
import gc
import os
import resource
import select
import signal
import struct
import sys
from typing import Callable, NamedTuple

from assay.sandbox.inside import linux, pages, pins, warm
from assay.sandbox.inside.clone import CLONE_PARENT, Cloner, clone
from assay.sandbox.inside.confine import SESSION, Cell, Confinement, harmless, steps
from assay.sandbox.inside.order import ORDER_BYTES, REHEARSAL_AT, SLOT_AT, Fields, pack_order

_CLONE_FILES = 0x400
_ANSWER = struct.Struct("ii")
_PIDFD_AT = 4
_DONE = 1  # the least answer to what isn't an order for a child: 0 is what a child finds at its birth
_ROUNDS = 40
"""So often the child's own code runs before the first child: the interpreter specialises it in less."""


class ZygoteGone(Exception):
    """The zygote has ended, or could not clone; the text says which."""


class Role(NamedTuple):
    """What a child runs: `main(SESSION)` once it is confined; `main(SESSION, what prepare(slot) gave)` where it needs something before.
    `said` is what a rehearsal says to it, piece by piece; it answers each.
    """

    prepare: Callable[[int], object] | None
    main: Callable[..., None]
    said: tuple[bytes, ...] = ()


class Breeder(NamedTuple):
    """What the zygote works with: the flags of a child's clone, what confines the children of each slot, what they run, the alarm, and the
    ring by which it pins memory, if there is one.
    """

    flags: int
    cells: list[Cell]
    role: Role
    alarm: int
    ring: int | None


class ZygoteLink:
    """The supervisor's end: an order out, a pid and a pidfd back. Before the first sample the zygote is told to settle."""

    def __init__(self, orders: int, answers: int, process: tuple[int, int], slots: int) -> None:
        self.pid, self._pidfd = process
        self._slots = slots
        self._orders = orders
        self._answers = answers
        self._poll = select.poll()
        self._poll.register(answers, select.POLLIN)
        # no end of file would tell of its end: both ends of the pipes are open in both processes
        self._poll.register(self._pidfd, select.POLLIN)

    def clone(self, order: bytes) -> tuple[int, int]:
        """`(pid, pidfd)` of a new child of this process, born to that order.

        Raises:
            ZygoteGone: There is none.
        """
        pid, pidfd = self._ask(order)
        if pid < 0:
            raise ZygoteGone(f"clone: {os.strerror(-pid)}")
        return pid, pidfd

    def pin(self, spans: bytes) -> int:
        """Has the zygote pin these spans of its memory (`pins`), while the child that they were seen by lives; returns how many it did."""
        return self._ask(pack_order((self._slots, False, -1, -1, -1), []) + spans)[0] - _DONE

    def settle(self) -> None:
        """Has the zygote make itself ready for the first sample; no child may live."""
        self._ask(pack_order((self._slots + 1, False, -1, -1, -1), []))

    def _ask(self, order: bytes) -> tuple[int, int]:
        os.write(self._orders, order)
        if (self._answers, select.POLLIN) not in self._poll.poll():
            raise ZygoteGone("the process that samples are cloned from has ended")
        pid, pidfd = _ANSWER.unpack(os.read(self._answers, _ANSWER.size))
        return pid, pidfd

    def end(self) -> None:
        """Ends the zygote and waits for it, so that what it used is counted as the server's."""
        signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        os.waitpid(self.pid, 0)


class Zygote:
    """The zygote's own end: `run` serves for its whole life, and in a child never returns either."""

    def __init__(self, breeder: Breeder, orders: int, answers: int) -> None:
        self._orders = orders
        self._answers = answers
        self._roles = (breeder.role, _REHEARSAL)
        self._alarm = breeder.alarm
        self._goes_first = breeder.cells[0].goes_first
        self._pinner = pins.Pinner(breeder.ring)
        self._fields = Fields()
        self._confinements = [Confinement(steps(cell, self._fields)) for cell in breeder.cells]
        self._answer = bytearray(_ANSWER.size)
        self._pid = ctypes.c_int.from_buffer(self._answer)
        pidfd = ctypes.c_int.from_buffer(self._answer, _PIDFD_AT)
        flags = breeder.flags | CLONE_PARENT
        self._cloners = [Cloner(flags, pidfd, cell.leaf) for cell in breeder.cells]

    def run(self) -> None:
        """Clones a child an order, for ever: the supervisor's end is this process's end."""
        _practise(self._alarm)
        orders, answers, answer, pid = self._orders, self._answers, self._answer, self._pid
        clones = [*(cloner.clone for cloner in self._cloners), self._pin, self._settle]
        message, roles, confinements, alarm = self._fields.message, self._roles, self._confinements, self._alarm
        room, live, end = [message], _live, _end
        while os.readv(orders, room) == ORDER_BYTES:
            slot = message[SLOT_AT] + 256 * message[SLOT_AT + 1]  # native order on both machines that are known
            born = clones[slot]()
            if not born:
                live(roles[message[REHEARSAL_AT]], slot, confinements[slot], alarm, end)
            pid.value = born
            os.write(answers, answer)
        os._exit(70)

    def _pin(self) -> int:
        return _DONE + self._pinner.pin(self._orders)

    def _settle(self) -> int:
        """Mends what pinning has taken apart of the memory's layout, and closes what only rehearsals needed open."""
        if not self._goes_first:
            linux.prctl(linux.PR_SET_DUMPABLE, 0)
        resource.setrlimit(resource.RLIMIT_MEMLOCK, (0, 0))
        pages.fold()
        return _DONE


def hatch(breeder: Breeder) -> ZygoteLink | Zygote:
    """Clones the zygote from this process: the link to it here, the zygote itself there."""
    (orders, order), (answer, answers) = os.pipe2(os.O_CLOEXEC), os.pipe2(os.O_CLOEXEC)
    pid, pidfd = clone(_CLONE_FILES)
    if pid:
        return ZygoteLink(order, answer, (pid, pidfd), len(breeder.cells))
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    # for the supervisor, who looks at its pages, and for its children, who take it back: no sample sees this process
    linux.prctl(linux.PR_SET_DUMPABLE, 1)
    return Zygote(breeder, orders, answers)


def try_hatching(flags: int) -> None:
    """Tries in a throw-away process what `hatch` and the zygote ask of the kernel; OSError if it can't be had."""
    pid, _ = clone(_CLONE_FILES)
    if pid == 0:
        sibling = Cloner(flags | CLONE_PARENT).clone()
        os._exit(max(0, -sibling))
    number = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if number:
        raise OSError(number, f"clone with CLONE_PARENT: {os.strerror(number)}")


def _live(role: Role, slot: int, confinement: Confinement, alarm: int, end: Callable[[int], object]) -> None:
    """A child's whole life: it is confined, runs its role's entry, and ends without running anything of the server's."""
    status = 1
    prepare, main, _ = role
    try:
        if prepare is None:
            confinement.confine(alarm)
            _collect()
            main(SESSION)
        else:
            prepared = prepare(slot)
            confinement.confine(alarm)
            _collect()
            main(SESSION, prepared)
        status = 0
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 0 if error.code is None else 1
    except BaseException:  # noqa: BLE001 (told on stderr, like any interpreter's last words)
        sys.excepthook(*sys.exc_info())
    finally:
        _flush()
        end(status & 0xFF)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:  # noqa: SIM105 (contextlib.suppress costs every child a few pages)
            stream.flush()
        except BaseException:  # noqa: BLE001, S110, PERF203 (a foreign object may stand there)
            pass


def _end(status: int) -> None:
    """`_exit` by a call that is ready: the C library's own name would be looked up in each child anew."""
    linux.raw_syscall(_EXIT_GROUP, status)


def _practise(alarm: int) -> None:
    """Lives some lives that change and end nothing, then puts all that is alive out of the collector's reach."""
    confinement = Confinement([harmless()])
    for _ in range(_ROUNDS):
        _live(_REHEARSAL, 0, confinement, alarm, _nothing)
    warm.settle()
    pages.fill_holes()
    pages.fold()
    pages.line_up()


def _nothing(_: int) -> None:
    pass


_REHEARSAL = Role(None, _nothing)
_EXIT_GROUP = linux.CALLS.get("exit_group", -1)
_collect = gc.enable
