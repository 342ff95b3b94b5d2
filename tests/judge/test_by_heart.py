"""Who gives the reference's very replies passes without a trial; whoever differs in a byte, a reply or a name has one."""

from __future__ import annotations

import socket
from dataclasses import replace

import msgspec
import pytest
from court import problem
from replies import Clock, Handle, frame, packed

from assay.judge import fork
from assay.judge.calibration import Calibration, calibrate
from assay.judge.prepared import prepare
from assay.judge.wire import Channel, codec
from assay.records import AssertTests, CallTests, CheckTests, Oracle

F = ("loaded", {"f": Handle(0, "callable", "f")})
RAISED = ("raised", Handle(1, "exception", "ValueError", "ValueError"), ["ValueError"], (), "no", ())
ASSERTS = AssertTests(cases=("assert f(1) == 2", "assert f(2) == 3\nassert f(3) == 4"))
CHECK = CheckTests(source="def check(candidate):\n    assert candidate(1) == 2\n    assert candidate(2) == 3\n")


def prepared(*tests):
    return prepare(msgspec.to_builtins(problem("", tests=tests)), ("base", "plus"))


def on_a_channel(work, replies):
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"".join(packed(frame(r)) for r in replies))
        theirs.shutdown(socket.SHUT_WR)
        return work(Channel(ours, Clock()))


def calibrated(asked, *replies, plain=True) -> Calibration:
    return on_a_channel(lambda channel: calibrate(asked, channel, 0, plain=plain), replies)


def judged(asked, calibration, *replies):
    return on_a_channel(lambda channel: fork.judge_sample(asked, calibration, channel, "", 0), replies)


@pytest.fixture
def trials(monkeypatch):
    """How often tests were run."""
    ran = []

    def counted(*arguments):
        ran.append(arguments)
        return run_trial(*arguments)

    run_trial = fork.run_trial
    monkeypatch.setattr(fork, "run_trial", counted)
    return ran


@pytest.mark.parametrize(
    ("tests", "replies", "letters"),
    [
        ((ASSERTS,), [2, 3, 4], ("P", "P")),
        ((CHECK,), [2, 3], ("PP",)),
        ((ASSERTS, CallTests(inputs=("[5]", "[6]"), group="plus")), [2, 3, 4, 6, 7], ("P", "P", "PP")),
    ],
)
def test_the_references_replies_need_no_trial(tests, replies, letters, trials):
    asked, told = prepared(*tests), [("ok", n) for n in replies]
    first = calibrated(asked, F, *told)
    for known in (first, Calibration.from_plain(codec.decode(codec.encode(first.to_plain(asked))), asked)):
        assert known.by_heart
        kind, report = judged(asked, known, F, *told)
        assert (kind, report["letters"], report["failure"], report["live"]) == ("report", letters, None, False)
    assert not trials
    assert report == judged(asked, replace(known, by_heart=False), F, *told)[1]
    assert trials


@pytest.mark.parametrize(
    ("replies", "letters"),
    [
        ([2, 3, 5], ("P", "W")),
        ([2, 3.0, 4], ("P", "P")),
        ([2, True, 4], ("P", "W")),
        ([3, 2, 4], ("W", "W")),
    ],
)
def test_another_reply_is_tried(replies, letters, trials):
    asked = prepared(ASSERTS)
    known = calibrated(asked, F, ("ok", 2), ("ok", 3), ("ok", 4))
    assert judged(asked, known, F, *[("ok", n) for n in replies])[1]["letters"] == letters
    assert len(trials) == 1


def test_replies_that_break_off_are_tried(trials):
    asked = prepared(ASSERTS)
    known = calibrated(asked, F, ("ok", 2), ("ok", 3), ("ok", 4))
    report = judged(asked, known, F, ("ok", 2), ("ok", 3))[1]
    assert (report["letters"], report["ended"], len(trials)) == (("P", "X"), "lost", 1)


def test_a_change_to_an_argument_is_tried(trials):
    asked = prepared(AssertTests(cases=("x = [1]\nassert f(x) == 2 and x == [1]",)))
    known = calibrated(asked, F, ("ok", 2))
    assert known.by_heart
    assert judged(asked, known, F, ("ok", 2, [(0, [9])]))[1]["letters"] == ("P",)
    assert len(trials) == 1, "a reply with a change in it is another reply"


def test_a_class_in_the_functions_place_is_tried(trials):
    asked = prepared(ASSERTS)
    known = calibrated(asked, F, ("ok", 2), ("ok", 3), ("ok", 4))
    judged(asked, known, ("loaded", {"f": Handle(0, "class", "f")}), ("ok", 2), ("ok", 3), ("ok", 4))
    assert len(trials) == 1


ONE = AssertTests(cases=("assert f(1)[0] == 2",))
NAMED = Handle(0, "callable", "f")
OBJECT = ("ok", Handle(1, "object", "T"))


@pytest.mark.parametrize(
    ("tests", "loaded", "replies"),
    [
        pytest.param(AssertTests(cases=("assert f(1) is not None",)), {}, [OBJECT], id="an object came back"),
        pytest.param(
            AssertTests(cases=("assert f(0) is not None",)), {}, [("ok", NAMED)], id="the function itself came back"
        ),
        pytest.param(ONE, {}, [OBJECT, ("ok", 2)], id="an object was asked for something"),
        pytest.param(AssertTests(cases=("assert f(lambda: 1) == 2",)), {}, [("ok", 2)], id="a callable went out"),
        pytest.param(
            AssertTests(cases=("assert f(g(1)) == 2",)),
            {"g": Handle(1, "callable", "g")},
            [("ok", 2)] * 2,
            id="another name was asked",
        ),
        pytest.param(AssertTests(cases=("assert f(K) == 2",)), {"K": 5}, [("ok", 2)], id="a constant was asked"),
        pytest.param(
            AssertTests(cases=("assert f(1) == 2",)), {"f": Handle(0, "class", "f")}, [("ok", 2)], id="it is a class"
        ),
        pytest.param(
            CallTests(inputs=("[1]",), oracle=Oracle(name="not_none")), {}, [("ok", 5)], id="a view is compared"
        ),
    ],
)
def test_not_known_by_heart_where(tests, loaded, replies):
    assert not calibrated(prepared(tests), ("loaded", {"f": NAMED} | loaded), *replies).by_heart


def test_not_known_by_heart_where_the_tests_are_not_plain():
    assert not calibrated(prepared(ASSERTS), F, ("ok", 2), ("ok", 3), ("ok", 4), plain=False).by_heart


def test_answers_beyond_the_room_for_them_are_not_known_by_heart(monkeypatch):
    asked, told = prepared(ASSERTS), [("ok", 2), ("ok", 3), ("ok", 4)]
    size = len(frame(("ok", 2)))
    monkeypatch.setattr("assay.judge.session.KEPT_BYTES", 3 * size)
    assert calibrated(asked, F, *told).by_heart
    monkeypatch.setattr("assay.judge.session.KEPT_BYTES", 3 * size - 1)
    assert not calibrated(asked, F, *told).by_heart


def test_an_exception_that_both_raise_is_no_data():
    tests = AssertTests(cases=("try:\n    f(1)\nexcept ValueError:\n    pass\nassert f(2) == 3",))
    assert not calibrated(prepared(tests), F, RAISED, ("ok", 3)).by_heart
