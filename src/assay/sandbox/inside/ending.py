"""Ending a child with all that it has started.

The kernel ends a pid namespace when its first process ends, but that one may be long in coming to it: a killed process that forks waits
first for the lock that all forks of one family share, behind hundreds who each wait for a processor while the others burn. (Measured: up to
ten seconds for a fork bomb of 264 processes on two processors.) So each is killed by itself, and what was being born meanwhile at the next
look.

Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import os
import signal
from typing import Callable

from assay.sandbox.inside import accounting


def kill(pid: int, pidfd: int, tree_of: Callable[[int], dict[int, accounting.Process]], *, outlive: bool) -> int:
    """Kills a child and what lives of its tree; tells how many others that were.

    The child goes first, for the kernel may have ended the rest before they are found. Where the others `outlive` it they are found first,
    because they pass to another parent.
    """
    found = tree_of(pid) if outlive else {}
    signal.pidfd_send_signal(pidfd, signal.SIGKILL)
    tree = found or tree_of(pid)
    return sum(_kill(other, process) for other, process in tree.items() if other != pid and process.threads)


def _kill(pid: int, process: accounting.Process) -> bool:
    """Kills the process that had this number when it was looked at: it may be another's by now, until a descriptor holds it."""
    try:
        pidfd = os.pidfd_open(pid)
    except OSError:  # it has gone, or there is no descriptor to be had; the next look finds what is left
        return False
    try:
        now = accounting.alone(pid).get(pid)
        if now is None or now.born_ticks != process.born_ticks:
            return False
        signal.pidfd_send_signal(pidfd, signal.SIGKILL)
    except ProcessLookupError:
        return False
    finally:
        os.close(pidfd)
    return True
