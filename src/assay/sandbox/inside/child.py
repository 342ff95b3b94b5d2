"""One running child, seen from outside: its descriptors, its output so far, its clocks and the limit it has hit.

The deadline clock is *effective time*: wall time, less the time that the child was ready and waited for a processor, less the time that
the judge was computing for it. Right for burners and sleepers on any load. Runs inside the server process: standard library only,
CPython >= 3.9.
"""

from __future__ import annotations

import os
import time

from assay.sandbox.inside import accounting
from assay.sandbox.inside.clockpage import SlotClock
from assay.sandbox.inside.ear import Ear, Row
from assay.sandbox.inside.limits import IDLE_THREADS
from assay.sandbox.inside.output import OutputBuffer
from assay.sandbox.inside.protocol import STOPS, UNSET, Spawn
from assay.sandbox.inside.wall import Look

TIME, CPU, WALL, MEMORY, OUTPUT, PROCESSES = (
    STOPS.index(name) for name in ("time", "cpu", "wall", "memory", "output", "processes")
)
_SECOND_NS = 1_000_000_000
_SOONEST_NS = 20_000_000
"""No check follows another sooner than this; a sample that runs longer is looked at so often."""
_PROCESSORS = os.cpu_count() or 1
_HEIRS = 4
"""So many times its limit on memory a sample's processes may hold together, with what they share counted for each."""
_FILES_MIB = 64
"""The kernel's highest count of resident memory takes in pages of files; so much of them no sample maps that the server has not."""


class Child:
    """A child and what is known of it. `stop` is the limit it has hit, 0 for none; `killed` says that it was no longer needed; `bystander`
    that memory ran out and the kernel ended it, or a process of it, for what may have been others'. `ear` listens to one that has lines,
    until it is handed over; `row` are those that come after it.
    """

    def __init__(self, spawn: Spawn, clock: SlotClock, output: OutputBuffer, ear: Ear | None = None) -> None:
        output.clear()
        self.spawn = spawn
        self.ear = ear
        self.row: Row | None = None
        self.clock = clock
        self.pid = self.pidfd = -1
        self.read_fds = self.written_fds = (-1, -1)
        self.started_ns = time.monotonic_ns()
        self.ended_ns = 0
        self.busy_at_start_ns = clock.busy_ns(self.started_ns)
        # the page is written beside third-party tests: whatever it says, a child doesn't live much longer than twice its wall time
        self._most_credit_ns = 1 << 62 if spawn.wall_s == UNSET else int(spawn.wall_s * _SECOND_NS)
        self.output = output
        self.output_bytes = 0
        self.stop = 0
        self.killed = False
        self.bystander = False
        self.wall_at_birth: Look | None = None
        self.cpu_ns = 0
        self.peak_mib = 0.0
        self.born_bytes: dict[int, int] = {}
        self.effective_ns = 0
        self.ran_ns = 0
        self.is_alone = False
        self.had_company = False
        self._ran_over_ns: int | None = None

    def open_pipes(self) -> None:
        """Makes the two output pipes. The server keeps the written ends too, or it would wake for their end before the child's."""
        (out, out_written), (err, err_written) = os.pipe2(os.O_CLOEXEC), os.pipe2(os.O_CLOEXEC)
        self.read_fds = (out, err)
        self.written_fds = (out_written, err_written)
        os.set_blocking(out, False)
        os.set_blocking(err, False)

    def take_output(self, stream: int) -> bool:
        """Reads what one pipe holds; whether there may be more now. Over the limit the child has hit OUTPUT."""
        try:
            count = self.output.read(self.read_fds[stream], stream)
        except BlockingIOError:
            return False
        self.output_bytes += count
        if self.output_bytes > self.spawn.output_kib * 1024:
            self.stop = self.stop or OUTPUT
        return count > 0

    def drain(self) -> None:
        """Reads what is left in both pipes after the end, as far as the limit goes."""
        for fd in self.written_fds:
            os.close(fd)
        for stream in (0, 1):
            while not self.stop and self.take_output(stream):
                pass

    def overruns(self, spare_ns: int) -> bool:
        """Whether its time is up for sure. The kernel counts a wait when it ends, so one look may count a wait as work: it takes two, and
        between them the child must have had a processor, or wanted none.
        """
        if spare_ns > 0:
            self._ran_over_ns = None
        elif self._ran_over_ns is None:
            self._ran_over_ns = self.ran_ns
        else:
            return self.ran_ns != self._ran_over_ns or not accounting.is_ready(self.pid)
        return False

    def wall_ns(self, now_ns: int) -> int:
        """Wall time since the birth, without the judge's."""
        credit_ns = max(0, self.clock.busy_ns(now_ns) - self.busy_at_start_ns)
        return max(0, now_ns - self.started_ns - min(credit_ns, self._most_credit_ns))

    def note_effective_ns(self, now_ns: int) -> int:
        """Wall time without the judge's and without waiting for a processor, at least what it has run; after a stop never less than it was
        then.

        The kernel counts a wait when it ends, so a later look may find less than an earlier one. A judge that reads while the child goes on
        takes nothing from the child.
        """
        self.ran_ns, delay_ns = accounting.scheduled_ns(self.pid)
        now = max(self.ran_ns, self.wall_ns(now_ns) - delay_ns)
        self.effective_ns = max(self.effective_ns, now) if self.stop else now
        return self.effective_ns


