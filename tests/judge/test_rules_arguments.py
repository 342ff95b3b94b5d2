"""Rules 5 and 6 of the proxy: when changes to arguments are seen, and what the tests' setup shares with the candidate."""

from __future__ import annotations

from court import problem, trial

from assay.records import Outcome, Trust

# -- rule 5: mutation

SORTED = "def f(x):\n    return sorted(x)\n"
EMPTIES = "def f(x):\n    x.clear()\n    return []\n"


@trial(
    problem(SORTED, "x = [3, 1, 2]\nassert f(x) == sorted(x)", "x = {'a': 1}\nassert list(f(x)) == list(x)"),
    honest=SORTED,
    cheat=EMPTIES,
)
def test_emptying_the_argument_wins_nothing_within_the_statement(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["cheat"].cases == "00"


@trial(
    problem(SORTED, "x = [3, 1, 2]\ny = f(x)\nassert x == [3, 1, 2]\nassert y == [1, 2, 3]"),
    honest=SORTED,
    mutates="def f(x):\n    x.sort()\n    return x\n",
)
def test_the_next_statement_sees_what_the_call_changed(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["mutates"].outcome is Outcome.WRONG_ANSWER
    assert "[1, 2, 3]" in verdicts["mutates"].message


@trial(
    problem(SORTED, "x = [3, 1, 2]\nassert f(x) == [1, 2, 3]"),
    in_place="def f(x):\n    x.sort()\n    return x\n",
)
def test_an_answer_that_is_the_changed_argument_counts_as_it_is_after_the_call(verdicts):
    assert verdicts["in_place"].passed


SORTS = "def f(x):\n    x.sort()\n"


@trial(
    problem(SORTS, "x = [3, 1, 2]\nassert f(x) is None and x == [1, 2, 3]", "y = [2, 1]\nf(y)\nassert y == [1, 2]"),
    honest="def f(x):\n    x[:] = sorted(x)\n",
    copies="def f(x):\n    x = sorted(x)\n",
)
def test_changes_come_back_at_once_where_the_reference_changes_its_arguments(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["copies"].cases == "00"


APPENDS = "def f(x):\n    x.append(1)\n    return x\n"


@trial(
    problem(APPENDS, "x = []\nassert f(x) is x", "x = []\nf(x)\nf(x)\nassert x == [1, 1]"),
    honest="def f(x):\n    x += [1]\n    return x\n",
    copy="def f(x):\n    return x + [1]\n",
)
def test_identity_of_an_argument_that_is_returned_is_kept(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["copy"].cases == "00"


DEEP = "def f(grid):\n    grid[0].append(9)\n    grid.append([0])\n"


@trial(
    problem(DEEP, "row = [1]\ngrid = [row, row]\nf(grid)\nassert row == [1, 9] and grid[1] is row and grid[2] == [0]"),
    honest=DEEP,
    outer="def f(grid):\n    grid.append([0])\n",
    unshared="def f(grid):\n    grid[0] = grid[0] + [9]\n    grid.append([0])\n",
)
def test_changes_inside_nested_and_shared_containers_come_back_in_place(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["outer"].outcome is Outcome.WRONG_ANSWER
    assert verdicts["unshared"].outcome is Outcome.WRONG_ANSWER


KINDS = "def f(o):\n    if hasattr(o, 'update'):\n        o.update({7: 8})\n    else:\n        o.append(7)\n"


@trial(
    problem(
        KINDS,
        "s = {1}\nf(s)\nassert s == {1, 7}",
        "d = {1: 2}\nf(d)\nassert d == {1: 2, 7: 8}",
        "b = bytearray(b'a')\nf(b)\nassert b == b'a\\x07'",
        "from collections import deque\nq = deque([1], 2)\nf(q)\nassert list(q) == [1, 7] and q.maxlen == 2",
    ),
    honest=KINDS,
    idle="def f(o):\n    pass\n",
)
def test_sets_dicts_bytearrays_and_deques_are_changed_in_place(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["idle"].cases == "0000"


@trial(
    problem(SORTED, "x = [2, 1]\nassert f(x) == sorted(x)\nassert x == [2, 1]"),
    raises="def f(x):\n    x.sort()\n    raise ValueError\n",
    cheat="def f(x):\n    x.clear()\n    x.extend([1, 2])\n    return [1, 2]\n",
)
def test_an_assert_after_the_changing_one_sees_the_change(verdicts):
    assert verdicts["raises"].outcome is Outcome.RUNTIME_ERROR
    assert verdicts["cheat"].outcome is Outcome.WRONG_ANSWER


# -- rule 6: setup

NODE = "class Node:\n    def __init__(self, value, next=None):\n        self.value, self.next = value, next\n"
WALK = (
    "def f(node):\n"
    "    out = []\n"
    "    while node:\n"
    "        out.append(node.value)\n"
    "        node = node.next\n"
    "    return out\n"
)


@trial(
    problem(WALK, "assert f(Node(1, Node(2))) == [1, 2]", setup=NODE),
    honest=WALK,
    own=NODE.replace("value", "val") + WALK,
    typed=(
        "def f(node: Node) -> list:\n    return [node.value] + (f(node.next) if isinstance(node.next, Node) else [])\n"
    ),
)
def test_instances_of_a_setup_class_travel_to_the_candidate(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["honest"].trust is Trust.ANCHORED
    assert verdicts["typed"].passed
    assert verdicts["own"].passed, "its own class of that name is not the one that the tests' instances have"


BUILD = (
    "def f(values):\n    node = None\n    for v in reversed(values):\n        node = Node(v, node)\n    return node\n"
)


@trial(
    problem(BUILD, "n = f([1, 2])\nassert (n.value, n.next.value, n.next.next) == (1, 2, None)", setup=NODE),
    honest=BUILD,
    short="def f(values):\n    return Node(values[0])\n",
    forged=(
        "class Any:\n"
        "    def __eq__(self, o):\n"
        "        return True\n\n"
        "def f(values):\n"
        "    n = Node(1, Node(Any()))\n"
        "    return n\n"
    ),
)
def test_instances_of_a_setup_class_travel_back_with_plain_content(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["honest"].trust is Trust.ANCHORED
    assert verdicts["short"].outcome is Outcome.RUNTIME_ERROR
    assert verdicts["forged"].outcome is Outcome.WRONG_ANSWER


REVERSES = "def f(node):\n    node.value = -node.value\n"


@trial(
    problem(REVERSES, "n = Node(4)\nf(n)\nassert n.value == -4", setup=NODE),
    honest="def f(node):\n    node.value *= -1\n",
    idle="def f(node):\n    pass\n",
)
def test_changes_to_an_instance_of_a_setup_class_come_back(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["idle"].outcome is Outcome.WRONG_ANSWER


@trial(
    problem(
        "def f(x):\n    return math.floor(x)\n",
        "assert f(2.5) == ANSWER",
        setup="import math\nfrom typing import List\nANSWER = 2\n",
    ),
    imports="def f(x: float) -> List:\n    return math.floor(x)\n",
    peeks="def f(x):\n    return ANSWER\n",
)
def test_imports_of_the_setup_reach_the_candidate_and_its_values_do_not(verdicts):
    assert verdicts["imports"].passed
    assert verdicts["peeks"].outcome is Outcome.RUNTIME_ERROR
    assert "ANSWER" in verdicts["peeks"].message


@trial(
    problem(
        "def f(x):\n    return x\n",
        "log.append(f(1))\nassert log == [1]",
        "log.append(f(2))\nassert log == [1, 2]",
        setup="log = []\n",
    ),
    first="def f(x):\n    return x\n",
    second="def f(x):\n    return x + 0\n",
    third="def f(x):\n    return +x\n",
)
def test_setup_and_namespace_are_fresh_for_each_sample_and_shared_by_its_cases(verdicts):
    assert all(v.passed for v in verdicts.values())


@trial(
    problem(
        "def f():\n    return Node(1)\n",
        "assert f() == Node(1)",
        setup=(
            "class Node:\n    def __init__(self, v):\n        self.v = v\n    def same(self, o):\n        return self.v == o.v\n"
            "    def __eq__(self, o):\n        return self.same(o)\n"
        ),
    ),
    honest="def f():\n    return Node(2 - 1)\n",
    shadow="def f():\n    n = Node(0)\n    n.same = lambda o: True\n    return n\n",
)
def test_an_attribute_can_not_stand_in_front_of_a_method_of_a_setup_class(verdicts):
    assert verdicts["honest"].passed
    assert not verdicts["shadow"].passed


BOX = (
    "from functools import cached_property\n\nclass Box:\n    def __init__(self, w):\n        self.w = w\n"
    "    @cached_property\n    def area(self):\n        return self.w ** 2\n"
    "    def same(self, o):\n        return self.w == o.w\n"
)


@trial(
    problem(
        "def f(b):\n    b.w += 1\n",
        "b = Box(3)\nf(b)\nassert b.same(Box(4)) and not b.same(Box(3))",
        "b = Box(4)\nf(b)\nassert b.area == 25",
        setup=BOX,
    ),
    honest="def f(b):\n    b.w = b.w + 1\n",
    shadows="def f(b):\n    b.same = lambda o: o.w == 4\n",
    attributes="def f(b):\n    vars(b).update(same=print)\n",
    computed="def f(b):\n    b.__dict__['area'] = 25\n",
)
def test_a_change_puts_nothing_in_front_of_what_the_class_of_the_setup_does(verdicts):
    assert verdicts["honest"].passed
    assert {name: v.passed_cases for name, v in verdicts.items()} == {
        "honest": 2,
        "shadows": 0,
        "attributes": 0,
        "computed": 0,
    }


@trial(
    problem("def f(w):\n    return Box(w)\n", "assert f(3).area == 9", setup=BOX),
    honest="def f(w):\n    out = Box(w)\n    out.area\n    return out\n",
    computed="def f(w):\n    out = Box(0)\n    out.__dict__['area'] = w * w\n    return out\n",
)
def test_what_a_class_of_the_setup_computes_is_computed_by_the_judge(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["computed"].outcome is Outcome.WRONG_ANSWER
