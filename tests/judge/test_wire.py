"""Frames from an agent: whole, capped, and with a reason where there are no more."""

from __future__ import annotations

import socket
import struct

import pytest
from replies import Clock, packed

from assay.judge.wire import Channel, SessionEnded


@pytest.fixture
def ends():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def test_frames_come_whole_however_they_are_cut(ends):
    ours, theirs = ends
    channel = Channel(ours, Clock())
    data = packed(b"abc") + packed(b"") + packed(b"x" * 100_000)
    for at in range(0, 20, 3):
        theirs.sendall(data[at : at + 3])
    theirs.sendall(data[21:])
    assert [channel.receive(), channel.receive(), len(channel.receive())] == [b"abc", b"", 100_000]
    assert channel.largest == 100_000


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "lost"),
        (b"\3\0", "torn"),
        (b"\3\0\0\0", "torn"),
        (b"\3\0\0\0ab", "torn"),
        (b"\xff\xff\xff\xff", "protocol"),
    ],
)
def test_an_end_has_a_reason_and_stays_the_end(ends, data, reason):
    ours, theirs = ends
    theirs.sendall(data)
    theirs.close()
    channel = Channel(ours, Clock())
    for _ in range(2):
        with pytest.raises(SessionEnded):
            channel.receive()
        assert channel.ended == reason


def test_a_frame_may_be_as_large_as_the_cap_and_no_larger(ends):
    ours, theirs = ends
    theirs.sendall(packed(b"12345") + struct.pack("<I", 6))
    channel = Channel(ours, Clock(), cap=5)
    assert channel.receive() == b"12345"
    with pytest.raises(SessionEnded, match="protocol"):
        channel.receive()


def test_the_judge_gives_the_ball_away_only_while_it_waits(ends):
    ours, theirs = ends
    clock = Clock()
    channel = Channel(ours, clock)
    theirs.sendall(packed(b"ab") + packed(b"cd"))
    channel.receive()
    channel.receive()
    assert clock.log == ["stop", "start"], "the second frame was there already"
    theirs.close()
    with pytest.raises(SessionEnded):
        channel.receive()
    assert clock.log == ["stop", "start"] * 2


def test_sending_to_an_agent_that_is_gone_ends_the_session(ends):
    ours, theirs = ends
    theirs.close()
    channel = Channel(ours, Clock())
    with pytest.raises(SessionEnded, match="lost"):
        channel.send(b"x" * 10**7)


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [("lost", "torn", "lost"), ("lost", "protocol", "protocol"), ("protocol", "exit", "protocol")],
)
def test_a_broken_channel_stands_above_a_closed_one(ends, first, second, kept):
    channel = Channel(ends[0], Clock())
    for reason in (first, second):
        with pytest.raises(SessionEnded):
            channel.end(reason)
    assert channel.ended == kept
