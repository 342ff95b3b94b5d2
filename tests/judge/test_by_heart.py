"""Who gives the reference's very replies passes without a trial; whoever differs in a byte, a reply or a name has one."""

from __future__ import annotations

import socket
from dataclasses import replace

import msgspec
import pytest
from court import problem
from replies import Clock, Handle, frame, packed

from assay.judge import Script, fork
from assay.judge.calibration import Calibration, calibrate
from assay.judge.hidden import Screen
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
        kind, report, _ = judged(asked, known, F, *told)
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


# -- the script


def served(*replies, tests=(ASSERTS,), screen=None):
    """A judge fork's problem, calibrated by these replies, and what it told then."""
    server = fork.ProblemServer(None, Clock())
    server._problem, server._plain = prepared(*tests), True

    def calibrate_it(channel):
        server._screen = screen
        return server._calibrate(0, False, channel._sock, live=False)

    return server, on_a_channel(calibrate_it, replies)


def answer_of(server, *replies, heard=None, plan=None, asks=False):
    """What it tells of a program whose agent says that."""
    said = () if heard is None else (heard, server._calibration.plan.data if plan is None else plan)
    return on_a_channel(lambda channel: server._judge(("judge", "", 0, asks, *said), channel._sock), replies)


RIGHT = (F, ("ok", 2), ("ok", 3), ("ok", 4))
REPLIES = b"".join(packed(frame(reply)) for reply in RIGHT)


def test_a_reference_that_leaves_the_calls_which_were_foreseen_is_run_without_them_from_then_on():
    thing = ("ok", Handle(4, "object"))
    tests = (AssertTests(cases=("assert f(1) == 2", "assert f(2) == 3")),)
    server, told = served(F, thing, ("ok", 3), tests=tests)
    assert told == ("again",), "what the first test asks of an object can't wait for the second's call"
    told = on_a_channel(
        lambda channel: server._calibrate(0, False, channel._sock, live=False), (F, thing, ("ok", True))
    )
    assert told == ("lost", "lost"), "its agent is asked one thing after the other, and has no more to say"


def test_the_script_is_told_with_the_calibration():
    server, told = served(*RIGHT)
    _, _, totals, screen, report, script = told
    assert (totals, screen, report) == ((1, 1), (), {"letters": ("P", "P")})
    assert Script(*script) == Script("", ("f",), server._calibration.plan.data, REPLIES, b"", b"")


def test_no_script_where_nothing_is_known_by_heart():
    _, told = served(F, OBJECT, ("ok", 2), tests=(ONE,))
    assert (told[0], len(told)) == ("calibrated", 4)


def test_the_script_is_told_once_with_the_first_that_keeps_to_it():
    server, _ = served(*RIGHT)
    assert len(answer_of(server, F, ("ok", 2), ("ok", 3), ("ok", 5))) == 2
    kind, report, script = answer_of(server, *RIGHT)
    assert (kind, report, Script(*script).replies) == ("report", {"letters": ("P", "P")}, REPLIES)
    assert answer_of(server, *RIGHT) == (kind, report)


def test_the_opening_is_the_message_that_a_judge_would_send():
    sent = []
    server, told = served(*RIGHT)
    script = Script(*told[-1])
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(REPLIES)
        server._judge(("judge", "source é\ud800", 7, False), ours)
        sent = theirs.recv(65536)
    assert script.opening("source é\ud800", 7) == sent


@pytest.mark.parametrize("cut", [0, 3, len(packed(frame(F))), len(REPLIES) - 1, len(REPLIES)])
@pytest.mark.parametrize("last", [("ok", 4), ("ok", 5)])
def test_a_program_that_was_heard_elsewhere_is_judged_as_if_it_had_been_heard_here(cut, last):
    said = b"".join(packed(frame(reply)) for reply in (*RIGHT[:-1], last))
    server, _ = served(*RIGHT)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(said[cut:])
        theirs.shutdown(socket.SHUT_WR)
        told = server._judge(("judge", "", 0, False, said[:cut], server._calibration.plan.data), ours)
        assert theirs.recv(100, socket.MSG_DONTWAIT) == b"" if ours.close() else True
    assert told[1] == answer_of(server, *RIGHT[:-1], last)[1]


def test_a_program_that_was_asked_another_plan_is_asked_again():
    server, _ = served(*RIGHT)
    assert answer_of(server, *RIGHT, heard=b"", plan=b"other") == ("again",)


def test_with_a_screen_its_questions_and_answers_are_part_of_the_script(monkeypatch):
    questions = [(codec.encode(((n,), ())), frame(("ok", n + 1))) for n in (7, 8)]
    server, _ = served(*RIGHT)
    server._screen = Screen("f", questions)
    for agreed in (None, 1):
        monkeypatch.setattr(Screen, "ask", lambda *_, agreed=agreed: agreed)
        assert len(answer_of(server, *RIGHT, asks=True)) == 2, "it does not agree on all of it"
    monkeypatch.setattr(Screen, "ask", lambda *_: 2)
    kind, report, script = answer_of(server, *RIGHT, asks=True)
    assert (kind, report["screened"]) == ("report", 2)
    assert Script(*script).questions == packed(server._screen.batch.data)
    assert Script(*script).answers == b"".join(packed(frame(("ok", n))) for n in (8, 9))
