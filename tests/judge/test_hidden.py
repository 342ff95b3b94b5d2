"""Hidden inputs: which are asked, who is cleared, and who is found out however it behaves when it is asked what it does not know."""

from __future__ import annotations

import socket

import pytest
from court import judge, problem
from replies import Clock, frame, packed

from assay.engine import Settings
from assay.judge.hidden import Maker, Screen, Stuck, count_agreed, is_forgetful, view_of
from assay.judge.questions import QUESTIONS, SCREEN, Question
from assay.judge.wire import Channel, codec
from assay.records import Outcome


def calls(*seen: tuple) -> list[bytes]:
    return [codec.encode((args, ())) for args in seen]


def asking(function):
    """Answers as an agent with that function would."""

    def ask(arguments):
        return [codec.encode(("ok", function(*codec.decode(each)[0]))) for each in arguments]

    return ask


def inputs(questions) -> list[tuple]:
    return [codec.decode(each.arguments)[0] for each in questions]


SEEN = calls(([3, 1, 2],), ([5, 5, 1],), ([7],))


def test_a_screen_is_few_questions_and_all_of_them_begin_with_it() -> None:
    screen = Maker(asking(sum), SEEN, 0).make_screen()
    whole = Maker(asking(sum), SEEN, 0).make_all()
    assert len(screen) == SCREEN
    assert len(whole) == QUESTIONS
    assert whole[:SCREEN] == screen
    assert len(set(whole)) == QUESTIONS
    assert not set(SEEN) & {each.arguments for each in whole}


def test_a_reference_is_not_asked_again_what_it_has_answered() -> None:
    asked: list[bytes] = []

    def ask(arguments):
        asked.extend(arguments)
        return asking(sum)(arguments)

    answers = dict(zip(SEEN, asking(sum)(SEEN), strict=True))
    screen = Maker(ask, SEEN, 0, forgetful=True, answers=answers).make_screen()
    assert screen == Maker(asking(sum), SEEN, 0, forgetful=True).make_screen()
    assert asked
    assert not set(asked) & set(SEEN)


def test_a_question_has_another_answer_than_the_call_that_it_was_made_from() -> None:
    assert Maker(asking(lambda x: len(x) >= 0), SEEN, 0).make_all() == ()
    assert Maker(asking(lambda x: 10**6 + len(x)), SEEN, 0).make_all() == (), "they differ by less than counts"


@pytest.mark.parametrize("function", [lambda x: x, list, tuple, lambda _: None])
def test_nothing_is_asked_that_who_does_nothing_gets_right(function) -> None:
    assert Maker(asking(function), SEEN, 0).make_all() == ()


def test_an_answer_too_large_to_be_compared_is_no_question() -> None:
    assert Maker(asking(lambda x: "".join(map(str, x))), SEEN, 0).make_all() != ()
    assert Maker(asking(lambda x: [None] * 30_000 + [sum(x)]), SEEN, 0).make_all() == ()


def test_to_sort_is_a_task_of_which_only_the_order_tells() -> None:
    questions = Maker(asking(sorted), SEEN, 0).make_all()
    assert len(questions) >= SCREEN
    untouched = [codec.encode(("ok", call[0])) for call in inputs(questions)]
    assert count_agreed(untouched, questions) == 0
    assert count_agreed([each.answer for each in questions], questions) == len(questions)


def test_elsewhere_order_does_not_count() -> None:
    questions = Maker(asking(lambda x: [n + 10 for n in x]), SEEN, 0).make_all()
    turned = [codec.encode(("ok", [n + 10 for n in reversed(call[0])])) for call in inputs(questions)]
    assert count_agreed(turned, questions) == len(questions) > SCREEN


def test_an_answer_that_rests_on_what_was_asked_before_is_no_question() -> None:
    count = iter(range(10**6))
    assert Maker(asking(lambda x: sum(x) + next(count) * 100), SEEN, 0).make_screen() == ()


def test_calls_with_keywords_large_ones_and_objects_are_left_alone() -> None:
    odd = [codec.encode((([1],), (("k", 2),))), *calls(("x" * 5000,)), b"?", codec.encode(((), ()))]
    assert Maker(asking(sum), odd, 0).make_all() == ()


def test_a_reference_that_is_gone_is_told_with_the_variant_that_it_did_not_come_back_from() -> None:
    def ask(arguments):
        return asking(sum)(arguments)[:-2]

    with pytest.raises(Stuck) as stuck:
        Maker(ask, SEEN, 0).make_screen()
    assert stuck.value.variant > 0
    barred = Maker(asking(sum), SEEN, 0, barred=[stuck.value.variant]).make_all()
    assert len(barred) == QUESTIONS


@pytest.mark.parametrize(
    "source",
    [
        "seen = []\ndef f(x): return seen",
        "def f(x, seen=[]): return seen",
        "def f(x):\n    global n",
        "def f(x):\n    f.n = 1",
        "import random\ndef f(x): return random.random()",
        "class A: pass",
    ],
)
def test_a_text_that_may_keep_something_is_asked_twice(source: str) -> None:
    assert not is_forgetful(source)
    assert is_forgetful("import math\ndef f(x):\n    y = [i for i in x if i == 2]\n    return math.sqrt(y[0])")


def test_an_answer_is_what_the_call_changed_where_it_gives_none() -> None:
    arguments = codec.encode((([2, 1],), ()))
    decoder = codec.Decoder()
    decoder.decode(arguments)
    changed = frame(("ok", None, [(0, [1, 2])]), decoder.mutables)
    assert view_of(changed, arguments) == [[1, 2]]
    assert count_agreed([frame(("ok", None))], [Question(arguments, changed)]) == 0


