"""What candidates are held to survives the way to the next process, and comes from the reference's run alone."""

from __future__ import annotations

import socket

import msgspec
import pytest
from court import problem
from replies import Clock, Handle, frame, packed

from assay.judge import calibration as module
from assay.judge.calibration import Calibration, calibrate, without_reference
from assay.judge.prepared import Unusable, prepare
from assay.judge.session import Mismatch
from assay.judge.wire import FRAME_CAP, Channel, SessionEnded, codec
from assay.records import AssertTests, CallTests, Oracle

LOADED = ("loaded", {"f": Handle(0, "callable", "f")})


def prepared(*tests):
    return prepare(msgspec.to_builtins(problem("", tests=tests)), ("base",))


def run(asked, *replies, live=False) -> Calibration:
    """Calibrates against replies that are written down."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"".join(packed(frame(r)) for r in replies))
        theirs.shutdown(socket.SHUT_WR)
        return calibrate(asked, Channel(ours, Clock(), cap=1 << 30), 0, live=live)


def passed_on(found, asked) -> Calibration:
    """The calibration as the next process has it."""
    return Calibration.from_plain(codec.decode(codec.encode(found.to_plain(asked))), asked)


ONE = prepared(AssertTests(cases=("assert f(1) == 2", "assert f(2) == 3\nassert f(3) == 4")))
CALLS = prepared(CallTests(inputs=("[1]", "[2]")))


def test_the_run_gives_the_plan_the_counts_and_an_empty_policy():
    found = run(ONE, LOADED, ("ok", 2), ("ok", 3), ("ok", 4))
    assert found.expected == ((1,), (1, 1))
    assert [name for name, _ in found.plan.calls] == ["f"] * 3
    assert (found.policy, found.probes, found.delegated, found.mutates) == (frozenset(), (), False, False)
    assert found.names == ("f",)
    assert found.frame_cap == FRAME_CAP


def test_a_reply_may_be_twice_as_large_as_the_references(monkeypatch):
    monkeypatch.setattr(module, "FRAME_CAP", 100)
    assert run(CALLS, LOADED, ("ok", "x" * 10_000), ("ok", "")).frame_cap > 20_000


def test_answers_to_inputs_are_kept_and_an_input_that_is_refused_is_no_case():
    refused = ("raised", None, ["ValueError", "Exception", "BaseException", "object"], codec.encode(()), "", 1)
    found = run(CALLS, LOADED, ("ok", 5), refused)
    assert found.expected == ([codec.encode(("ok", 5)), None],)


def test_an_input_that_is_refused_is_not_asked_again():
    refused = ("raised", None, ["ValueError", "Exception", "BaseException", "object"], codec.encode(()), "", 1)
    found = run(CALLS, LOADED, refused, ("ok", 5))
    (unit,) = CALLS.units
    assert found.plan.calls == (("f", unit.arguments[1]),)
    assert found.plan.answers == (codec.encode(("ok", 5)),)


ASSERTS = prepared(AssertTests(cases=("assert f(1) == 2", "assert f([2]) == 3")))


@pytest.mark.parametrize(("asked", "plain", "calls"), [(CALLS, False, [(1,), (2,)]), (ASSERTS, True, [(1,), ([2],)])])
def test_calls_that_are_known_beforehand_go_out_in_one_batch(asked, plain, calls):
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"".join(packed(frame(r)) for r in (LOADED, ("ok", 2), ("ok", 3))))
        calibrate(asked, Channel(ours, Clock()), 0, plain=plain)
        length = int.from_bytes(theirs.recv(4), "little")
        sent = codec.decode(theirs.recv(length))
        assert (sent[0], codec.decode_calls(sent[5])) == ("load", [("f", codec.encode((args, ()))) for args in calls])
        theirs.setblocking(False)
        with pytest.raises(BlockingIOError):
            theirs.recv(1)


ITEMS = (
    ("ok", Handle(4, "iterator")),
    ("ok", 7),
    ("raised", None, ["StopIteration", "Exception"], codec.encode(()), "", 1),
)


def test_an_iterator_that_has_to_be_used_up_before_the_next_call_needs_a_run_without_a_batch():
    with pytest.raises(Mismatch):
        run(CALLS, LOADED, ITEMS[0], ("ok", 5))
    found = run(CALLS, LOADED, *ITEMS, ("ok", 5), live=True)
    assert found.expected == ([[7], codec.encode(("ok", 5))],)
    assert [len(found.plan.calls), found.plan.answers] == [1, (None,)], "it is compared item by item"


def test_answers_that_are_too_large_together_make_the_problem_unusable():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"".join(packed(frame(r)) for r in (LOADED, ("ok", "x" * 50), ("ok", "x" * 50))))
        with pytest.raises(Unusable, match="answers are over 256 MiB together") as caught:
            calibrate(CALLS, Channel(ours, Clock(), total_cap=150), 0)
        assert caught.value.of_reference


def test_a_reference_that_its_own_oracle_refuses_makes_the_problem_unusable():
    asked = prepared(CallTests(inputs=("[[-9, 0, 1]]",), oracle=Oracle(name="root", atol=1e-4)))
    assert run(asked, LOADED, ("ok", 3.0)).expected == ([codec.encode(("ok", 3.0))],)
    with pytest.raises(Unusable, match="fails its own tests"):
        run(asked, LOADED, ("ok", 2.0))


def test_what_an_oracle_sees_of_an_object_is_kept_in_its_place():
    asked = prepared(CallTests(inputs=("[1]", "[2]"), oracle=Oracle(name="not_none")))
    found = run(asked, LOADED, ("ok", Handle(4, "object", "Match")), ("ok", None))
    assert found.expected == ([codec.encode(("ok", True)), codec.encode(("ok", False))],)
    again = passed_on(found, asked)
    assert again.plan.answers == found.plan.answers == (None, None), "no reply is the same as a view of it"


def test_what_an_oracle_sees_is_kept_also_after_a_test_that_asked_an_object_for_something():
    tests = (
        AssertTests(cases=("assert f(0)[0] == 2",)),
        CallTests(inputs=("[1]", "[2]"), oracle=Oracle(name="not_none")),
    )
    thing = ("ok", Handle(4, "object", "Match"))
    found = run(prepared(*tests), LOADED, thing, ("ok", 2), thing, ("ok", None))
    assert found.expected == ((1,), [codec.encode(("ok", True)), codec.encode(("ok", False))])


def test_a_change_to_an_argument_is_noted():
    asked = prepared(AssertTests(cases=("x = [1]\nf(x)\nassert x == [9]",)))
    assert run(asked, LOADED, ("ok", None, [(0, [9])])).mutates


def test_a_change_to_an_input_is_noted():
    assert run(CALLS, LOADED, ("ok", None, [(0, [])]), ("ok", None)).mutates is False, "there is no container to change"
    asked = prepared(CallTests(inputs=("[[1]]", "[[2]]")))
    assert run(asked, LOADED, ("ok", None), ("ok", None, [(0, [9])])).mutates
    assert not run(asked, LOADED, ("ok", None), ("ok", 5)).mutates


def test_operations_on_objects_make_the_policy():
    asked = prepared(AssertTests(cases=("assert f(1).size == 3",)))
    found = run(asked, LOADED, ("ok", Handle(4)), ("ok", 3))
    assert (found.policy, found.delegated) == (frozenset({"getattr:size"}), True)


@pytest.mark.parametrize(
    ("asked", "replies", "reason"),
    [
        (ONE, [LOADED, ("ok", 0), ("ok", 3), ("ok", 4)], r"f\(1\): expected 2, got 0"),
        (ONE, [("syntax", "SyntaxError: x", 1)], "does not load: SyntaxError: x"),
        (CALLS, [LOADED, ("ok", Handle(4)), ("ok", 1)], "can't be copied"),
        (prepared(AssertTests(cases=("for x in f(1):\n    assert x",))), [LOADED, ("ok", [])], "no assertion"),
    ],
)
def test_a_reference_that_shows_nothing_makes_the_problem_unusable(asked, replies, reason):
    with pytest.raises(Unusable, match=reason):
        run(asked, *replies)


@pytest.mark.parametrize("replies", [[], [LOADED], [LOADED, ("ok", 2)], [LOADED, b"????"]])
def test_a_reference_whose_agent_is_gone_gives_nothing(replies):
    with pytest.raises(SessionEnded):
        run(ONE, *replies)


def test_a_calibration_comes_through_the_codec_as_it_was():
    found = run(CALLS, LOADED, ("ok", 5), ("ok", [1, {2: 3}]))
    again = passed_on(found, CALLS)
    assert again.to_plain(CALLS) == found.to_plain(CALLS)
    assert again.plan.calls == found.plan.calls
    assert again.plan.answers == found.plan.answers
    assert [a is e for a, e in zip(again.plan.answers, again.expected[0], strict=True)] == [True, True], "held once"


def test_answers_go_with_their_calls_where_asserts_stand_between_the_inputs():
    tests = (CallTests(inputs=("[1]",)), AssertTests(cases=("assert f(9) == 9",)), CallTests(inputs=("[2]",)))
    asked = prepared(*tests)
    found = run(asked, LOADED, ("ok", 1), ("ok", 9), ("ok", 2))
    answers = tuple(codec.encode(("ok", n)) for n in (1, 9, 2))
    assert found.plan.answers == answers
    assert passed_on(found, asked).plan.answers == answers
    assert passed_on(found, asked).plan.calls == found.plan.calls


def test_an_iterator_among_the_answers_comes_through_the_codec_too():
    stop = ("raised", None, ["StopIteration", "Exception"], codec.encode(()), "", 1)
    items = (("ok", Handle(3, "iterator")), ("ok", 1), ("ok", 2), stop)
    for answers, expected in (
        ((*items, *items), ([1, 2], [1, 2])),
        ((("ok", 5), *items), (codec.encode(("ok", 5)), [1, 2])),
        ((*items, ("ok", 5)), ([1, 2], codec.encode(("ok", 5)))),
    ):
        found = run(CALLS, LOADED, *answers, live=True)
        assert tuple(found.expected[0]) == expected
        again = passed_on(found, CALLS)
        assert again.plan.answers == found.plan.answers
        assert [answer for answer in again.plan.answers if answer is not None] == [
            each for each in expected[:1] if isinstance(each, bytes)
        ]


def test_without_a_reference_nothing_is_foreseen_and_nothing_allowed():
    bare = without_reference(ONE)
    assert (bare.plan.calls, bare.policy, bare.expected, bare.names) == ((), frozenset(), (), ("f",))


def test_without_a_reference_the_attributes_that_tests_read_may_be_asked_for_and_no_operator():
    tests = AssertTests(cases=("s = f(); s.push(1); assert s == s.top and s.__len__()",))
    plain = msgspec.to_builtins(problem("", tests=(tests,)))
    bare = without_reference(prepare({**plain, "reference": None}, ("base",)))
    assert bare.policy == {"getattr:push", "getattr:top"}


def test_a_failure_without_any_word_is_still_told():
    assert module._told(None) == "no reason was given"
    assert module._told({"call": "", "expected": "", "got": "", "message": ""}) == "the assertion does not hold"
