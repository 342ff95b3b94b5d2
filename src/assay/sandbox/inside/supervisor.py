"""The fork server's loop: starts a child a request, watches all of them from outside, ends those over a limit, reports the facts.

Single-threaded; one poll over the engine's socket, the alarm, and each child's pidfd and output pipes. No timer lives inside a sample. No
process survives its sample: where there are namespaces the kernel ends everything in a child's pid namespace before the pidfd says that it
has ended; without them a sample can't fork. Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import sys
import time
from typing import Callable, NamedTuple

from assay.sandbox.inside import accounting, ending, limits, pins, protocol
from assay.sandbox.inside.child import MEMORY, AgentRules, Child, JudgeRules
from assay.sandbox.inside.clockpage import SlotClock
from assay.sandbox.inside.confine import Cell
from assay.sandbox.inside.ear import LEAVING_NS, Ear, Row
from assay.sandbox.inside.order import pack_order
from assay.sandbox.inside.output import OutputBuffer
from assay.sandbox.inside.wall import Wall, is_own, may_use_mib
from assay.sandbox.inside.zygote import ZygoteLink

_ONE_DESCRIPTOR = socket.CMSG_LEN(4)
_REHEARSAL = protocol.Spawn(0, 0, 10.0, 10.0, 60.0, 64, 32, 64, 64, 64)
_PUT_OFF_NS = 250_000_000
"""So long, and until the next look, what became of a child may stay untold while another of its row is at work."""
_STUCK_S = 30.0
"""A child that is not gone so long after SIGKILL sits in the kernel: the server gives up, says so, and the engine starts another."""
_AGAIN_NS = 50_000_000
"""So long after some of a child's processes were killed it is looked whether others were born meanwhile."""


class Broken(Exception):
    """The server can't go on; the text is what the engine tells."""


class Equipment(NamedTuple):
    """What the supervisor works with: what confines its children, the judge's clocks, when they are stopped, the last wall.

    `leaves_processes`: neither a pid namespace nor seccomp keeps a child from leaving others behind, so its group is killed after it.
    """

    cells: list[Cell]
    clocks: list[SlotClock]
    rules: AgentRules | JudgeRules
    wall: Wall | None
    leaves_processes: bool


class _Untold(NamedTuple):
    """Reports about children of a row that the engine was not sent yet, and since when there are some."""

    pieces: list[bytes | memoryview]
    since_ns: int


