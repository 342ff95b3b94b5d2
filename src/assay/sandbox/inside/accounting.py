"""What a child has used, read from outside: the time it waited for a processor, the CPU of its whole tree, memory.

Reads the server's own private /proc, which no sample can see. Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import os
from typing import NamedTuple

_USED = (b"\nRssAnon:", b"\nRssShmem:", b"\nVmPTE:", b"\nHugetlbPages:")
_NUMBER_BYTES = 32
_TOLD_BYTES = 8192
_TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")


class Process(NamedTuple):
    """A process: its parent, its CPU time with that of children it has waited for, its threads (0 where it has ended and is not reaped),
    when it was born, by the kernel's ticks since the machine's start: no two have that and their number in common.
    """

    parent: int
    cpu_ns: int
    threads: int
    born_ticks: int


def scheduled_ns(pid: int) -> tuple[int, int]:
    """How long the process's main thread has run, and how long it was ready and waited for a processor; 0 where the kernel doesn't say."""
    schedstat = _told(f"/proc/{pid}/schedstat")
    if schedstat is None:
        return 0, 0
    ran_ns, delay_ns, _ = schedstat.split()
    return int(ran_ns), int(delay_ns)


def is_ready(pid: int) -> bool:
    """Whether the process's main thread has a processor or waits for one, rather than for anything else."""
    return _stat(pid)[:1] == [b"R"]


def tree_of(root: int) -> dict[int, Process]:
    """A process and each of its descendants, by pid; empty where it has gone."""
    itself = alone(root)
    if (
        itself and itself[root].threads < 2 and not _has_children(root)
    ):  # as nearly always: no need to look at all there are
        return itself
    facts = {int(name): found for name in os.listdir("/proc") if name.isdigit() for found in _process(int(name))}
    children: dict[int, list[int]] = {}
    for pid, process in facts.items():
        children.setdefault(process.parent, []).append(pid)
    tree, pending = {}, [root]
    while pending:
        pid = pending.pop()
        if pid in facts:
            tree[pid] = facts[pid]
        pending += children.get(pid, ())
    return tree


def alone(pid: int) -> dict[int, Process]:
    """The same for the process alone."""
    return dict.fromkeys([pid], found[0]) if (found := _process(pid)) else {}


def used_bytes(pid: int) -> int:
    """Memory that the process has touched and that is no part of a file: its own, that of shared mappings, huge pages, and the tables that
    the kernel keeps of it all, which can be most of it; 0 where it has gone.
    """
    status = _told(f"/proc/{pid}/status") or b""
    found = (status.find(name) + len(name) for name in _USED if name in status)
    return sum(_kib(status[at : at + _NUMBER_BYTES]) for at in found) * 1024


def memory_bytes() -> tuple[int, int]:
    """This process's own address space and private writable memory, in bytes."""
    with open("/proc/self/status") as status:
        lines = dict(line.split(":", 1) for line in status)
    return _kib(lines["VmSize"]) * 1024, _kib(lines["VmData"]) * 1024


def _told(path: str) -> bytes | None:
    """What a small file of `/proc` says, None where the process has gone. This is done so often that a file object would be too dear."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        return os.read(fd, _TOLD_BYTES)
    except OSError:  # it ended between the two calls
        return None
    finally:
        os.close(fd)


def _kib(value: str | bytes) -> int:
    return int(value.split(maxsplit=1)[0])


def _has_children(pid: int) -> bool:
    """Whether a process with one thread has any, dead or alive; True where the kernel doesn't say."""
    children = _told(f"/proc/{pid}/task/{pid}/children")
    return children is None or bool(children)


def _stat(pid: int) -> list[bytes]:
    """What `/proc/PID/stat` says behind the name, from the state on; nothing where the process has gone."""
    return (_told(f"/proc/{pid}/stat") or b"").rpartition(b")")[2].split()


def _process(pid: int) -> list[Process]:
    """What `/proc` says of one, empty where it has gone."""
    fields = _stat(pid)
    if not fields:
        return []
    threads = int(fields[17])
    ended = fields[0] == b"Z" and threads < 2
    cpu_ns = sum(int(ticks) for ticks in fields[11:15]) * _TICK_NS
    return [Process(int(fields[1]), cpu_ns, 0 if ended else threads, int(fields[19]))]
