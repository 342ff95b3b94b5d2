"""Resource limits that the kernel holds a child to, behind the server's own checks. Never above the limits that assay itself runs under.

Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import math
import resource
from typing import NamedTuple

from assay.sandbox.inside import accounting
from assay.sandbox.inside.protocol import Spawn

_MIB = 1 << 20
STACK_BYTES = 64 * _MIB
UNTOUCHED_BYTES = 64 << 30
"""Memory that a sample may reserve without using it. What it uses the server watches (`AgentRules`)."""

IDLE_THREADS = 256
"""So many threads a sample may have beyond its processes. The server watches their numbers too."""

_SLACK_BYTES = 512 * _MIB
_CPU_WITHOUT_LIMIT_S = 7 * 24 * 3600
_KINDS = (
    resource.RLIMIT_CPU,
    resource.RLIMIT_FSIZE,
    resource.RLIMIT_NOFILE,
    resource.RLIMIT_AS,
    resource.RLIMIT_DATA,
    resource.RLIMIT_NPROC,
)
_FOR_GOOD = (
    (resource.RLIMIT_CORE, 0),
    (resource.RLIMIT_STACK, STACK_BYTES),
    (
        resource.RLIMIT_SIGPENDING,
        1024,
    ),  # counts timers too, and a machine allows so many that it takes seconds to be rid of them
    (resource.RLIMIT_MSGQUEUE, 0),
)


class Ceiling(NamedTuple):
    """Where a child starts and what it can't exceed: the server's own memory, the hard limits, how processes are counted.

    `counts_processes` is false where a count would take in processes of others, so that none can be set. `watched` says that the server
    looks at what a child uses while it runs; then the kernel's limits stand far behind, where memory that is only reserved and threads
    that are only idle don't reach them.
    """

    address_space_bytes: int
    data_bytes: int
    counts_processes: bool
    hard: dict[int, int]
    watched: bool = False


def kinds(start: Ceiling) -> list[int]:
    """Which limits `plan` sets, in its order."""
    return [kind for kind in _KINDS if kind != resource.RLIMIT_NPROC or start.counts_processes]


def ceiling(counts_processes: bool, *, watched: bool) -> Ceiling:
    """The ceiling for children of this process as it is now; `watched`: whether the server looks at what they use."""
    address_space, data = accounting.memory_bytes()
    hard = {kind: resource.getrlimit(kind)[1] for kind in _KINDS}
    return Ceiling(address_space, data, counts_processes, hard, watched)


def set_for_good() -> None:
    """What no child ever needs, given up by the server itself: core files, a stack beyond the usual, what the kernel keeps for it.

    What may be locked into memory the zygote gives up, once it has pinned what it will (`pins`).
    """
    for kind, value in _FOR_GOOD:
        resource.setrlimit(kind, (_lower(value, resource.getrlimit(kind)[1]),) * 2)


def plan(spawn: Spawn, start: Ceiling) -> list[tuple[int, tuple[int, int]]]:
    """The arguments of the `setrlimit` calls that hold a child to its request; made in the server, where it costs no child anything.

    DATA counts from what the server already uses, and AS stands behind it, for shared mappings that DATA doesn't count. Both count what is
    reserved, the stacks of idle threads too: where a child is watched they are the last walls, else DATA is the limit on memory. CPU
    stands behind the server's own clock, far enough that the kernel, which counts it by timer ticks, is never first. NPROC counts threads.
    """
    memory, untouched = spawn.memory_mib * _MIB, UNTOUCHED_BYTES if start.watched else 0
    wanted = {
        resource.RLIMIT_CPU: 2 * math.ceil(spawn.cpu_s if spawn.cpu_s > 0 else _CPU_WITHOUT_LIMIT_S) + 1,
        resource.RLIMIT_FSIZE: spawn.disk_mib * _MIB,
        resource.RLIMIT_NOFILE: spawn.open_files,
        resource.RLIMIT_AS: start.address_space_bytes + 2 * memory + max(untouched, _SLACK_BYTES),
        resource.RLIMIT_DATA: start.data_bytes + memory + untouched,
    }
    if start.counts_processes:
        wanted[resource.RLIMIT_NPROC] = spawn.processes + (IDLE_THREADS if start.watched else 0)
    return [(kind, (_lower(value, start.hard[kind]),) * 2) for kind, value in wanted.items()]


def _lower(value: int, hard: int) -> int:
    return value if hard == resource.RLIM_INFINITY else min(value, hard)
