"""Replies to a plan: one to each call, in order, and no more of them held than there is room for."""

from __future__ import annotations

import socket

import pytest
from replies import Clock, packed

from assay.judge import plan as module
from assay.judge.plan import Plan, Replies
from assay.judge.wire import Channel, SessionEnded, codec

CALLS = [("f", bytes([n])) for n in range(6)]


@pytest.fixture
def ends():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def replies_to(ends, *frames, answers=None, tail=b"", cap=1 << 20):
    ours, theirs = ends
    theirs.sendall(b"".join(map(packed, frames)) + tail)
    theirs.shutdown(socket.SHUT_WR)
    return Replies(Channel(ours, Clock(), cap=cap), Plan(CALLS, answers))


def test_a_plan_is_encoded_once_for_all_samples():
    plan = Plan(CALLS)
    assert plan.data is plan.data
    assert codec.decode_calls(plan.data) == list(CALLS)
    assert plan.answers == (None,) * 6


def test_each_call_has_its_own_reply_in_order(ends):
    replies = replies_to(ends, *[b"%d" % n for n in range(6)])
    for n in range(6):
        assert not replies.are_used_up
        assert replies.fit("f", bytes([n]))
        assert not replies.fit("g", bytes([n]))
        assert not replies.fit("f", b"x")
        assert replies.take() == b"%d" % n
    assert replies.are_used_up


def test_replies_that_are_the_references_are_held_once_and_for_nothing(ends, monkeypatch):
    monkeypatch.setattr(module, "HELD_BYTES", 10)
    answers = [b"a" * 50, b"b" * 50, None, b"c" * 50, b"d", b"e"]
    replies = replies_to(ends, *[a or b"?" for a in answers], answers=answers)
    replies.gather()
    assert [replies.take() is a for a in answers] == [True, True, False, True, True, True]


def test_others_wait_on_the_way_as_soon_as_there_are_too_many(ends, monkeypatch):
    monkeypatch.setattr(module, "HELD_BYTES", 10)
    replies = replies_to(ends, *[b"%d" % n * 6 for n in range(6)])
    # one at a time, as where each is larger than what one look at the socket gives
    monkeypatch.setattr(replies._channel, "receive_some", lambda _: [replies._channel.receive()])
    replies.gather()
    assert len(replies._held) == 2, "the second crosses the border"
    for n in range(6):
        assert replies.take() == b"%d" % n * 6
        assert len(replies._held) <= 2
    assert replies.are_used_up


@pytest.mark.parametrize("room", [1, 10, 1000])
@pytest.mark.parametrize(("tail", "reason"), [(b"", "lost"), (b"\5\0", "torn")])
def test_a_plan_that_breaks_off_ends_where_the_next_reply_is_missing(ends, monkeypatch, room, tail, reason):
    monkeypatch.setattr(module, "HELD_BYTES", room)
    replies = replies_to(ends, b"a" * 6, b"b" * 6, b"c" * 6, tail=tail)
    replies.gather()
    assert replies._channel.ended is None, "the tests have not met the end yet"
    assert [replies.take()[:1] for _ in range(3)] == [b"a", b"b", b"c"]
    for _ in range(2):
        with pytest.raises(SessionEnded):
            replies.take()
        assert replies._channel.ended == reason


def test_a_reply_that_is_too_large_is_let_pass_and_costs_the_others_nothing(ends):
    replies = replies_to(ends, b"a", b"b" * 100, b"c", *[b""] * 3, cap=50)
    replies.gather()
    assert replies.take() == b"a"
    assert codec.decode(replies.take()) == ("unsendable", "it is over 0 MiB")
    assert replies.take() == b"c"
    assert replies._channel.ended is None


def test_replies_that_are_what_is_wanted_are_passed_over_in_one_go(ends):
    answers = [b"a", b"b", b"c", None, b"e", b"f"]
    replies = replies_to(ends, b"a", b"b", b"x", b"d", b"e", b"f", answers=answers)
    replies.gather()
    arguments, wanted = [call[1] for call in CALLS], [*answers]
    assert replies.pass_over("g", arguments, wanted, 0) == 0, "another function"
    assert replies.pass_over("f", arguments[::-1], wanted, 0) == 0, "other arguments"
    assert replies.pass_over("f", arguments, wanted, 0) == 2
    assert replies.pass_over("f", arguments, wanted, 2) == 2, "other bytes are for the slow way"
    assert [replies.take(), replies.take()] == [b"x", b"d"]
    assert replies.pass_over("f", arguments, wanted, 4) == 6
    assert replies.are_used_up
    assert replies.pass_over("f", arguments, wanted, 6) == 6


def test_what_is_passed_over_is_the_answer_itself_and_nothing_like_it(ends):
    replies = replies_to(ends, *[b"same"] * 6, answers=[b"same"] * 6)
    replies.gather()
    assert replies.pass_over("f", [call[1] for call in CALLS], [bytes(bytearray(b"same"))] * 6, 0) == 0


def test_nothing_is_gathered_in_a_row_once_the_plan_is_through(ends):
    replies = replies_to(ends, *[b""] * 6)
    replies.gather()
    assert replies._channel.in_a_row is False
