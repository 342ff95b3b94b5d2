"""A session whose agent's replies are written down beforehand: nothing runs on the other side."""

from __future__ import annotations

import contextlib
import socket
import struct

from assay.judge.loading import Program
from assay.judge.plan import Plan
from assay.judge.session import Session
from assay.judge.wire import Channel, codec

PROGRAM = Program("", "", ("f", "g"), 0)
OK_NONE = ("ok", None)


class Handle:
    """Stands for an object of the agent's in a reply."""

    def __init__(self, number, kind="object", name="Thing", detail=""):
        self.data = codec.handle(number, kind, name, detail)


class Clock:
    """Keeps who had the ball."""

    def __init__(self):
        self.log = []

    def start(self):
        self.log.append("start")

    def stop(self):
        self.log.append("stop")


def frame(reply, known=()) -> bytes:
    """A reply's bytes; bytes are sent as they are. `known` are the containers of the request, which a reply may name."""
    if isinstance(reply, bytes):
        return reply
    return codec.Encoder(opaque=lambda o: o.data, known=known).encode(reply)


def packed(data: bytes) -> bytes:
    """A frame on the wire."""
    return struct.pack("<I", len(data)) + data


def plan(*calls) -> Plan:
    """A plan of calls `(name, *args)`."""
    return Plan([(name, codec.encode((tuple(args), ()))) for name, *args in calls])


@contextlib.contextmanager
def scripted(*replies, foreseen=Plan(), policy=frozenset(), at_once=True, names=("f",), tail=b""):  # noqa: B008 (an empty plan holds nothing)
    """A loaded session with `replies` waiting; after them and the bytes `tail`, the agent has hung up."""
    ours, theirs = socket.socketpair()
    loaded = ("loaded", {name: Handle(n, "callable", name) for n, name in enumerate(names)})
    with ours, theirs:
        theirs.sendall(b"".join(packed(frame(r)) for r in (loaded, *replies)) + tail)
        theirs.shutdown(socket.SHUT_WR)
        session = Session(Channel(ours, Clock()), "f", policy, changes_at_once=at_once)
        session.load(PROGRAM, foreseen)
        yield session
