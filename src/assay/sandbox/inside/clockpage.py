"""The clock page: how long the judge has been computing for the sample in a slot, so that the sample isn't charged for it.

One page per slot in a memory file that the engine creates: `busy_ns`, the time spent computing with the ball in the judge's own court, and
`since_ns`, the monotonic clock when it began to compute now, 0 while it waits for the agent. Computing is also what it would have done
while it was ready and waited for a processor: on a busy machine that is most of what an agent waits for between two calls. A judge fork
writes its own slot's page; the servers only read; agents never have a page in their memory.

Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import ctypes
import os
import time

from assay.sandbox.inside import linux

PAGE_BYTES = 4096


class SlotClock:
    """One slot's page. The judge calls `start` when it begins to compute and `stop` before it waits for the agent.

    Args:
        fd: The memory file.
        slot: Whose page.
        inherited: Whether processes forked from now on have the page too.
        schedstat: The judge's own `/proc/self/schedstat`, open; None where the kernel has none, and for those that only read the page.
    """

    def __init__(self, fd: int, slot: int, *, inherited: bool, schedstat: int | None = None) -> None:
        address = linux.map_shared(fd, slot * PAGE_BYTES, PAGE_BYTES)
        if not inherited:
            linux.keep_from_children(address, PAGE_BYTES)
        self._busy_ns = ctypes.c_uint64.from_address(address)
        self._since_ns = ctypes.c_uint64.from_address(address + 8)
        self._schedstat = schedstat
        self._delay_ns = self._read_delay_ns()

    def start(self) -> None:
        """The ball is in the judge's court: its time runs, and ran while it waited to be given a processor."""
        self._busy_ns.value += self._read_delay_ns() - self._delay_ns
        self._since_ns.value = time.monotonic_ns()

    def stop(self) -> None:
        """The ball is in the agent's court: the judge's time stands still."""
        since = self._since_ns.value
        if since:
            # busy first: a reader between the two lines counts a stretch twice for an instant, in the sample's favour
            self._busy_ns.value += time.monotonic_ns() - since
            self._since_ns.value = 0
        self._delay_ns = self._read_delay_ns()

    def reset(self) -> None:
        """Ends a stretch that its judge fork didn't live to end."""
        self.stop()

    @property
    def since_ns(self) -> int:
        """When the present stretch of computing began (monotonic), 0 if there is none."""
        return self._since_ns.value

    def busy_ns(self, now_ns: int) -> int:
        """All computing up to now, the present stretch included."""
        since = self._since_ns.value
        return self._busy_ns.value + (max(0, now_ns - since) if since else 0)

    def _read_delay_ns(self) -> int:
        return 0 if self._schedstat is None else int(os.pread(self._schedstat, 64, 0).split()[1])