class AgentRules:
    """When an agent's time is up: effective time, CPU of its tree, wall time (all without the judge's computing). And when it has too much
    memory, too many processes or threads: resource limits count what is reserved, not what is used, and each process by itself, so that is
    looked at often while a sample runs. A process begins with `inherited_bytes` of the zygote's.
    """

    looks_soon = True
    """Whether the first look comes so soon that output may wait for it."""

    def __init__(self, forks: bool) -> None:
        self.tree = accounting.tree_of if forks else accounting.alone
        self.inherited_bytes = 1 << 62  # until it is known, nothing counts

    def first_check_ns(self, child: Child) -> int:
        """When a limit can be hit at the soonest: a tree can burn its CPU limit on all processors at once, and memory takes no time."""
        soonest_s = min(child.spawn.time_s, child.spawn.cpu_s / _PROCESSORS, child.spawn.wall_s)
        return child.started_ns + min(_SOONEST_NS, int(soonest_s * _SECOND_NS))

    def check(self, child: Child, now_ns: int) -> int:
        """Looks at clocks, memory and processes, notes a limit that was hit, says when to look again."""
        seen_ns = child.ran_ns
        spare_ns = int(child.spawn.time_s * _SECOND_NS) - child.note_effective_ns(now_ns)
        if not (child.is_alone and 0 < child.ran_ns == seen_ns):  # a lone process that has slept since is what it was
            self._look(child)
        spare_cpu_ns = int(child.spawn.cpu_s * _SECOND_NS) - child.cpu_ns
        spare_wall_ns = int(child.spawn.wall_s * _SECOND_NS) - child.wall_ns(now_ns)
        busy = spare_cpu_ns <= 0  # beyond doubt, so that time needs no second look
        # a lone burner's limit is time: what its judge did at the same moments is no reason for another word
        alone = child.is_alone and child.spawn.cpu_s >= child.spawn.time_s
        time_is_up = child.overruns(spare_ns) or (busy and (alone or spare_ns <= 0))
        over = (time_is_up, busy, spare_wall_ns <= 0)
        child.stop = child.stop or next((stop for is_over, stop in zip(over, (TIME, CPU, WALL)) if is_over), 0)
        if child.stop == WALL and child.had_company:
            # it may have waited for its own: what children use that nobody waits for is told nowhere
            child.effective_ns = child.wall_ns(now_ns)
        return now_ns + _SOONEST_NS

    def _look(self, child: Child) -> None:
        """Looks at what all of its processes use, and how many they are."""
        tree = self.tree(child.pid)
        child.cpu_ns = max(child.cpu_ns, sum(process.cpu_ns for process in tree.values()))
        threads = [process.threads for process in tree.values()]
        if self._are_too_many(child, threads):
            # first, and that is all: the more there are, the longer the server waits for a processor to look at each of them with
            child.stop = child.stop or PROCESSES
        elif self._holds_too_much(child, {pid: accounting.used_bytes(pid) for pid in tree}):
            child.stop = child.stop or MEMORY
        child.is_alone = sum(threads) == 1
        child.had_company = child.had_company or sum(threads) > 1

    def _are_too_many(self, child: Child, threads: list[int]) -> bool:
        """Whether there are too many processes, or threads. What has ended and is not reaped is none (the kernel's own limit counts it)."""
        most = child.spawn.processes
        return sum(count > 0 for count in threads) > most or sum(threads) > most + IDLE_THREADS

    def _holds_too_much(self, child: Child, used_bytes: dict[int, int]) -> bool:
        """Whether a process by itself is over the limit, or all of them together.

        What a process was born with it may share with its parent, which nobody tells us, so that counts for the parent alone; but all of
        it together may be no more than `_HEIRS` times the limit.
        """
        most_bytes = child.spawn.memory_mib << 20
        own = {pid: used - self.inherited_bytes for pid, used in used_bytes.items()}
        if len(own) < 2:
            return max(own.values(), default=0) > most_bytes
        largest = max((own[pid] for pid in own if pid == child.pid or pid in child.born_bytes), default=0)
        for pid in own.keys() - child.born_bytes.keys():
            child.born_bytes[pid] = 0 if pid == child.pid else max(0, min(own[pid], largest))
        grown = sum(max(0, own[pid] - child.born_bytes[pid]) for pid in own)
        return grown > most_bytes or sum(max(0, held) for held in own.values()) > _HEIRS * most_bytes

    def at_end(self, child: Child) -> None:
        """A child that ended by itself after too much time or CPU, or had too much memory between two looks, has hit the limit too."""
        if child.stop or child.killed:
            return
        if child.peak_mib > child.spawn.memory_mib + _FILES_MIB:
            child.stop = MEMORY
        elif child.effective_ns > child.spawn.time_s * _SECOND_NS:
            child.stop = TIME
        elif child.cpu_ns > child.spawn.cpu_s * _SECOND_NS:
            child.stop = CPU


