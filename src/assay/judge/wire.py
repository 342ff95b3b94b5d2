"""The judge's end of the socket to an agent: frames, their caps, and the clock that says in whose court the ball is.

The socket is the capability: whoever answers on it *is* the candidate, so no secret and no sequence number is needed. What arrives is
data. A frame is a 32-bit little-endian length and that many bytes of `guest/codec.py`, which is loaded by path on both sides.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

import importlib.util
import os
import struct
import sys
import time
from select import POLLIN, POLLOUT, poll
from socket import MSG_DONTWAIT
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

if TYPE_CHECKING:
    from socket import socket

FRAME_CAP = 16 << 20
"""Bytes that one reply may have, unless the reference's own replies are larger."""

NO_ANSWER = 512 << 20
"""A frame that claims to be longer is no answer that could be let go by: four letters, read as a length, are more than this."""

NAP_S, LONGEST_NAP_S = 0.0004, 0.001
"""How long the judge lets replies gather that come one after the other, at first and in the end: to be woken for each costs both sides more
than to answer it.
"""

_MUCH = 32768
"""Bytes at once that say that the sender is ahead: no nap then."""
_LENGTH = struct.Struct("<I")


def _load_codec() -> Any:
    package = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120 (pathlib takes each judge server 3 ms)
    path = os.path.join(package, "guest", "codec.py")  # noqa: PTH118 (the same)
    spec = importlib.util.spec_from_file_location("assay_codec", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["assay_codec"] = module
    spec.loader.exec_module(module)
    return module


codec: Any = sys.modules.get("assay_codec") or _load_codec()
"""The module `guest/codec.py`."""


def framed(data: bytes) -> bytes:
    """The bytes of a frame, as they go over a socket."""
    return _LENGTH.pack(len(data)) + data


class SessionEnded(BaseException):
    """The session with the agent is over: no more answers will come. Not an `Exception`, so that a test's `except` rarely meets it;
    where a bare `except:` does, `Session.ended` still tells.
    """


class Clock(Protocol):
    """Tells the watchers outside whether the judge or the agent is at work: the agent is not charged for the judge's time, and a judge
    that computes for too long is ended.
    """

    def start(self) -> None:
        """The judge has the ball."""

    def stop(self) -> None:
        """The agent has the ball, or nobody."""


class Channel:
    """Frames to and from one agent. `is_open` says that somebody else has sent the first request. `ended` says why there will be no more,
    once that is so: `lost` (closed between frames), `torn` (closed within one), `protocol` (not of the encoding), `flood` (too much
    altogether).

    Args:
        sock: Our end.
        clock: Told in whose court the ball is.
        cap: Bytes that one frame may have.
        total_cap: Bytes that all frames may have together, where there is a limit.
        until_s: When (monotonic) the channel ends as `lost`, if ever.
        heard: What the agent has said already to what it was sent first; None where nothing was sent.
    """

    def __init__(
        self,
        sock: socket,
        clock: Clock,
        cap: int = FRAME_CAP,
        total_cap: int | None = None,
        until_s: float | None = None,
        heard: bytes | None = None,
    ) -> None:
        self._sock = sock
        self._clock = clock
        self._buffer = heard or b""
        self.is_open = heard is not None
        self._at = 0
        self._last = 0
        self._nap_s = NAP_S
        self._until_s = until_s
        self.cap = cap
        self.total_cap = total_cap
        self.largest = 0
        self.total = 0
        self.in_a_row = False
        self.ended: str | None = None

    @property
    def is_idle(self) -> bool:
        """Whether nothing has come that was not taken."""
        return self._at == len(self._buffer)

    def hurried(self, patience_s: float) -> Channel:
        """A channel to the same agent that ends as `lost` after so long on the clock. This one must be idle, and wait until it is done."""
        return Channel(self._sock, self._clock, self.cap, until_s=time.monotonic() + patience_s)

    def send(self, data: bytes) -> None:
        """Sends one frame.

        Raises:
            SessionEnded: If the agent is gone.
        """
        data = framed(data)
        try:
            sent = self._sock.send(data, MSG_DONTWAIT)  # as nearly always, all of it
        except BlockingIOError:
            sent = 0
        except OSError:
            self.end("lost")
        if sent < len(data):
            self._send_slowly(memoryview(data)[sent:])

    def _send_slowly(self, rest: memoryview) -> None:
        self._clock.stop()  # one that does not read what it is asked holds us up here, in its own time
        try:
            while rest:
                self._wait(POLLOUT)
                rest = rest[self._sock.send(rest, MSG_DONTWAIT) :]
        except OSError:
            self.end("lost")
        finally:
            self._clock.start()

    def _wait(self, event: int) -> None:
        """Waits for room or for data; OSError where the time is up."""
        left_s = None if self._until_s is None else max(0.001, self._until_s - time.monotonic())
        watched = poll()
        watched.register(self._sock, event)
        if not watched.poll(left_s and 1000 * left_s):
            raise TimeoutError

    def receive(self) -> bytes:
        """The next frame's bytes. Where `in_a_row` is set more are on their way, and the judge waits for a few at a time.

        In the place of one that is larger than `cap` stands what an agent says that can't send an answer.

        Raises:
            SessionEnded: If there is none, or all together are too large.
        """
        if self.ended:
            raise SessionEnded(self.ended)
        if len(self._buffer) - self._at < _LENGTH.size:
            self._fill(_LENGTH.size)
        length: int = _LENGTH.unpack_from(self._buffer, self._at)[0]
        if length > self.cap and self.total_cap is None:
            if length > NO_ANSWER:
                self.end("protocol")
            return self._let_pass(_LENGTH.size + length)
        self.total += length
        if self.total_cap is not None and self.total > self.total_cap:
            self.end("flood")
        self.largest = max(self.largest, length)
        end = _LENGTH.size + length
        if len(self._buffer) - self._at < end:
            self._fill(end)
        start, self._at = self._at + _LENGTH.size, self._at + end
        return self._buffer[start : self._at]

    def _let_pass(self, left: int) -> bytes:
        """Lets a frame go by that is too large to be kept. Most likely it is a wrong answer, and what comes after it may be right."""
        here = min(left, len(self._buffer) - self._at)
        self._at += here
        left -= here
        while left:
            self._fill(1, inside=True)
            self._at = min(left, len(self._buffer))
            left -= self._at
        too_large: bytes = codec.encode(("unsendable", f"it is over {self.cap >> 20} MiB"))
        return too_large

    def receive_some(self, most: int) -> list[bytes]:
        """The next frame, and those behind it that are there already, `most` at the most.

        Raises:
            SessionEnded: As `receive`.
        """
        frames = [self.receive()]
        buffer, at, size, frame = self._buffer, self._at, len(self._buffer), 0
        if self.total_cap is not None:
            return frames
        while len(frames) < most and size - at >= _LENGTH.size:
            frame = _LENGTH.unpack_from(buffer, at)[0]
            end = at + _LENGTH.size + frame
            if frame > self.cap or end > size:
                break  # for `receive` to see to
            frames.append(buffer[at + _LENGTH.size : end])
            at = end
        self._at = at
        return frames

    def _fill(self, n: int, *, inside: bool = False) -> None:
        """Reads until `n` bytes are there beyond those that were taken; `inside` says that some of a frame were."""
        pieces = [self._buffer[self._at :]]
        have = len(pieces[0])
        self._clock.stop()
        try:
            while have < n:
                if self.in_a_row and self._last < _MUCH:
                    time.sleep(self._nap_s)
                    self._nap_s = min(1.5 * self._nap_s, LONGEST_NAP_S)
                if self._until_s is not None:
                    self._wait(POLLIN)
                chunk = self._sock.recv(max(65536, min(n - have, 1 << 20)))
                self._last = len(chunk)
                if not chunk:
                    self.end("torn" if have or inside else "lost")
                pieces.append(chunk)
                have += self._last
        except OSError:
            self.end("lost")
        finally:
            self._clock.start()
        self._buffer, self._at = b"".join(pieces), 0

    def end(self, reason: str) -> NoReturn:
        """Marks the channel as ended. That it was broken stands above that it was closed, whichever is found first.

        Raises:
            SessionEnded: Always.
        """
        self.ended = reason if reason == "protocol" else self.ended or reason
        raise SessionEnded(reason)
