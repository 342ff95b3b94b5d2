"""The judge's end of the socket to an agent: frames, their caps, and the clock that says in whose court the ball is.

The socket is the capability: whoever answers on it *is* the candidate, so no secret and no sequence number is needed. What arrives is
data. A frame is a 32-bit little-endian length and that many bytes of `guest/codec.py`, which is loaded by path on both sides.

Runs inside the jailed judge process: standard library only.
"""

from __future__ import annotations

import importlib.util
import struct
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

if TYPE_CHECKING:
    from socket import socket

FRAME_CAP = 16 << 20
"""Bytes that one reply may have, unless the reference's own replies are larger."""

_LENGTH = struct.Struct("<I")


def _load_codec() -> Any:
    path = Path(__file__).resolve().parent.parent / "guest" / "codec.py"
    spec = importlib.util.spec_from_file_location("assay_codec", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["assay_codec"] = module
    spec.loader.exec_module(module)
    return module


codec: Any = sys.modules.get("assay_codec") or _load_codec()
"""The module `guest/codec.py`."""


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
    """Frames to and from one agent. `ended` says why there will be no more, once that is so: `lost` (closed between frames), `torn`
    (closed within one), `protocol` (not of the encoding, or too large).
    """

    def __init__(self, sock: socket, clock: Clock, cap: int = FRAME_CAP) -> None:
        self._sock = sock
        self._clock = clock
        self._buffer = bytearray()
        self.cap = cap
        self.largest = 0
        self.ended: str | None = None

    def send(self, data: bytes) -> None:
        """Sends one frame.

        Raises:
            SessionEnded: If the agent is gone.
        """
        try:
            self._sock.sendall(_LENGTH.pack(len(data)) + data)
        except OSError:
            self.end("lost")

    def receive(self) -> bytes:
        """The next frame's bytes.

        Raises:
            SessionEnded: If there is none, or it is too large.
        """
        if self.ended:
            raise SessionEnded(self.ended)
        length = _LENGTH.unpack(self._take(4, "lost"))[0]
        if length > self.cap:
            self.end("protocol")
        self.largest = max(self.largest, length)
        return self._take(length, "torn")

    def _take(self, n: int, reason: str) -> bytes:
        buffer = self._buffer
        if len(buffer) < n:
            self._clock.stop()
            try:
                while len(buffer) < n:
                    chunk = self._sock.recv(max(65536, min(n - len(buffer), 1 << 20)))
                    if not chunk:
                        self.end("torn" if buffer else reason)
                    buffer += chunk
            except OSError:
                self.end("lost")
            finally:
                self._clock.start()
        taken = bytes(buffer[:n])
        del buffer[:n]
        return taken

    def end(self, reason: str) -> NoReturn:
        """Marks the channel as ended. That it was broken stands above that it was closed, whichever is found first.

        Raises:
            SessionEnded: Always.
        """
        self.ended = reason if reason == "protocol" else self.ended or reason
        raise SessionEnded(reason)
