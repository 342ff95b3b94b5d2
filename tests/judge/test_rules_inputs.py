"""Tests that are inputs only, in the real sandbox: what the reference says decides, however its answers and a candidate's travel."""

from __future__ import annotations

from court import problem, trial

from assay.records import CallTests, Oracle, Outcome


def calls(*inputs: str, name: str = "exact") -> dict:
    return {"tests": (CallTests(inputs=inputs, oracle=Oracle(name=name)),)}


SHARED = (
    "def f(x):\n    row = [x, 0.0, 1]\n    return {'rows': [row, row], 'set': {3, 1, 200, 'a'}, 'nan': float('nan')}\n"
)
OTHER_BYTES = "def f(x):\n    row = [x, -0.0, True]\n    return {'set': {'a', 200, 1, 3}, 'nan': -float('nan'), 'rows': [row, row[:]]}\n"


@trial(
    problem(SHARED, **calls("[1]", "['é']")),
    same=SHARED,
    other_bytes=OTHER_BYTES,
    wrong=SHARED.replace("0.0", "0.5"),
)
def test_an_answer_in_other_bytes_is_decoded_and_compared(verdicts):
    assert [verdicts[name].cases for name in verdicts] == ["11", "11", "00"]


@trial(problem(SHARED, **calls("[1]", name="types")), same=SHARED, other_types=OTHER_BYTES)
def test_the_same_bytes_have_the_same_types(verdicts):
    assert [verdicts[name].cases for name in verdicts] == ["1", "0"]


SORTS = "def f(x):\n    x.sort()\n"


@trial(
    problem(SORTS, **calls("[[2, 1]]", "[[1, 2]]", "[[]]")),
    same=SORTS,
    slices="def f(x):\n    x[:] = sorted(x)\n",
    nothing="def f(x):\n    pass\n",
    returns="def f(x):\n    return sorted(x)\n",
)
def test_what_a_call_changes_is_the_answer_where_the_reference_gives_none(verdicts):
    assert [verdicts[name].cases for name in verdicts] == ["111", "111", "011", "000"]


@trial(
    problem("def f(x):\n    return sorted(x)\n", **calls("[[2, 1]]", "[{3, 4}]")),
    sorts="def f(x):\n    x = x if isinstance(x, list) else list(x)\n    x.sort()\n    return x\n",
    empties="def f(x):\n    y = sorted(x)\n    x.clear()\n    return y\n",
)
def test_a_change_that_the_reference_does_not_make_is_no_answer(verdicts):
    assert {verdict.cases for verdict in verdicts.values()} == {"11"}


REFUSES = "def f(x):\n    return 10 // x\n"


@trial(
    problem(REFUSES, **calls("[0]", "[2]", "[0]", "[5]")),
    same=REFUSES,
    ends="import os\ndef f(x):\n    return 10 // x if x else os._exit(0)\n",
)
def test_an_input_that_the_reference_refuses_is_no_case_and_is_not_asked(verdicts):
    assert [verdicts[name].cases for name in verdicts] == ["11", "11"]


COUNTS = "n = 0\ndef f(x):\n    global n\n    n += x\n    return n\n"


@trial(problem(COUNTS, **calls("[1]", "[1]", "[5]")), same=COUNTS, forgets="def f(x):\n    return x\n")
def test_calls_are_made_in_their_order_in_one_process(verdicts):
    assert [verdicts[name].cases for name in verdicts] == ["111", "100"]


LAZY = "n = 0\ndef f(x):\n    global n\n    n += x\n    yield n\n    yield n\n"


@trial(
    problem(LAZY, **calls("[1]", "[1]", "[5]")),
    same=LAZY,
    eager="n = 0\ndef f(x):\n    global n\n    n += x\n    return [n, n]\n",
    other="def f(x):\n    yield x\n    yield x\n",
    endless="import itertools\ndef f(x):\n    return itertools.repeat(x)\n",
)
def test_an_iterator_is_used_up_before_the_next_call(verdicts):
    assert [verdicts[name].cases for name in ("same", "eager", "other")] == ["111", "111", "100"]
    assert not verdicts["endless"].passed


@trial(
    problem("def f(x):\n    return x\n", **calls("[1]", "[2]", "[3]", "[4]")),
    dies="import os\ndef f(x):\n    return x if x < 3 else os.abort()\n",
    exits="def f(x):\n    return x if x < 3 else exit()\n",
    raises="def f(x):\n    return x if x != 3 else 1 / 0\n",
    handle="def f(x):\n    return x if x != 3 else f\n",
    no_name="def g(x):\n    return x\n",
)
def test_cases_before_a_death_count_and_those_after_it_do_not(verdicts):
    assert {name: v.cases for name, v in verdicts.items()} == {
        "dies": "1100",
        "exits": "1100",
        "raises": "1101",
        "handle": "1101",
        "no_name": "0000",
    }
    assert verdicts["raises"].first_failure.call == "f(3)"


@trial(
    problem("def f(x):\n    return x\n", **calls(*[f"[{n}]" for n in range(12)])),
    large="def f(x):\n    return x if x > 10 else 'x' * (8 << 20)\n",
    too_large="def f(x):\n    return x if x != 5 else 'x' * (17 << 20)\n",
)
def test_large_wrong_answers_are_wrong_and_no_burden(verdicts):
    assert verdicts["large"].outcome is Outcome.WRONG_ANSWER
    assert verdicts["large"].cases == "0" * 11 + "1"
    assert verdicts["too_large"].cases == "1" * 5 + "0" + "1" * 6, "the others are judged all the same"
    assert verdicts["too_large"].message == "f(5): RuntimeError: the answer can't be sent: it is over 16 MiB"


THOUSAND = "def f(x):\n    return [x] * (x % 7)\n"


@trial(
    problem(THOUSAND, **calls(*[f"[{n}]" for n in range(1000)])),
    same=THOUSAND,
    tuples="def f(x):\n    return [x] * (x % 7) if x % 100 else (x,)\n",
)
def test_a_thousand_inputs_are_a_thousand_cases(verdicts):
    assert verdicts["same"].cases == "1" * 1000
    assert verdicts["tuples"].cases == ("0" + "1" * 99) * 10


ORDERED = "from collections import OrderedDict\n\ndef f(d):\n    return OrderedDict({0})\n"


@trial(
    problem(ORDERED.format("sorted(d.items())"), **calls("[{'b': 1, 'a': 2}]")),
    same=ORDERED.format("[('a', d['a']), ('b', d['b'])]"),
    other=ORDERED.format("d"),
    plain="def f(d):\n    return dict(d)\n",
)
def test_two_ordered_dictionaries_are_equal_in_the_same_order_only(verdicts):
    assert [v.passed for v in verdicts.values()] == [True, False, True]
