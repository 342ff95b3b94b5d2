"""What a child has used, read from outside: the time it waited for a processor, the CPU of its whole tree, memory.

Reads the server's own private /proc, which no sample can see. Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import os

_TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")


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


def tree_cpu_ns(root: int) -> int:
    """CPU time of a process and all its living descendants, with what those have already waited for."""
    facts = {int(name): found for name in os.listdir("/proc") if name.isdigit() for found in _process(int(name))}
    total, pending = 0, [root]
    while pending:
        pid = pending.pop()
        total += facts.get(pid, (0, 0))[1]
        pending += [child for child, (parent, _) in facts.items() if parent == pid]
    return total


def process_cpu_ns(pid: int) -> int:
    """CPU time of one process and of what it has waited for."""
    return sum(cpu for _, cpu in _process(pid))


def memory_bytes() -> tuple[int, int]:
    """This process's own address space and private writable memory, in bytes."""
    with open("/proc/self/status") as status:
        lines = dict(line.split(":", 1) for line in status)
    return _kib(lines["VmSize"]) * 1024, _kib(lines["VmData"]) * 1024


def _kib(value: str) -> int:
    return int(value.split(maxsplit=1)[0])


def _process(pid: int) -> list[tuple[int, int]]:
    """`[(parent, CPU in ns)]`, empty where the process has gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            fields = stat.read().rpartition(b")")[2].split()
    except OSError:
        return []
    return [(int(fields[1]), sum(int(ticks) for ticks in fields[11:15]) * _TICK_NS)]
