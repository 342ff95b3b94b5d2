"""Rule 4 of the proxy: an object that stays with the candidate is no evidence, and only what the reference needed may be asked of it."""

from __future__ import annotations

from court import problem, trial

from assay.records import Outcome, Trust

EQUAL = (
    "class Any:\n"
    "    def __eq__(self, other):\n"
    "        return True\n"
    "    def __ne__(self, other):\n"
    "        return False\n"
    "    __hash__ = None\n"
)
RUNS = "def f(x):\n    return [x, x]\n"


@trial(
    problem(
        RUNS,
        "assert f(1) == [1, 1]",
        "assert [1, 1] == f(1)",
        "assert f(1) in ([1, 1], [2])",
        "assert not f(1) != [1, 1]",
    ),
    instance=EQUAL + "def f(x):\n    return Any()\n",
    cls=(
        "class Meta(type):\n"
        "    __eq__ = lambda a, b: True\n"
        "    __ne__ = lambda a, b: False\n"
        "    __hash__ = None\n\n"
        "class Any(metaclass=Meta):\n"
        "    pass\n\n"
        "def f(x):\n"
        "    return Any\n"
    ),
    mock="from unittest.mock import ANY\n\ndef f(x):\n    return ANY\n",
    nested=EQUAL + "def f(x):\n    return [Any(), Any()]\n",
    liar=EQUAL + "    __class__ = list\n\ndef f(x):\n    return Any()\n",
    proxy=EQUAL
    + (
        "    def __iter__(self):\n"
        "        return iter([1, 1])\n"
        "    def __len__(self):\n"
        "        return 2\n\n"
        "def f(x):\n"
        "    return Any()\n"
    ),
)
def test_an_object_that_equals_everything_is_refused(verdicts):
    for name, verdict in verdicts.items():
        assert verdict.passed_cases == 0, name
        assert verdict.outcome is Outcome.WRONG_ANSWER, name


FORGED = (
    "class Forged({0}):\n"
    "    def __eq__(self, other):\n"
    "        return True\n"
    "    def __ne__(self, other):\n"
    "        return False\n"
    "    def __hash__(self):\n"
    "        return 0\n"
    "    def __len__(self):\n"
    "        return 2\n"
    "    def __contains__(self, x):\n"
    "        return True\n"
    "    def __bool__(self):\n"
    "        return True\n"
    "    def __iter__(self):\n"
    "        return iter([1, 1])\n"
    "    def __getitem__(self, i):\n"
    "        return 1\n\n"
    "def f(x):\n"
    "    return Forged({1})\n"
)


