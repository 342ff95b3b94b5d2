"""Objects whose `==` is needed are asked again and crosswise; what only pretends is found out, and what is honest is not suspected."""

from __future__ import annotations

from random import Random

import pytest
from court import problem, trial
from replies import Handle, scripted

from assay.judge.probing import PROBED, probe, spread
from assay.records import Outcome, Trust

VALUE = (
    "class V:\n    def __init__(self, a):\n        self.a = a\n    def __eq__(self, o):\n        return {0}\n\n"
    "def f(x):\n    return V({1})\n"
)
HONEST = VALUE.format("isinstance(o, V) and self.a == o.a", "2 * x")
ASKED = problem(HONEST, *[f"assert f({n}) == V({2 * n})" for n in range(12)], "assert V(2) == f(1) and f(1) != V(3)")


@trial(
    ASKED,
    honest=HONEST,
    no_stranger=VALUE.format("self.a == o.a", "x + x"),
    data="from dataclasses import dataclass\n\n@dataclass\nclass V:\n    a: int\n\ndef f(x):\n    return V(2 * x)\n",
    tuples="from collections import namedtuple\nV = namedtuple('V', 'a')\n\ndef f(x):\n    return V(2 * x)\n",
)
def test_honest_classes_answer_as_the_references_does(verdicts):
    assert {name for name, v in verdicts.items() if v.passed} == {"honest", "no_stranger", "data", "tuples"}
    assert {v.trust for v in verdicts.values()} == {Trust.DELEGATED}


@trial(
    ASKED,
    pairs=(
        "made = []\n\nclass V:\n    def __init__(self, a):\n        made.append(self)\n        self.n = len(made) - 1\n"
        "    def __eq__(self, o):\n        return self.n // 2 == o.n // 2 and self.n < 26\n\ndef f(x):\n    return V(0)\n"
    ),
    adopts=VALUE.format("self.adopt(o)", "None").replace(
        "    def __eq__",
        "    def adopt(self, o):\n"
        "        self.a = o.a if self.a is None else self.a\n"
        "        o.a = self.a if o.a is None else o.a\n"
        "        return self.a == o.a\n"
        "    def __ne__(self, o):\n        return None in (self.a, o.a) or self.a != o.a\n"
        "    def __eq__",
    ),
    later=VALUE.format("self.a == o.a or -1 in (self.a, o.a)", "2 * x if x < 9 else -1"),
)
def test_who_counts_objects_or_takes_over_what_it_is_compared_with_is_found_out(verdicts):
    for name, verdict in verdicts.items():
        assert verdict.outcome is Outcome.WRONG_ANSWER, name
        assert (verdict.passed_cases, verdict.message) == (0, "its objects' answers to == contradict the reference's")


@pytest.mark.parametrize(("count", "kept"), [(0, []), (3, [0, 1, 2]), (5, [0, 1, 2, 3, 4]), (9, [0, 2, 4, 6, 8])])
def test_what_is_asked_about_is_spread_over_all_comparisons(count, kept):
    assert spread(range(count), PROBED) == kept


def two_objects(*answers):
    """A session in which a test has compared two objects, and the agent's answers to what comes after."""
    given = (("ok", Handle(5)), ("ok", True), *answers)
    return scripted(*given, policy=frozenset({"eq"}), at_once=True)


def test_answers_come_in_an_order_of_their_own_whatever_is_asked_first():
    # one comparison with plain data: the object as it is, made anew, and itself with itself
    plain = [("ok", True), ("ok", False), ("ok", Handle(6)), ("ok", False), ("ok", True), ("ok", True), ("ok", False)]
    with two_objects(*plain) as session:
        assert session.names["f"](1) == 3
        assert probe(session) == ((True, False), (False, True), (True, False))
    orders = set()
    for seed in range(20):
        with two_objects(*[("ok", True)] * 9) as session:
            assert session.names["f"](1) == 3
            probe(session, Random(seed))
            orders.add(tuple(operand is session.seen[0] for _, operand in session.compared[1:]))
    assert len(orders) > 1


def test_an_exception_is_no_yes_and_an_object_that_cannot_be_made_again_is_none():
    error = ("raised", None, ["ValueError", "Exception"], b"", "", 1)
    with two_objects(error, error, error, ("ok", True), error) as session:
        assert session.names["f"](1) == 3
        assert probe(session) == ((False, True), (False, False), (True, True))


def test_without_a_delegated_comparison_nobody_is_asked():
    with scripted(("ok", 3)) as session:
        assert session.names["f"](1) == 3
        assert probe(session) == ()
