"""Frames from an agent: whole, capped, and with a reason where there are no more."""

from __future__ import annotations

import socket
import threading

import pytest
from replies import Clock, packed

from assay.judge import wire as module
from assay.judge.wire import Channel, SessionEnded, codec


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
        (b"\xff\xff\xff\x0f", "torn"),
        (b"\xff\xff\xff\x0f" + bytes(9), "torn"),
        (b"\xff\xff\xff\xff", "protocol"),
        (b"    " + bytes(9), "protocol"),
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


@pytest.mark.parametrize("pieces", [1, 3, 100_000])
def test_a_frame_that_is_larger_than_the_cap_goes_by_and_is_said_to_be_unsendable(ends, pieces):
    ours, theirs = ends
    channel = Channel(ours, Clock(), cap=5)
    data = packed(b"12345") + packed(b"x" * 70_000) + packed(b"six...") + packed(b"67")
    for start in range(0, len(data), pieces * 1000):
        theirs.sendall(data[start : start + pieces * 1000])
    assert channel.receive() == b"12345"
    assert [codec.decode(channel.receive()) for _ in range(2)] == [("unsendable", "it is over 0 MiB")] * 2
    assert channel.receive() == b"67"
    assert channel.largest == 5


def test_what_comes_in_a_row_may_gather_before_the_judge_looks_again(ends, monkeypatch):
    naps = []
    monkeypatch.setattr(module.time, "sleep", naps.append)
    ours, theirs = ends
    channel = Channel(ours, Clock())
    theirs.sendall(packed(b"a"))
    channel.receive()
    assert naps == [], "a lone reply is waited for as it comes"
    channel.in_a_row = True
    theirs.sendall(packed(b"b") + packed(b"c"))
    assert [channel.receive(), channel.receive()] == [b"b", b"c"]
    assert naps == [module.NAP_S], "the second was there already"
    monkeypatch.setattr(module, "_MUCH", 1)
    theirs.sendall(packed(b"x" * 150_000))
    channel.receive()
    assert len(naps) == 1, "a sender that is ahead is not kept waiting"


def test_all_frames_together_may_be_as_large_as_their_cap_and_no_larger(ends):
    ours, theirs = ends
    theirs.sendall(packed(b"123") + packed(b"45") + packed(b"6"))
    channel = Channel(ours, Clock(), cap=5, total_cap=5)
    assert [channel.receive(), channel.receive()] == [b"123", b"45"]
    with pytest.raises(SessionEnded, match="flood"):
        channel.receive()
    assert channel.ended == "flood"


def test_frames_that_are_there_are_taken_together(ends):
    ours, theirs = ends
    channel = Channel(ours, Clock(), cap=5)
    theirs.sendall(packed(b"1") + packed(b"") + packed(b"12345") + packed(b"1234")[:6])
    assert channel.receive_some(9) == [b"1", b"", b"12345"]
    theirs.sendall(packed(b"1234")[6:] + packed(b"5") + packed(b"123456"))
    assert channel.receive_some(1) == [b"1234"]
    assert channel.receive_some(9) == [b"5"]
    assert [codec.decode(each)[0] for each in channel.receive_some(9)] == ["unsendable"]


def test_under_a_cap_for_all_frames_each_is_counted(ends):
    ours, theirs = ends
    theirs.sendall(packed(b"12") * 3)
    channel = Channel(ours, Clock(), total_cap=5)
    assert channel.receive_some(9) == [b"12"]
    assert channel.receive_some(9) == [b"12"]
    with pytest.raises(SessionEnded, match="flood"):
        channel.receive_some(9)


def test_the_judge_gives_the_ball_away_only_while_it_waits(ends):
    ours, theirs = ends
    clock = Clock()
    channel = Channel(ours, clock)
    theirs.sendall(packed(b"ab") + packed(b"cd"))
    channel.receive()
    channel.receive()
    assert clock.log == ["stop", "start"], "the second frame was there already"
    channel.send(b"x")
    assert clock.log == ["stop", "start"], "there was room for it"
    theirs.close()
    with pytest.raises(SessionEnded):
        channel.receive()
    assert clock.log == ["stop", "start"] * 2


def test_who_does_not_read_what_it_is_asked_holds_the_judge_up_in_its_own_time(ends):
    ours, theirs = ends
    clock, asked = Clock(), b"x" * 10**7
    reader = threading.Thread(target=lambda: [theirs.recv(1 << 20, socket.MSG_WAITALL) for _ in range(10)])
    reader.start()
    Channel(ours, clock).send(asked)
    assert clock.log == ["stop", "start"]
    ours.close()
    reader.join()


def test_a_hurried_channel_gives_up_on_one_that_does_not_read_or_does_not_answer(ends):
    channel = Channel(ends[0], Clock())
    with pytest.raises(SessionEnded, match="lost"):
        channel.hurried(0.01).receive()
    with pytest.raises(SessionEnded, match="lost"):
        channel.hurried(0.01).send(b"x" * 10**7)


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
