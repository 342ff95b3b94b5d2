"""The clock page's engine side: the memory file that one agent server and one judge server share."""

from __future__ import annotations

import os

from assay.sandbox.inside.clockpage import PAGE_BYTES


class ClockPage:
    """A memory file with a page a slot, where the judge writes how long it has been computing (see `inside.clockpage`)."""

    def __init__(self, fd: int, slots: int) -> None:
        self.fd = fd
        self.slots = slots

    @classmethod
    def create(cls, slots: int) -> ClockPage:
        """A new page for so many slots."""
        fd = os.memfd_create("assay-clock", os.MFD_CLOEXEC)
        os.ftruncate(fd, slots * PAGE_BYTES)
        return cls(fd, slots)

    def fileno(self) -> int:
        """The memory file's descriptor."""
        return self.fd

    def close(self) -> None:
        """Closes the descriptor; servers that have mapped the page keep it. May be called twice."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def __del__(self) -> None:
        """Closes it where nobody did: a second Ctrl-C may break off whoever was about to."""
        self.close()