@trial(
    problem(
        RUNS,
        "assert f(1) == [1, 1]",
        "assert len(f(1)) == 2",
        "assert f(1)[0] == 1",
        "assert f(1)",
        "assert 1 in f(1)",
        "assert list(f(1)) == [1, 1]",
    ),
    list=FORGED.format("list", "[]"),
    honest=(
        "class Runs(list):\n    def longest(self):\n        return max(self)\n\ndef f(x):\n    return Runs([x, x])\n"
    ),
)
def test_a_list_subclass_is_its_content(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["list"].passed_cases == 0


@trial(
    problem("def f(x):\n    return {x: 1}\n", "assert f(1) == {1: 1}", "assert f(1)[1] == 1"),
    forged=FORGED.format("dict", "{}"),
    honest="from collections import OrderedDict\n\ndef f(x):\n    return OrderedDict([(x, 1)])\n",
    counter="from collections import Counter\n\ndef f(x):\n    return Counter([x])\n",
)
def test_a_dict_subclass_is_its_content(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["counter"].passed
    assert verdicts["forged"].passed_cases == 0


@trial(
    problem("def f(x):\n    return (x, 1)\n", "assert f(1) == (1, 1)"),
    forged=FORGED.format("tuple", "()"),
    honest=(
        "from typing import NamedTuple\n\n"
        "class P(NamedTuple):\n"
        "    a: int\n"
        "    b: int\n\n"
        "def f(x):\n"
        "    return P(x, 1)\n"
    ),
)
def test_a_tuple_subclass_is_its_content(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["forged"].passed_cases == 0


@trial(
    problem("def f(x):\n    return str(x)\n", "assert f(1) == '1'", "assert f(2).strip() == '2'", "assert '1' in f(1)"),
    forged=FORGED.format("str", "'no'"),
    honest="class Name(str):\n    pass\n\ndef f(x):\n    return Name(x)\n",
)
def test_a_str_subclass_is_its_content(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["forged"].passed_cases == 0


NUMBER = (
    "class Forged({0}):\n"
    "    def __eq__(self, o):\n"
    "        return True\n"
    "    def __sub__(self, o):\n"
    "        return 0.0\n"
    "    __rsub__ = __lt__ = __le__ = __sub__\n"
    "    def __abs__(self):\n"
    "        return 0.0\n"
    "    def __lt__(self, o):\n"
    "        return True\n"
    "    def __float__(self):\n"
    "        return 0.5\n"
    "    def __hash__(self):\n"
    "        return 0\n\n"
    "def f(x):\n"
    "    return Forged(99)\n"
)


@trial(
    problem(
        "def f(x):\n    return x / 2\n",
        "assert f(1) == 0.5",
        "assert abs(f(1) - 0.5) < 1e-6",
        "import math\nassert math.isclose(f(1), 0.5)",
        "assert 0.4 < f(1) < 0.6",
    ),
    float=NUMBER.format("float"),
    int=NUMBER.format("int"),
    honest="class Half(float):\n    pass\n\ndef f(x):\n    return Half(x / 2)\n",
)
def test_a_number_subclass_is_its_content_whatever_its_operators_say(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["float"].passed_cases == 0
    assert verdicts["int"].passed_cases == 0


@trial(
    problem("def f(x):\n    return x > 1\n", "assert f(2)", "assert f(2) is True", "assert not f(1)"),
    truthy=(
        "class Yes:\n"
        "    said = False\n"
        "    def __bool__(self):\n"
        "        Yes.said = not Yes.said\n"
        "        return Yes.said\n\n"
        "def f(x):\n"
        "    return Yes()\n"
    ),
)
def test_a_truth_value_that_the_candidate_would_have_to_claim_is_refused(verdicts):
    assert verdicts["truthy"].passed_cases == 0
    assert "opaque Yes object" in verdicts["truthy"].message


@trial(
    problem(RUNS, "ok = False\ntry:\n    ok = f(1) == [1, 1]\nexcept BaseException:\n    ok = True\nassert ok"),
    honest=RUNS,
    cheat=EQUAL + "def f(x):\n    return Any()\n",
)
def test_a_test_that_swallows_the_refusal_does_not_turn_it_into_a_pass(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["cheat"].outcome is Outcome.WRONG_ANSWER


@trial(
    problem(
        "def f(n):\n    return list(range(n))\n",
        "assert list(f(3)) == [0, 1, 2]",
        "assert sum(f(4)) == 6",
        "assert f(2) == [0, 1]",
    ),
    generator="def f(n):\n    yield from range(n)\n",
)
def test_a_generator_may_be_iterated_but_is_no_list(verdicts):
    assert verdicts["generator"].cases == "110"
    assert verdicts["generator"].trust is Trust.ANCHORED, "its items are copies"


@trial(
    problem(
        "def f():\n    return [-1, 0, 1]\n",
        "r = f()\nassert len(set(r)) == 3\nassert sum(r) == 0\nassert sorted(r) == [-1, 0, 1] or max(r) == 0",
    ),
    turncoat=(
        "class Turn:\n"
        "    n = 0\n"
        "    def __iter__(self):\n"
        "        self.n += 1\n"
        "        return iter([[1, 2, 3], [0]][self.n > 1])\n\n"
        "def f():\n"
        "    return Turn()\n"
    ),
    honest="class Three:\n    def __iter__(self):\n        return iter((-1, 0, 1))\n\ndef f():\n    return Three()\n",
)
def test_an_iterable_gives_the_same_items_again_whatever_it_would_like(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["turncoat"].outcome is Outcome.WRONG_ANSWER


@trial(
    problem("def f(n):\n    yield from range(n)\n", "it = f(3)\nassert list(it) == [0, 1, 2]\nassert list(it) == []"),
    honest="def f(n):\n    return iter(range(n))\n",
    again="def f(n):\n    return list(range(n))\n",
)
def test_a_true_iterator_is_exhausted_as_in_python(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["again"].outcome is Outcome.WRONG_ANSWER


VECTOR = (
    "class Vec:\n"
    "    def __init__(self, x, y):\n"
    "        self.x, self.y = x, y\n"
    "    def __add__(self, o):\n"
    "        return Vec(self.x + o.x, self.y + o.y)\n"
    "    def __eq__(self, o):\n"
    "        return {0}\n"
)
SAME = VECTOR.format("(self.x, self.y) == (o.x, o.y)")


@trial(
    problem(
        SAME,
        "assert Vec(1, 2) + Vec(1, 1) == Vec(2, 3)",
        "assert Vec(0, 0) + Vec(5, 5) == Vec(5, 5)",
        entry_point="Vec",
    ),
    honest=(
        "from dataclasses import dataclass\n\n"
        "@dataclass\n"
        "class Vec:\n"
        "    x: int\n"
        "    y: int\n"
        "    def __add__(self, o):\n"
        "        return Vec(self.x + o.x, self.y + o.y)\n"
    ),
    always=VECTOR.format("True"),
    never=VECTOR.format("False"),
    empty=(
        "class Vec:\n"
        "    def __init__(self, *a):\n"
        "        pass\n"
        "    def __add__(self, o):\n"
        "        return self\n"
        "    def __eq__(self, o):\n"
        "        return True\n"
    ),
)
def test_a_delegated_comparison_is_cross_probed_against_the_reference(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["honest"].trust is Trust.DELEGATED
    assert verdicts["always"].outcome is Outcome.WRONG_ANSWER
    assert "contradict" in verdicts["always"].message
    assert verdicts["empty"].outcome is Outcome.WRONG_ANSWER
    assert verdicts["never"].outcome is Outcome.WRONG_ANSWER


@trial(
    problem(
        "class Box:\n    def __init__(self, w):\n        self.w = w\n    def area(self):\n        return self.w ** 2\n",
        "assert Box(3).area() == 9",
        entry_point="Box",
    ),
    honest=(
        "class Box:\n"
        "    def __init__(self, w):\n"
        "        self._w = w\n"
        "    def area(self):\n"
        "        return self._w * self._w\n"
    ),
    wrong="class Box:\n    def __init__(self, w):\n        pass\n    def area(self):\n        return 8\n",
    cheat=EQUAL + "class Box:\n    def __init__(self, w):\n        pass\n    def area(self):\n        return Any()\n",
)
def test_a_method_that_the_reference_needs_may_be_called_and_its_answer_is_copied(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["honest"].trust is Trust.DELEGATED
    assert verdicts["wrong"].outcome is Outcome.WRONG_ANSWER
    assert verdicts["cheat"].outcome is Outcome.WRONG_ANSWER


@trial(
    problem(None, "assert f(1) == [1, 1]", "assert len(f(1)) == 2"),
    plain=RUNS,
    cheat=EQUAL + "    def __len__(self):\n        return 2\n\ndef f(x):\n    return Any()\n",
)
def test_without_a_reference_no_operation_on_an_object_is_allowed(verdicts):
    assert verdicts["plain"].passed
    assert verdicts["cheat"].passed_cases == 0


STACK = "class Stack:\n    def __init__(self):\n        self.items = []\n    def push(self, x):\n        self.items.append(x)\n"


@trial(
    problem(
        None,
        "s = Stack()\ns.push(2)\nassert s.items == [2]",
        "assert Stack().items == []",
        "assert Stack() != Stack()",
        entry_point="Stack",
    ),
    honest=STACK,
    wrong=STACK.replace("append(x)", "append(1)"),
    liar=EQUAL + STACK.replace("self.items = []", "self.items = Any()").replace("self.items.append(x)", "pass"),
    equal=EQUAL.replace("Any", "Stack") + "    push = items = lambda self, *a: Stack()\n",
)
def test_without_a_reference_attributes_that_a_test_names_are_copied_and_no_operator_is_believed(verdicts):
    assert {name: v.cases for name, v in verdicts.items()} == {
        "honest": "110", "wrong": "010", "liar": "000", "equal": "000",
    }  # fmt: skip
    assert verdicts["honest"].trust is Trust.DELEGATED


@trial(
    problem(
        RUNS,
        "ok = False\ntry:\n    ok = f(1) == [1, 1]\nexcept BaseException:\n    ok = True\nassert ok",
        "assert f(2) == [2, 2]",
    ),
    honest=RUNS,
    cheat=EQUAL + "def f(x):\n    return Any() if x == 1 else None\n",
)
def test_a_refusal_that_is_swallowed_counts_against_its_own_case_whatever_becomes_of_the_others(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["cheat"].cases == "00"