class JudgeRules:
    """When a judge fork's time is up: one stretch of computing longer than `time_s`. CPU and wall time only where they are given.

    The run delay of a stretch counts from the last look before the stretch, so that it is forgiven in full.
    """

    looks_soon = False

    def __init__(self, forks: bool) -> None:
        self.tree = accounting.tree_of if forks else accounting.alone
        self._seen: dict[int, tuple[int, int, int]] = {}

    def first_check_ns(self, child: Child) -> int:
        """A stretch that begins now is over its time no sooner than this."""
        given = [limit for limit in (child.spawn.cpu_s, child.spawn.wall_s) if limit != UNSET]
        return child.started_ns + int(min(child.spawn.time_s, *given, 3600.0) * _SECOND_NS)

    def check(self, child: Child, now_ns: int) -> int:
        """Looks at the present stretch, notes a limit that was hit, says when to look again."""
        since_ns = child.clock.since_ns
        child.ran_ns, delay_ns = accounting.scheduled_ns(child.pid)
        seen_since_ns, base_ns, last_delay_ns = self._seen.get(child.pid, (0, 0, 0))
        if since_ns != seen_since_ns:
            base_ns = last_delay_ns
        self._seen[child.pid] = (since_ns, base_ns, delay_ns)
        limit_ns = int(child.spawn.time_s * _SECOND_NS)
        spare_ns = limit_ns - (now_ns - since_ns - (delay_ns - base_ns)) if since_ns else limit_ns
        if child.overruns(spare_ns):
            child.stop = child.stop or TIME
        return now_ns + max(_SOONEST_NS, min(spare_ns, self._check_totals(child, now_ns)))

    def at_end(self, child: Child) -> None:
        """Forgets the child; a stretch that it didn't end is ended."""
        self._seen.pop(child.pid, None)
        child.clock.reset()

    def _check_totals(self, child: Child, now_ns: int) -> int:
        spare_ns = _SECOND_NS * 3600
        if child.spawn.cpu_s != UNSET:
            child.cpu_ns = max(child.cpu_ns, sum(process.cpu_ns for process in self.tree(child.pid).values()))
            spare_cpu_ns = int(child.spawn.cpu_s * _SECOND_NS) - child.cpu_ns
            child.stop = child.stop or (CPU if spare_cpu_ns <= 0 else 0)
            spare_ns = spare_cpu_ns // _PROCESSORS
        if child.spawn.wall_s != UNSET:
            spare_wall_ns = int(child.spawn.wall_s * _SECOND_NS) - (now_ns - child.started_ns)
            child.stop = child.stop or (WALL if spare_wall_ns <= 0 else 0)
            spare_ns = min(spare_ns, spare_wall_ns)
        return spare_ns
