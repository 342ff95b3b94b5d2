"""A slot's buffer for what its child prints, which no child can see.

A child is a copy of the zygote's memory, made before the server reads the first output. Should the server ever be cloned itself, output
that had passed through ordinary objects could be read by a later sample, long after they were freed: so it is read straight into a mapping
that forks leave out, and sent from there.

Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import mmap
import os

from assay.sandbox.inside.protocol import KEPT_BYTES

_SCRATCH_BYTES = 65536
_MADV_DONTFORK = 10


class OutputBuffer:
    """Room for the first `KEPT_BYTES` of two streams, and scratch for what comes after."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, 2 * KEPT_BYTES + _SCRATCH_BYTES, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self._memory.madvise(_MADV_DONTFORK)
        whole = memoryview(self._memory)
        self._streams = (whole[:KEPT_BYTES], whole[KEPT_BYTES : 2 * KEPT_BYTES])
        self._scratch = whole[2 * KEPT_BYTES :]
        self._kept = [0, 0]

    def clear(self) -> None:
        """Forgets the last child's output."""
        self._kept = [0, 0]

    def read(self, fd: int, stream: int) -> int:
        """Reads once from a pipe; how many bytes came, kept or not.

        Raises:
            BlockingIOError: Nothing is there now.
        """
        kept = self._kept[stream]
        count = os.readv(fd, [self._streams[stream][kept:], self._scratch])
        self._kept[stream] = min(KEPT_BYTES, kept + count)
        return count

    def kept(self, stream: int) -> memoryview:
        """What was kept of stdout (0) or stderr (1)."""
        return self._streams[stream][: self._kept[stream]]
