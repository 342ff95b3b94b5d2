"""A conversation with an agent: the plan, the policy, and what a reply may say."""

from __future__ import annotations

import builtins

import pytest
from replies import OK_NONE, PROGRAM, Handle, frame, packed, plan, scripted

from assay.judge import session as module
from assay.judge.loading import LoadFailure
from assay.judge.plan import Plan
from assay.judge.session import Mismatch, Opaque
from assay.judge.wire import SessionEnded, codec


def raised(name, *args, own=None, text=None, frames=((1, "<module>"), (3, "f"))):
    """The report of a builtin exception."""
    bases = [c.__name__ for c in vars(builtins)[name].__mro__]
    return ("raised", own, bases, codec.encode(args), str(args) if text is None else text, frames)


# -- the plan


def test_planned_replies_are_matched_by_position_without_asking():
    with scripted(("ok", 10), ("ok", 20), foreseen=plan(("f", 1), ("f", 1))) as session:
        assert session.planned
        assert [session.names["f"](1), session.names["f"](1)] == [10, 20]


def test_after_the_plan_requests_go_out_live():
    with scripted(("ok", 10), ("ok", 30), foreseen=plan(("f", 1))) as session:
        assert [session.names["f"](1), session.names["f"](7)] == [10, 30]


@pytest.mark.parametrize(
    ("name", "args", "keywords"),
    [("f", (2,), {}), ("g", (1,), {}), ("f", (1.0,), {}), ("f", (True,), {}), ("f", (), {"x": 1}), ("f", (1, 2), {})],
)
def test_a_call_that_the_plan_did_not_foresee_starts_over(name, args, keywords):
    with scripted(("ok", 10), foreseen=plan(("f", 1)), names=("f", "g")) as session:
        with pytest.raises(Mismatch):
            session.names[name](*args, **keywords)
        assert session.mismatched


def test_an_operation_before_the_plans_end_starts_over():
    foreseen = plan(("f", 1), ("f", 2))
    with scripted(("ok", Handle(5, "iterator")), ("ok", 1), foreseen=foreseen) as session:
        iterator = session.names["f"](1)
        with pytest.raises(Mismatch):
            next(iterator)


@pytest.mark.parametrize(("tail", "reason"), [(b"", "lost"), (b"\5\0", "torn"), (b"\5\0\0\0a", "torn")])
def test_a_plan_that_breaks_off_gives_the_replies_that_came_and_then_the_end(tail, reason):
    with scripted(("ok", 10), foreseen=plan(("f", 1), ("f", 2)), tail=tail) as session:
        assert session.ended is None
        assert session.names["f"](1) == 10
        with pytest.raises(SessionEnded):
            session.names["f"](2)
        assert session.ended == reason


def test_calibration_records_the_calls_up_to_the_first_that_is_not_plain():
    replies = (OK_NONE, ("ok", Handle(9, "object")), OK_NONE, OK_NONE)
    with scripted(*replies, policy=None) as session:
        f = session.names["f"]
        f(1)
        thing = f(2)
        f(thing)
        f(3)
        assert session.asked.calls == list(plan(("f", 1), ("f", 2)).calls)


# -- loading


@pytest.mark.parametrize(
    ("reply", "kind", "text"),
    [
        (("syntax", "SyntaxError: no", 1), "syntax", "SyntaxError: no"),
        (raised("ValueError", "x", text="x"), "raised", "ValueError: x (line 3)"),
        (raised("SystemExit", 0, text="0"), "exit", "SystemExit: 0 (line 3)"),
        (raised("KeyboardInterrupt", text=""), "exit", "KeyboardInterrupt (line 3)"),
        (("raised", None, [], b"", "", None), "exit", "exception"),
    ],
)
def test_a_program_that_does_not_load_says_why(reply, kind, text):
    with scripted() as session:
        session.channel._buffer += packed(frame(reply))
        with pytest.raises(LoadFailure) as caught:
            session.load(PROGRAM, Plan())
    assert (caught.value.kind, str(caught.value)) == (kind, text)


# -- replies

