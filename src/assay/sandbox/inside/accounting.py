"""What a child has used, read from outside: the time it waited for a processor, the CPU of its whole tree, memory.

Reads the server's own private /proc, which no sample can see. Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import os
from typing import NamedTuple

_USED = (b"RssAnon", b"RssShmem", b"HugetlbPages", b"VmPTE")
_TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")


class Process(NamedTuple):
    """A process: its parent, its CPU time with that of children it has waited for, its threads (0 where it has ended and is not reaped)."""

    parent: int
    cpu_ns: int
    threads: int


def run_delay_ns(pid: int) -> int:
    """How long the process's main thread was ready and waited for a processor; 0 where the kernel doesn't say."""
    try:
        fd = os.open(f"/proc/{pid}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return 0
    try:
        return int(os.read(fd, 128).split()[1])
    finally:
        os.close(fd)


def tree_of(root: int) -> dict[int, Process]:
    """A process and each of its descendants, by pid; empty where it has gone."""
    itself = alone(root)
    if (
        itself and itself[root].threads < 2 and not _has_children(root)
    ):  # as nearly always: no need to look at all there are
        return itself
    facts = {int(name): found for name in os.listdir("/proc") if name.isdigit() for found in _process(int(name))}
    tree, pending = {}, [root]
    while pending:
        pid = pending.pop()
        if pid in facts:
            tree[pid] = facts[pid]
        pending += [child for child, process in facts.items() if process.parent == pid]
    return tree


def alone(pid: int) -> dict[int, Process]:
    """The same for the process alone."""
    return dict.fromkeys([pid], found[0]) if (found := _process(pid)) else {}


def used_bytes(pid: int) -> int:
    """Memory that the process has touched and that is no part of a file: its own, that of shared mappings, huge pages, and the tables that
    the kernel keeps of it all, which can be most of it; 0 where it has gone.
    """
    try:
        with open(f"/proc/{pid}/status", "rb") as status:
            lines = dict(line.split(b":", 1) for line in status)
    except OSError:
        return 0
    return sum(_kib(lines[name]) for name in _USED if name in lines) * 1024


def memory_bytes() -> tuple[int, int]:
    """This process's own address space and private writable memory, in bytes."""
    with open("/proc/self/status") as status:
        lines = dict(line.split(":", 1) for line in status)
    return _kib(lines["VmSize"]) * 1024, _kib(lines["VmData"]) * 1024


def _kib(value: str | bytes) -> int:
    return int(value.split(maxsplit=1)[0])


def _has_children(pid: int) -> bool:
    """Whether a process with one thread has any, dead or alive; True where the kernel doesn't say."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children", "rb") as children:
            return bool(children.read(1))
    except OSError:
        return True


def _process(pid: int) -> list[Process]:
    """What `/proc` says of one, empty where it has gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            fields = stat.read().rpartition(b")")[2].split()
    except OSError:
        return []
    threads = int(fields[17])
    ended = fields[0] == b"Z" and threads < 2
    return [Process(int(fields[1]), sum(int(ticks) for ticks in fields[11:15]) * _TICK_NS, 0 if ended else threads)]
