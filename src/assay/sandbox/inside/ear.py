"""Listening to a child whose words are known beforehand: does it say, byte for byte, what the one before it said?

The engine may know from an earlier child what a right program says to a request: the same bytes. Then nobody has to be woken to read them:
the supervisor, which is awake anyway, holds them side by side. Keeps true: nothing that a child says is read, it is compared; what is not
the same goes to the judge with all that has come so far, as if this had never been in between; and no child speaks first, or longer than
its time.

Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import socket
import time

from assay.sandbox.inside.protocol import Lines

_AT_ONCE_BYTES = 8192
_ASKED_NS = 250_000_000
"""So long a child may take over the questions, on the clock. Nothing is lost where it takes longer: they are asked anew."""

LEAVING_NS = 10_000_000
"""So long it may take to end by itself once it has said all."""


class Ear:
    """Our end of a child's socket. `session` is the child's end, a descriptor that is the caller's to close.

    A child is `strange` once it has said something else to the opening, or nothing; it has `agreed` once it has said all that is wanted;
    it was `given_up` where it agreed at first and then said something else, or nothing, to the questions, or where the opening could not
    be said to it.
    """

    def __init__(self, lines: Lines) -> None:
        self._socket, theirs = socket.socketpair()
        self.session = theirs.detach()
        self._lines = lines
        self._wanted = lines.replies
        self._asked_ns = self._settled_ns = 0
        self.fd = self._socket.fileno()
        self.heard = b""
        self.strange = self.agreed = self.given_up = False
        # all of it fits into a socket's usual buffer, so that it lies there when the child comes; where it doesn't, others must speak
        self._is_mute = not self._say(lines.opening)

    def _say(self, line: bytes) -> bool:
        try:
            return self._socket.send(line, socket.MSG_DONTWAIT) == len(line)
        except OSError:  # it has hung up, which the next look finds too
            return False

    def listen(self) -> bool:
        """Takes in what has come; whether that settles it."""
        try:
            chunk = self._socket.recv(_AT_ONCE_BYTES, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        except OSError:
            chunk = b""
        self.heard += chunk
        if chunk and self.heard == self._wanted:
            return self._go_on()
        if chunk and self._wanted.startswith(self.heard):
            return False
        return self.give_up()

    def _go_on(self) -> bool:
        questions = self._lines.questions
        if questions and not self._asked_ns:
            self._asked_ns = time.monotonic_ns()
            self._wanted, self.heard = self._lines.answers, b""
            return not self._say(questions) and self.give_up()
        self._settled_ns = time.monotonic_ns()
        self.agreed = True
        return True

    def give_up(self) -> bool:
        """Expects nothing more of the child: it is strange, or, once it was asked questions, given up."""
        if not self.agreed:
            self._settled_ns = self._settled_ns or time.monotonic_ns()
            self.given_up = self._asked_ns > 0 or self._is_mute
            self.strange = not self.given_up
        return True

    def is_late(self, now_ns: int) -> bool:
        """Whether the child takes too long over the questions, or to end, or waits for what could not be said."""
        if self.agreed:
            return now_ns - self._settled_ns >= LEAVING_NS
        if self._is_mute:
            return True
        return self._asked_ns > 0 and now_ns - self._asked_ns > _ASKED_NS

    @property
    def kept(self) -> bool:
        """Whether the child has said all that a right one replies to the opening, whatever came of the questions."""
        return self.agreed or self._asked_ns > 0

    @property
    def asked_s(self) -> float:
        """How long the questions took, on the clock, until it was known how the child does; 0 where it was asked none."""
        return (self._settled_ns - self._asked_ns) / 1e9 if self._asked_ns and self._settled_ns else 0.0

    def close(self) -> None:
        """Hangs up: a child ends by itself then. Another ear may get the number `fd`."""
        self._socket.close()


class Row:
    """Children that come one after the other, in one slot and for one request: they have the same lines, but for the opening.

    Keeps true: the next one comes only after one that has said all that is wanted; the engine, which hears of the others, decides there.
    """

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._openings = [*reversed(lines.further), lines.opening]

    @property
    def goes_on(self) -> bool:
        """Whether there is a next one."""
        return bool(self._openings)

    def next_ear(self) -> Ear:
        """An ear for the next one."""
        return Ear(self._lines._replace(opening=self._openings.pop()))

    def end(self) -> None:
        """Has no other come."""
        self._openings.clear()
