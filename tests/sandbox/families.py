"""What tests ask about processes: which come from which, whether they live."""

from __future__ import annotations

import time
from pathlib import Path


def processes_below(pid):
    """The process and all its descendants."""
    children = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(entry.name))
    found, pending = [], [pid]
    while pending:
        found.append(pending.pop())
        pending += children.get(found[-1], [])
    return found


def lives(pid):
    """Whether the process is there and not merely waiting to be reaped."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def gone(pids, patience_s=10):
    """Whether all of the processes end soon."""
    end = time.monotonic() + patience_s
    while time.monotonic() < end:
        if not any(lives(pid) for pid in pids):
            return True
        time.sleep(0.02)
    return False


def children(pid):
    """The processes that a process has started and not waited for, whether they live or not."""
    listed = (path.read_text().split() for path in Path(f"/proc/{pid}/task").glob("*/children"))
    return {int(child) for some in listed for child in some}