GARBAGE = [
    b"",
    b"????",
    b"N",
    codec.encode(5),
    codec.encode(()),
    codec.encode((5, 6)),
    codec.encode(("ok",)),
    codec.encode(("ok", 1, [(0, [])], 2)),
    codec.encode(("fine", 1)),
    codec.encode(("raised", 1)),
    codec.encode(("raised", None, "ValueError", b"", "", None)),
    codec.encode(("raised", None, [1], b"", "", None)),
    codec.encode(("ok", 1, [(99, [1])])),
    codec.encode(("ok", 1, [("x", [1])])),
    codec.encode(("ok", 1, 5)),
    codec.encode(("ok", 1, [(0, 5)])),
    codec.encode(("loaded", {})),
    codec.encode(("ok", 1)) + b"more",
    b"(" + b"\xff" * 4,
    frame(("ok", Handle(0))).replace(b"h", b"H", 1),
]


@pytest.mark.parametrize("reply", GARBAGE)
def test_a_reply_that_is_none_ends_the_session_as_broken(reply):
    with scripted(reply) as session:
        with pytest.raises(SessionEnded):
            session.names["f"]([1])
        assert session.ended == "protocol"


@pytest.mark.parametrize("name", ["SystemExit", "KeyboardInterrupt", "GeneratorExit", "BaseException"])
def test_what_is_no_exception_in_the_narrow_sense_ends_the_session(name):
    with scripted(raised(name, text="")) as session:
        with pytest.raises(SessionEnded):
            session.names["f"](1)
        assert (session.ended, session.last_frames) == ("exit", ((1, "<module>"), (3, "f")))


ODD_FRAMES = [
    (3, ()),
    (None, ()),
    ("f", ()),
    ([(3, "f")], ()),
    (((3, "f"),) * 11, ()),
    (((3, "f"),) * 2_000, ()),
    (((0, "f"), (-1, "f"), (True, "f"), (1 << 31, "f"), (10**400, "f"), (2.0, "f")), ()),
    (((3,), (3, "f", 1), [3, "f"], 3, "ab", None, ((3, "f"),)), ()),
    (((3, b"f"), (3, None), (3, ["f"])), ()),
    (((None, "f"), (4, "g")), ((4, "g"),)),
    (((4, "a\nb\x1b[31m"),), ((4, "a b\\x1b[31m"),)),
    (((4, Handle(0)), (5, "g")), ((5, "g"),)),
]


@pytest.mark.parametrize(("frames", "wanted"), ODD_FRAMES)
def test_odd_frames_of_a_traceback_are_left_out_and_decide_nothing(frames, wanted):
    with scripted(raised("ValueError", "x", frames=frames), ("ok", 5)) as session:
        with pytest.raises(ValueError, match="x"):
            session.names["f"](1)
        assert session.last_frames == wanted
        assert session.names["f"](1) == 5


def test_a_long_name_of_a_frame_is_cut():
    with scripted(raised("ValueError", "x", frames=((1, "n" * 50_000),))) as session:
        with pytest.raises(ValueError, match="x"):
            session.names["f"](1)
        assert len(session.last_frames[0][1]) <= 60


def test_an_exception_is_raised_with_its_arguments_and_remembered():
    with scripted(raised("KeyError", "a", 1)) as session:
        with pytest.raises(KeyError) as caught:
            session.names["f"](1)
        assert caught.value.args == ("a", 1)
        assert session.last_raised is caught.value


def test_an_exception_of_the_candidates_own_has_the_real_base_and_its_name():
    own = Handle(4, "exception", "TooSmall", "ValueError")
    with scripted(raised("ValueError", own=own)) as session:
        with pytest.raises(ValueError) as caught:
            session.names["f"](1)
        assert type(caught.value).__name__ == "TooSmall"


def test_stop_iteration_is_let_through_by_next_only():
    with scripted(("ok", Handle(5, "iterator")), raised("StopIteration"), raised("StopIteration")) as session:
        iterator = session.names["f"](1)
        with pytest.raises(StopIteration):
            next(iterator)
        with pytest.raises(RuntimeError, match="StopIteration"):
            session.names["f"](2)


@pytest.mark.parametrize(("ask", "answer"), [(len, "3"), (bool, 1), (hash, True), (repr, 5), (int, 2.0), (float, 2)])
def test_an_answer_of_another_type_than_python_wants_ends_the_session_as_broken(ask, answer):
    with scripted(
        ("ok", Handle(5)), ("ok", answer), policy=frozenset({"len", "bool", "hash", "repr", "int", "float"})
    ) as session:
        thing = session.names["f"](1)
        with pytest.raises(SessionEnded):
            ask(thing)
        assert session.ended == "protocol"