def screened(*replies) -> int | None:
    """What comes of three questions, to which 0, 1 and 2 are right, where an agent gives these replies."""
    questions = [(arguments, codec.encode(("ok", n))) for n, arguments in enumerate(calls(([1],), ([2],), ([3],)))]
    ours, agent = socket.socketpair()
    with ours, agent:
        agent.sendall(b"".join(packed(frame(reply)) for reply in replies))
        agent.shutdown(socket.SHUT_WR)
        return Screen("f", questions).ask(Channel(ours, Clock()))


def test_a_screen_counts_who_says_the_same_and_nothing_if_one_answer_is_missing() -> None:
    assert screened(("ok", 0), ("ok", 1.0), ("ok", 2)) == 3
    assert screened(("ok", 0), ("ok", 7), ("unsendable", "no")) == 1
    assert screened(("ok", 0), ("ok", 1)) is None
    assert screened() is None
    assert screened(b"\xff", ("ok",), ("ok", 1, 2, 3)) == 0


# -- in the sandbox

REFERENCE = "def f(x):\n    return sorted(set(x))[:3]\n"
TESTS = (
    "assert list(f([3, 1, 2])) == [1, 2, 3]",
    "assert list(f([5, 5, 1, 9, 8])) == [1, 5, 8]",
    "assert list(f([])) == []",
)
TABLE = "T = {(3, 1, 2): [1, 2, 3], (5, 5, 1, 9, 8): [1, 5, 8], (): []}\ndef f(x):\n    x = tuple(x)\n"
ENDINGS = {
    "none": "    return T.get(x)\n",
    "raises": "    return T[x]\n",
    "exits": "    import os\n    return T[x] if x in T else os._exit(0)\n",
    "answers once and exits": (
        "    import os\n    f.n = getattr(f, 'n', 0) + (x not in T)\n    return os._exit(0) if f.n > 1 else T.get(x)\n"
    ),
    "hangs": "    while x not in T: pass\n    return T[x]\n",
    "sleeps": "    import time\n    while x not in T: time.sleep(1)\n    return T[x]\n",
    "fills the memory": "    return T[x] if x in T else [0] * 10**9\n",
    "prints": "    x in T or print('x' * 10**8)\n    return T.get(x)\n",
    "forges a frame": "    import os\n    x in T or os.write(3, b'\\xff' * 99)\n    return T.get(x)\n",
    "never ends to answer": "    import itertools\n    return T[x] if x in T else itertools.count()\n",
    "holds the comparison up": "    y = [0.5]\n    for _ in range(45): y = [y, y]\n    return T.get(x, y)\n",
    "the same for all": "    return T.get(x, [1, 5, 8])\n",
    "hands back": "    return T.get(x, list(x))\n",
}
HONEST = {
    "same": REFERENCE,
    "other form": "def f(x):\n    return tuple(sorted(set(x)))[:3] if len(x) > 5 else sorted(set(x))[:3]\n",
    "lazily": "def f(x):\n    y = []\n    for v in sorted(x):\n        if v not in y: y.append(v)\n    return y[:3]\n",
    "as an iterator": "def f(x):\n    return iter(sorted(set(x))[:3])\n",
    "as a generator": "def f(x):\n    yield from sorted(set(x))[:3]\n",
    "wrong now and then": "def f(x):\n    return sorted(set(x))[:3] if 4 not in x else None\n",
}


@pytest.fixture(scope="module")
def found():
    sources = {**{name: TABLE + ending for name, ending in ENDINGS.items()}, **HONEST}
    cases = [(problem(REFERENCE, *TESTS, id=mode), sources.values()) for mode in ("off", "flag", "require")]
    runs = {
        asked.id: judge([(asked, texts)], Settings(workers=2, time_s=2.0, memory_mib=256, hidden=asked.id, cache=False))
        for asked, texts in cases
    }
    return {
        mode: {name: run.verdicts[mode, n] for n, name in enumerate(sources)}
        for mode, run in runs.items()
        if not run.invalids
    }


@pytest.mark.parametrize("name", ENDINGS)
def test_a_table_is_flagged_whatever_it_does_where_it_does_not_know(name, found) -> None:
    verdict = found["flag"][name]
    assert verdict.passed, verdict.message
    assert verdict.special_cased
    agreed, asked = verdict.hidden
    assert agreed < asked / 4


@pytest.mark.parametrize("name", ENDINGS)
def test_a_table_does_not_pass_where_agreement_is_required(name, found) -> None:
    verdict = found["require"][name]
    agreed, asked = verdict.hidden
    assert verdict.outcome is Outcome.WRONG_ANSWER
    assert verdict.message.startswith(f"agrees with the reference on {agreed} of {asked} hidden inputs")
    assert verdict.first_failure.group == "hidden"
    assert (verdict.cases, verdict.passed_cases) == ("111", 3)


@pytest.mark.parametrize("name", HONEST)
def test_who_knows_the_task_passes_in_every_mode(name, found) -> None:
    for mode in ("flag", "require"):
        verdict = found[mode][name]
        assert verdict.passed, verdict.message
        assert not verdict.special_cased
        agreed, asked = verdict.hidden
        assert agreed >= asked / 2


def test_nobody_is_asked_where_it_is_off(found) -> None:
    assert {(v.passed, v.hidden, v.special_cased) for v in found["off"].values()} == {(True, None, False)}


def test_the_first_hidden_input_that_differs_is_shown(found) -> None:
    failure = found["require"]["none"].first_failure
    assert found["require"]["answers once and exits"].first_failure.call == failure.call
    assert failure.call.startswith("f([")
    assert failure.got == "None"
    assert failure.expected.startswith("[")