class Supervisor:
    """Serves one engine over one socket. `_watched` has an entry for exactly the children's descriptors that are polled."""

    def __init__(self, control: socket.socket, equipment: Equipment, zygote: ZygoteLink, alarm: int) -> None:
        self._control = control
        self._control_fd = control.fileno()
        self._equipment = equipment
        self._poll = select.poll()
        self._watched: dict[int, Child] = {}
        self._children: dict[int, Child] = {}
        self._outputs = [OutputBuffer() for _ in equipment.cells]
        self._checks_ns: dict[int, int] = {}
        self._zygote = zygote
        self._alarm = alarm
        self._followed: list[Child] = []
        self._untold: dict[int, _Untold] = {}
        self._planned: tuple[tuple[float, ...], list[tuple[int, tuple[int, int]]]] | None = None
        self._base_rss_mib = 0.0
        self._poll.register(self._alarm, select.POLLIN)

    def rehearse(self, said: tuple[bytes, ...]) -> None:
        """Runs one child that does nothing, confined like all: what doesn't work here shows before the first sample.

        Its memory is what every child has from the zygote, to be taken off the others' peaks. Then, if there is anything to say, one that
        is spoken to as a sample is: what it writes to is copied at the birth of all that come (`pins`).
        """
        self._base_rss_mib = self._rehearsed(()).peak_mib
        if said:
            self._rehearsed(said)
        self._zygote.settle()
        if isinstance(self._equipment.rules, AgentRules):
            self._equipment.rules.inherited_bytes = accounting.used_bytes(self._zygote.pid)

    def _rehearsed(self, said: tuple[bytes, ...]) -> protocol.Report:
        mine, session = socket.socketpair()
        with mine:
            self._start(_REHEARSAL, session.detach(), None, rehearsal=not said)
            if said:
                self._converse(mine, said)
        reports: list[protocol.Report] = []
        while not reports:
            self._turn(reports.append)
        report = reports[0]
        if report.exit_code != 0:
            raise Broken(
                f"a child that only rehearses ended with {report.exit_code}/{report.signal}: {bytes(report.stderr)!r}"
            )
        return report

    def _converse(self, session: socket.socket, said: tuple[bytes, ...]) -> None:
        try:
            pins.converse(session, said, lambda: self._zygote.pin(pins.hot(self._zygote.pid)))
        except TimeoutError:
            raise Broken("a child that rehearses doesn't answer") from None

    def serve(self) -> None:
        """Works until the engine closes its end."""
        self._poll.register(self._control, select.POLLIN)
        while self._turn(self._send):
            pass

    def end_all(self) -> None:
        """Kills every child and the zygote, and waits for their end."""
        for child in self._children.values():
            self._kill(child)
        for child in self._children.values():
            os.waitpid(child.pid, 0)
        self._zygote.end()

    def _turn(self, deliver: Callable[[protocol.Report], None]) -> bool:
        request = False
        for fd, _ in self._poll.poll(self._patience_ms()):
            child = self._watched.get(fd)
            if child is not None and fd == child.pidfd:
                deliver(self._finish(child))
            elif child is not None and child.ear is not None and fd == child.ear.fd:
                self._listen(child, child.ear)
            elif child is not None:
                self._take_output(child, fd)
            elif fd == self._alarm:
                words = os.read(self._alarm, 4096).decode("utf-8", "replace")
                raise Broken(f"confining a child failed: {words}")
            elif fd == self._control_fd:
                request = True
        self._look_at_clocks()
        # last, because a new child may get the number of a descriptor that closed above, and the events above name numbers
        while self._followed:
            child = self._followed.pop()
            assert child.row is not None
            self._start_next(child.spawn, child.row)
        return self._take_request() if request else True

    def _patience_ms(self) -> float | None:
        if not self._checks_ns:
            return None
        return max(0, min(self._checks_ns.values()) - time.monotonic_ns()) / 1_000_000

    def _take_request(self) -> bool:
        data, ancillary, _, _ = self._control.recvmsg(protocol.DATAGRAM_BYTES, _ONE_DESCRIPTOR)
        if not data:
            return False
        if data[:1] == protocol.SPAWN:
            spawn, lines = protocol.unpack_spawn(data), protocol.unpack_lines(data)
            if lines is None:
                self._start(spawn, int.from_bytes(ancillary[0][2], sys.byteorder), None, rehearsal=False)
            else:
                self._start_next(spawn, Row(lines))
        else:
            child = self._children.get(protocol.unpack_kill(data))
            if child is not None:  # it may have ended meanwhile
                if child.row is not None:
                    child.row.end()
                child.killed = True
                self._kill(child)
        return True

    def _start_next(self, spawn: protocol.Spawn, row: Row) -> None:
        ear = row.next_ear()
        self._start(spawn, ear.session, ear, rehearsal=False).row = row

    def _start(self, spawn: protocol.Spawn, session: int, ear: Ear | None, *, rehearsal: bool) -> Child:
        cell = self._equipment.cells[spawn.slot]
        if cell.view is not None:
            cell.view.resize(spawn.disk_mib)
        held_to = self._plan(spawn, cell)
        child = Child(spawn, self._equipment.clocks[spawn.slot], self._outputs[spawn.slot], ear)
        if self._equipment.wall is not None:
            self._equipment.wall.fit(spawn)
            child.wall_at_birth = self._equipment.wall.look(spawn.slot, alone=spawn.alone)
        child.open_pipes()
        order = pack_order((spawn.slot, rehearsal, *child.written_fds, session), held_to)
        child.pid, child.pidfd = self._zygote.clone(order)
        os.close(session)
        self._watch(child)
        return child

    def _plan(self, spawn: protocol.Spawn, cell: Cell) -> list[tuple[int, tuple[int, int]]]:
        """The limits as the kernel takes them, kept from the last request: most have the same."""
        if self._planned is None or self._planned[0] != spawn[2:]:
            self._planned = (spawn[2:], limits.plan(spawn, cell.ceiling))
        return self._planned[1]

    def _watch(self, child: Child) -> None:
        self._children[child.spawn.child_id] = child
        self._checks_ns[child.spawn.child_id] = self._equipment.rules.first_check_ns(child)
        self._watch_for(child, child.pidfd)
        if child.ear is not None:
            self._watch_for(child, child.ear.fd)
        if not self._equipment.rules.looks_soon:
            self._watch_output(child)

    def _watch_output(self, child: Child) -> None:
        """Takes output as it comes. Most children end before they are first looked at, and what they printed fits into a pipe."""
        if child.read_fds[0] not in self._watched:
            for fd in child.read_fds:
                self._watch_for(child, fd)

    def _watch_for(self, child: Child, fd: int) -> None:
        self._watched[fd] = child
        self._poll.register(fd, select.POLLIN)

    def _unwatch(self, fd: int) -> None:
        if self._watched.pop(fd, None) is not None:
            self._poll.unregister(fd)

    def _listen(self, child: Child, ear: Ear) -> None:
        if not ear.listen():
            return
        if ear.strange:
            self._hand_over(child, ear)
        elif ear.agreed:
            self._hang_up(ear)
            due_ns = time.monotonic_ns() + LEAVING_NS
            self._checks_ns[child.spawn.child_id] = min(due_ns, self._checks_ns[child.spawn.child_id])
        else:
            self._end_early(child, ear)

    def _hang_up(self, ear: Ear) -> None:
        self._unwatch(ear.fd)
        ear.close()

    def _end_early(self, child: Child, ear: Ear) -> None:
        """Ends a child that is of no more use."""
        if not ear.agreed:
            self._hang_up(ear)
        child.killed = True
        self._kill(child)

    def _hand_over(self, child: Child, ear: Ear) -> None:
        """Leaves a child that says something else to the engine, with all that it has said."""
        self._tell(child.spawn.child_id)
        message = protocol.pack_handover(child.spawn.child_id, ear.heard)
        socket.send_fds(self._control, message, [ear.fd])
        self._hang_up(ear)
        child.ear = None

    def _take_output(self, child: Child, fd: int) -> None:
        child.take_output(child.read_fds.index(fd))
        self._stop_if_due(child)

    def _look_at_clocks(self) -> None:
        now_ns = time.monotonic_ns()
        for child_id, due_ns in list(self._checks_ns.items()):
            if due_ns <= now_ns:
                child = self._children[child_id]
                self._watch_output(child)
                if child_id in self._untold and now_ns - self._untold[child_id].since_ns > _PUT_OFF_NS:
                    self._tell(child_id)
                self._checks_ns[child_id] = self._next_check_ns(child, now_ns)
                self._stop_if_due(child)

    def _next_check_ns(self, child: Child, now_ns: int) -> int:
        if child.ear is not None and not child.killed and child.ear.is_late(now_ns):
            child.ear.give_up()
            self._end_early(child, child.ear)
        if not child.stop and not child.killed:
            return self._equipment.rules.check(child, now_ns)
        if now_ns - child.ended_ns > _STUCK_S * 1_000_000_000:
            raise Broken(f"process {child.pid} is not gone {_STUCK_S:g} s after SIGKILL")
        return now_ns + (_AGAIN_NS if self._kill_all(child) else 1_000_000_000)

    def _stop_if_due(self, child: Child) -> None:
        if child.stop and not child.ended_ns:
            self._kill(child)

    def _kill(self, child: Child) -> None:
        """Kills a child and all that it has started, and looks again soon where that was something."""
        child.ended_ns = child.ended_ns or time.monotonic_ns()
        if self._kill_all(child):
            self._checks_ns[child.spawn.child_id] = time.monotonic_ns() + _AGAIN_NS

    def _kill_all(self, child: Child) -> int:
        equipment = self._equipment
        return ending.kill(child.pid, child.pidfd, equipment.rules.tree, outlive=equipment.leaves_processes)

    def _finish(self, child: Child) -> protocol.Report:
        now_ns = time.monotonic_ns()
        effective_ns, wall_ns = child.note_effective_ns(now_ns), now_ns - child.started_ns
        _, status, usage = os.wait4(child.pid, 0)
        if self._equipment.leaves_processes:
            self._end_rest(child)
        child.cpu_ns = max(child.cpu_ns, int((usage.ru_utime + usage.ru_stime) * 1e9))
        child.peak_mib = max(0.0, usage.ru_maxrss / 1024 - self._base_rss_mib)
        child.drain()
        if child.ear is not None:
            self._end_hearing(child, child.ear)
        self._note_memory_kill(child, status)
        self._equipment.rules.at_end(child)
        self._forget(child)
        followed = _is_followed(child)
        if followed:
            self._followed.append(child)
        return protocol.Report(
            child_id=child.spawn.child_id,
            exit_code=os.WEXITSTATUS(status) if os.WIFEXITED(status) else -1,
            signal=os.WTERMSIG(status) if os.WIFSIGNALED(status) else -1,
            stop=child.stop,
            killed=child.killed and not child.stop,
            bystander=child.bystander and not child.stop,
            time_s=effective_ns / 1e9,
            cpu_s=child.cpu_ns / 1e9,
            wall_s=wall_ns / 1e9,
            peak_mib=child.peak_mib,
            stdout=child.output.kept(0),
            stderr=child.output.kept(1),
            kept=child.ear is not None and child.ear.kept,
            agreed=child.ear is not None and child.ear.agreed,
            asked_s=0.0 if child.ear is None else child.ear.asked_s,
            followed=followed,
        )

    def _end_hearing(self, child: Child, ear: Ear) -> None:
        if ear.agreed or ear.given_up:
            return  # nobody listens any more
        ear.give_up()
        if ear.strange:
            self._hand_over(child, ear)  # what it has said and is not read yet goes with it
        else:
            self._hang_up(ear)

    def _end_rest(self, child: Child) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        if self._equipment.wall is not None:
            self._equipment.wall.end(child.spawn.slot)

    def _note_memory_kill(self, child: Child, status: int) -> None:
        """Notes that the kernel ended it, or a process of it, because memory ran out: it is over its limit where it can only have been for
        its own, else a bystander. What its processes held by themselves is known without that (`AgentRules`).
        """
        wall, before = self._equipment.wall, child.wall_at_birth
        was_killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL and not child.killed
        if wall is None or before is None or child.stop or not (was_killed or child.born_bytes):
            return
        after = wall.look(child.spawn.slot, alone=True)
        if after.kills > before.kills:
            own = is_own(before, after, may_use_mib(child.spawn))
            child.stop, child.bystander = (MEMORY, False) if own else (0, True)

    def _forget(self, child: Child) -> None:
        for fd in (child.pidfd, *child.read_fds):
            self._unwatch(fd)
            os.close(fd)
        del self._children[child.spawn.child_id], self._checks_ns[child.spawn.child_id]
        view = self._equipment.cells[child.spawn.slot].view
        if view is not None:
            view.wipe()

    def _send(self, report: protocol.Report) -> None:
        """Tells of a child that has ended; where another follows, together with that one if this is not long. Output is never kept."""
        head, *output = protocol.pack_report(report)
        untold = self._untold.get(report.child_id)
        if untold is None:
            self._untold[report.child_id] = untold = _Untold([], time.monotonic_ns())
        untold.pieces.append(head)
        if not report.followed or any(output):
            untold.pieces.extend(output)
            self._tell(report.child_id)

    def _tell(self, child_id: int) -> None:
        """Sends what was put off of the children of a row."""
        untold = self._untold.pop(child_id, None)
        if untold is not None:
            self._control.sendmsg(untold.pieces)


def _is_followed(child: Child) -> bool:
    """Whether the next of its row comes now: after one that has said all, and of whom nothing else has to be found out."""
    agreed = child.ear is not None and child.ear.agreed
    return agreed and not child.stop and not child.bystander and child.row is not None and child.row.goes_on
