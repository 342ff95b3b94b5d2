"""Feeds a program its input and takes its output at the same time, whichever of the two it wants first, so that neither side waits for
the other for ever.

Both descriptors come from the program's process, but before any of the program has run; what the program does with its own ends reaches
this side as data, an end of data or a closed pipe.

The clock stands meanwhile: the program goes on while its output is read, so that this time is its own. For an honest program to be held up
by a judge that gets no processor, it must have printed more than a pipe holds, which is made as much as an ordinary user may have.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

import fcntl
import os
import select
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from assay.judge.wire import Clock

_PIPE_BYTES = 1 << 20
_USUAL_BYTES = 1 << 16
"""A read of more asks for memory of its own each time."""


class Pumped(NamedTuple):
    """What a program printed; `over` says that it was cut off because it was too much."""

    output: bytes
    over: bool


def pump(feed: int | None, drain: int, given: bytes, cap_bytes: int, clock: Clock) -> Pumped:
    """Writes `given` to `feed` and reads `drain` until it ends, or until there is more than `cap_bytes`. Closes both."""
    run = _Pump(feed, drain, given)
    clock.stop()
    try:
        while run.is_open and run.taken <= cap_bytes:
            for fd, _ in run.poll.poll():
                run.turn(fd)
    finally:
        run.close()
        clock.start()
    return Pumped(b"".join(run.pieces), run.taken > cap_bytes)


class _Pump:
    """The two descriptors, what is left to be written, and what has been read."""

    def __init__(self, feed: int | None, drain: int, given: bytes) -> None:
        self.poll = select.poll()
        self.pieces: list[bytes] = []
        self.taken = 0
        self.is_open = True
        self._feed = feed
        self._drain = drain
        self._rest = memoryview(given)
        self._watch(drain, select.POLLIN)
        if feed is not None:
            self._watch(feed, select.POLLOUT)
            if not given:
                self._end_feed()

    def _watch(self, fd: int, event: int) -> None:
        os.set_blocking(fd, False)
        with suppress(OSError):  # a pipe that can't be made larger does as well
            fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        self.poll.register(fd, event)

    def turn(self, fd: int) -> None:
        """Does what a descriptor is ready for."""
        try:
            if fd == self._drain:
                self._take()
            elif fd == self._feed:
                self._give(fd)
        except BlockingIOError:
            return

    def _take(self) -> None:
        data = os.read(self._drain, _PIPE_BYTES if self.taken > _USUAL_BYTES else _USUAL_BYTES)
        self.pieces.append(data)
        self.taken += len(data)
        self.is_open = bool(data)

    def _give(self, fd: int) -> None:
        try:
            self._rest = self._rest[os.write(fd, self._rest[:_PIPE_BYTES]) :]
        except BrokenPipeError:  # it reads no more
            self._rest = self._rest[:0]
        if not self._rest:
            self._end_feed()

    def _end_feed(self) -> None:
        feed, self._feed = self._feed, None
        if feed is not None:
            self.poll.unregister(feed)
            os.close(feed)

    def close(self) -> None:
        """Closes what is still open."""
        self._end_feed()
        self._rest.release()
        os.close(self._drain)