# -- the policy


def test_an_operation_that_the_policy_does_not_hold_is_refused_and_noted_from_outside():
    with scripted(("ok", Handle(5, name="Any"))) as session:
        thing = session.names["f"](1)
        for ask in (
            lambda: thing == 1,
            lambda: thing.size,
            lambda: bool(thing),
            lambda: len(thing),
            lambda: 1 in thing,
        ):
            with pytest.raises(Opaque):
                ask()
        assert session.violation == "the answer is an opaque Any object"
        assert session.operations == set()


def test_an_attribute_is_allowed_by_its_name():
    with scripted(("ok", Handle(5)), ("ok", 3), policy=frozenset({"getattr:size"})) as session:
        thing = session.names["f"](1)
        assert thing.size == 3
        with pytest.raises(Opaque):
            _ = thing.weight


def test_without_a_policy_everything_is_allowed_and_recorded():
    with scripted(("ok", Handle(5)), ("ok", 3), ("ok", True), policy=None) as session:
        thing = session.names["f"](1)
        assert thing.size == 3
        assert thing == 7
        assert session.operations == {"getattr:size", "eq"}
        assert session.compared == [(thing, 7)]


# -- changes to arguments


def test_changes_come_at_once_or_at_the_end_of_the_statement():
    changed = ("ok", None, [(0, [9])])
    for at_once in (True, False):
        with scripted(changed, at_once=at_once) as session:
            argument = [1]
            session.names["f"](argument)
            assert argument == ([9] if at_once else [1])
            session.settle()
            assert argument == [9]
            assert session.mutated


def test_an_answer_that_names_an_argument_is_that_argument():
    argument = [1]
    reply = frame(("ok", argument), known=[argument])
    with scripted(reply) as session:
        assert session.names["f"](argument) is argument


def test_an_answer_that_names_a_changed_argument_is_a_copy_until_the_statement_ends():
    argument = [1]
    with scripted(frame(("ok", argument, [(0, [9])]), known=[argument]), at_once=False) as session:
        answer = session.names["f"](argument)
        assert (answer, argument) == ([9], [1])


# -- callbacks


def test_a_callable_of_the_tests_is_called_back_with_copies():
    seen = []
    with scripted(("callback", 0, ([1],), (("key", 2),)), ("ok", 5)) as session:
        assert session.names["f"](lambda x, key: seen.append((x, key))) == 5
    assert seen == [([1], 2)]


def test_what_a_callable_of_the_tests_raises_goes_to_the_candidate():
    with scripted(("callback", 0, (), ()), ("ok", 5)) as session:
        assert session.names["f"](lambda: 1 / 0) == 5


@pytest.mark.parametrize(
    "request_",
    [
        ("callback", 7, (), ()),
        ("callback", "x", (), ()),
        ("callback", 0, 5, ()),
        ("callback", 0, (), 5),
        ("callback", 0),
        ("callback", 0, (), (1,)),
    ],
)
def test_a_forged_callback_ends_the_session_as_broken(request_):
    with scripted(request_, ("ok", 5)) as session:
        with pytest.raises(SessionEnded):
            session.names["f"](lambda: None)
        assert session.ended == "protocol"


def test_a_test_may_ask_only_so_often(monkeypatch):
    monkeypatch.setattr(module, "MAX_REQUESTS", 3)
    with scripted(*[OK_NONE] * 5) as session:
        for _ in range(3):
            session.names["f"](1)
        with pytest.raises(SessionEnded):
            session.names["f"](1)


def test_what_the_answers_cost_the_judge_in_all_is_limited(monkeypatch):
    spent = iter(range(0, 100, 9))
    monkeypatch.setattr(module.time, "process_time", lambda: float(next(spent)))
    with scripted(*[OK_NONE] * 5) as session:
        session.names["f"](1)
        session.names["f"](1)
        with pytest.raises(SessionEnded):
            session.names["f"](1)
        assert session.ended == "busy"


def test_callbacks_count_as_requests(monkeypatch):
    monkeypatch.setattr(module, "MAX_REQUESTS", 3)
    with scripted(*[("callback", 0, (), ())] * 5, ("ok", 1)) as session:
        with pytest.raises(SessionEnded):
            session.names["f"](lambda: 1)
        assert session.ended == "protocol"
