"""unittest suites, run through the real judge: what passes, what does not, and what no program can win by."""

from __future__ import annotations

import textwrap
from contextlib import nullcontext

import pytest
from court import judge_trials, problem, trial
from replies import plan, scripted

from assay.judge.plan import Plan
from assay.judge.session import Mismatch
from assay.judge.suites import read_suite
from assay.judge.trial import Trial
from assay.judge.unittests import run_suite
from assay.judge.wire import SessionEnded
from assay.records import CallTests, Outcome, Trust, UnittestTests

PLUS_ONE = "def f(x):\n    return x + 1\n"


def suite(body: str, reference: str | None = PLUS_ONE, head: str = "import unittest", tail: str = "", **fields):
    """A problem whose suite has one class `T` with this body."""
    source = f"{head}\n\nclass T(unittest.TestCase):\n{textwrap.indent(textwrap.dedent(body).strip(), '    ')}\n{tail}"
    return problem(reference, tests=(UnittestTests(source=source),), **fields)


def in_one_test(lines: str, reference: str | None = PLUS_ONE, **fields):
    """A problem whose suite has one test of these lines."""
    return suite(f"def test(self):\n{textwrap.indent(textwrap.dedent(lines).strip(), '    ')}", reference, **fields)


# -- cases


@trial(
    suite("""
        def test_a(self):
            self.assertEqual(f(2), 3)

        def test_b(self):
            self.assertEqual(6, f(5), "five")

        def test_c(self):
            assert f(7) == 8, "seven"
    """),
    right="def f(x):\n    return 1 + x\n",
    first="def f(x):\n    return 4 if x == 2 else x + 1\n",
    second="def f(x):\n    return 0 if x == 5 else x + 1\n",
    third="def f(x):\n    return 0 if x == 7 else x + 1\n",
)
def test_each_method_is_a_case_and_the_first_that_fails_is_shown_whichever_side_the_answer_is_on(verdicts):
    assert verdicts["right"].passed
    assert verdicts["right"].trust is Trust.ANCHORED
    assert verdicts["right"].cases == "111"
    shown = {name: (v.cases, v.message) for name, v in verdicts.items() if name != "right"}
    assert shown == {
        "first": ("011", "f(2): expected 3, got 4"),
        "second": ("101", "f(5): expected 6, got 0; five"),
        "third": ("110", "f(7): expected 8, got 0; seven"),
    }
    assert verdicts["first"].outcome is Outcome.WRONG_ANSWER
    assert (verdicts["first"].first_failure.call, verdicts["first"].first_failure.got) == ("f(2)", "4")


@trial(
    suite(
        """
        LIMIT = 3

        @classmethod
        def setUpClass(cls):
            cls.shared = [f(0)]

        def setUp(self):
            self.one = f(0)
            self.addCleanup(self.shared.append, 1)

        def tearDown(self):
            self.assertEqual(self.one, 1)

        def check(self, n):
            self.assertEqual(f(n), n + self.one)

        def test_a(self):
            self.check(self.LIMIT)

        def test_b(self):
            self.assertEqual(self.shared, [1, 1])
        """,
        tail=(
            "class U(T):\n    LIMIT = 9\n    def test_own(self):\n        self.assertEqual(STARTED, [2])\n"
            "def setUpModule():\n    STARTED.append(f(1))\nSTARTED = []\n"
        ),
    ),
    right="def f(x):\n    return 1 + x\n",
    wrong="def f(x):\n    return 0 if x == 9 else x + 1\n",
    raises="def f(x):\n    return 1 // (x != 9) and x + 1\n",
)
def test_fixtures_inheritance_helpers_and_class_attributes_are_as_in_python(verdicts):
    assert verdicts["right"].cases == "11111"
    assert verdicts["wrong"].cases == "11011"
    assert verdicts["wrong"].message == "f(9): expected 10, got 0"
    assert verdicts["raises"].cases == "11011"
    assert verdicts["raises"].outcome is Outcome.RUNTIME_ERROR


@trial(
    suite(
        """
        @classmethod
        def setUpClass(cls):
            cls.base = f(10)

        def test_a(self):
            self.assertEqual(self.base, 11)

        def test_b(self):
            self.assertEqual(f(1), 2)
        """,
        tail="class Z(unittest.TestCase):\n    def test(self):\n        self.assertEqual(f(2), 3)\n",
    ),
    cheat="def f(x):\n    if x == 10:\n        raise ValueError('no')\n    return x + 1\n",
)
def test_a_class_whose_set_up_fails_has_no_case_that_passes(verdicts):
    assert verdicts["cheat"].cases == "001"
    assert verdicts["cheat"].outcome is Outcome.RUNTIME_ERROR
    assert verdicts["cheat"].message == "f(10): ValueError: no (line 3)"


@trial(
    suite("""
        def test(self):
            self.assertEqual(f(1), 2)

        @classmethod
        def tearDownClass(cls):
            f(10)
    """),
    cheat="def f(x):\n    if x == 10:\n        raise ValueError('no')\n    return x + 1\n",
)
def test_a_class_whose_tear_down_fails_does_not_pass(verdicts):
    assert verdicts["cheat"].cases == "0"


@trial(
    suite("""
        def test(self):
            for n in range(3):
                with self.subTest(n=n):
                    self.assertEqual(f(n), n + 1)
    """),
    right="def f(x):\n    return 1 + x\n",
    one="def f(x):\n    return 0 if x == 1 else x + 1\n",
)
def test_a_subtest_that_fails_fails_its_test(verdicts):
    assert verdicts["right"].passed
    assert verdicts["one"].cases == "0"
    assert verdicts["one"].message == "f(1): expected 2, got 0"


STARTED = "if __name__ == '__main__':\n    unittest.main()\nunittest.main()\nunittest.TextTestRunner().run(None)\n"


@trial(in_one_test("self.assertEqual(f(1), 2)", tail=STARTED), right=PLUS_ONE, wrong="def f(x):\n    return x\n")
def test_what_would_run_the_suite_runs_nothing(verdicts):
    assert verdicts["right"].cases == "1"
    assert verdicts["wrong"].cases == "0"


WITH_HELPER = "SIZE = 9\n\ndef helper(x):\n    return -x\n\n" + PLUS_ONE


@trial(
    in_one_test(
        "self.assertEqual([own(1), helper(2), s.f(3), s.helper(4), s.SIZE], [2, -2, 4, -4, 9])",
        WITH_HELPER,
        head="import unittest, your_module as s\nfrom your_module import f as own, helper",
    ),
    same=WITH_HELPER,
    less=PLUS_ONE,
)
def test_a_suite_may_import_the_candidate_from_a_module_of_any_name(verdicts):
    assert verdicts["same"].passed
    assert verdicts["same"].trust is Trust.DELEGATED
    assert verdicts["less"].message == "the test met AttributeError: the program does not define 'helper'"


STACK = """
class Stack:
    def __init__(self):
        self.items = []

    def push(self, x):
        self.items.append(x)

    def pop(self):
        if not self.items:
            raise Empty("nothing there")
        return self.items.pop()

class Empty(Exception):
    pass
"""


@trial(
    suite(
        """
        def setUp(self):
            self.stack = Stack()

        def test_empty(self):
            with self.assertRaises(Empty) as caught:
                self.stack.pop()
            self.assertEqual(str(caught.exception), "nothing there")

        def test_order(self):
            self.stack.push(1)
            self.stack.push(2)
            self.assertEqual([self.stack.pop(), self.stack.pop()], [2, 1])
            self.assertEqual(self.stack.items, [])
        """,
        STACK,
        entry_point="Stack",
    ),
    same=STACK,
    queue=STACK.replace("items.pop()", "items.pop(0)"),
    other=STACK.replace("nothing there", "?"),
)
def test_classes_are_judged_and_their_word_is_named(verdicts):
    assert verdicts["same"].passed
    assert verdicts["same"].trust is Trust.DELEGATED
    assert verdicts["queue"].cases == "10"
    assert verdicts["queue"].message == "pop(): expected [2, 1], got [1, 2]"
    assert verdicts["other"].cases == "01"


@trial(
    in_one_test("self.assertEqual(f([3, 1]), [1, 3])\ng = [3, 1]\nf(g)\nself.assertEqual(g, [3, 1])", "f = sorted\n"),
    copies="def f(x):\n    return sorted(x)\n",
    changes="def f(x):\n    x.sort()\n    return x\n",
)
def test_a_change_of_an_argument_is_seen(verdicts):
    assert verdicts["copies"].passed
    assert verdicts["changes"].message == "f([1, 3]): expected [3, 1], got [1, 3]"


@trial(
    in_one_test("g = [2, 1]\nself.assertEqual(f(g), sorted(g))", "f = sorted\n"),
    empties="def f(x):\n    x.clear()\n    return []\n",
)
def test_a_change_of_an_argument_does_not_change_what_is_expected_in_the_same_statement(verdicts):
    assert not verdicts["empties"].passed


ONE_TEST = "import unittest\nclass T(unittest.TestCase):\n  def test(self):\n    self.assertEqual(f(1), 2)\n"


@trial(
    problem(PLUS_ONE, tests=(UnittestTests(source=ONE_TEST), CallTests(inputs=("[1]", "[2]"), group="plus"))),
    right="def f(x):\n    return 1 + x\n",
    weak="def f(x):\n    return 2\n",
)
def test_a_suite_and_more_inputs_are_judged_together(verdicts):
    assert verdicts["right"].groups == {"base": (1, 1), "plus": (2, 2)}
    assert verdicts["weak"].groups == {"base": (1, 1), "plus": (1, 2)}


# -- evidence


@trial(
    in_one_test("for x in f(3):\n    self.assertGreater(x, 0)", "def f(n):\n    return [1] * n\n"),
    honest="def f(n):\n    return [2, 1, 3]\n",
    more="def f(n):\n    return [1] * 9\n",
    none="def f(n):\n    return []\n",
)
def test_a_test_that_evaluates_fewer_assertions_than_with_the_reference_is_wrong(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["more"].passed
    assert verdicts["none"].outcome is Outcome.WRONG_ANSWER
    assert verdicts["none"].message == "assertions that the reference reaches were not evaluated"


@trial(
    in_one_test(
        "check = self.assertEqual\nfor x in f(2):\n    check(x, 1)\nself.assertTrue(f(0) == [])",
        "def f(n):\n    return [1] * n\n",
    ),
    none="def f(n):\n    return []\n",
)
def test_assertions_by_another_name_are_evidence_too_and_none_makes_up_for_another(verdicts):
    assert not verdicts["none"].passed


@trial(
    in_one_test(
        "if f(1):\n    with self.assertRaises(ValueError):\n        f(-1)\nself.assertEqual(f(2), 3)",
        "def f(x):\n    if x < 0:\n        raise ValueError\n    return x + 1\n",
    ),
    avoids="def f(x):\n    return 0 if x == 1 else x + 1\n",
)
def test_a_block_that_has_to_raise_is_evidence_when_it_did(verdicts):
    assert not verdicts["avoids"].passed


@trial(
    in_one_test("try:\n    self.assertEqual(f(1), 2)\nexcept AssertionError:\n    pass\nself.assertEqual(f(2), 3)"),
    wrong="def f(x):\n    return 0 if x == 1 else x + 1\n",
)
def test_a_failed_assertion_that_the_test_swallows_is_missing_evidence(verdicts):
    assert not verdicts["wrong"].passed


@trial(
    suite("def test_a(self):\n    f(1)\n\ndef test_b(self):\n    self.assertEqual(f(1), 2)\n"),
    raises="def f(x):\n    raise KeyError(1)\n",
    right=PLUS_ONE,
)
def test_a_test_without_an_assertion_passes_if_it_comes_to_its_end(verdicts):
    assert verdicts["right"].cases == "11"
    assert verdicts["raises"].cases == "00"


@trial(suite("def test_a(self):\n    f(1)\n\ndef helper(self):\n    self.assertEqual(f(1), 2)\n"), any=PLUS_ONE)
def test_a_suite_of_which_the_reference_evaluates_nothing_is_invalid(reason):
    assert reason == "its tests evaluate no assertion"


@trial(problem(PLUS_ONE, tests=(UnittestTests(source="def test_f():\n    assert f(1) == 2\n"),)), any=PLUS_ONE)
def test_a_suite_without_a_test_case_is_invalid(reason):
    assert reason == "its tests evaluate no assertion"


@trial(in_one_test("self.assertTrue(True)\nself.assertEqual(1, 1)"), any=PLUS_ONE)
def test_assertions_that_look_at_nothing_are_none(reason):
    assert reason == "its tests hold no assertion that could fail"


@trial(in_one_test("self.assertEqual(f(1), 3)"), any=PLUS_ONE)
def test_a_reference_that_fails_its_suite_makes_the_problem_invalid(reason):
    assert reason == "the reference fails its own tests: f(1): expected 3, got 2"


@trial(
    suite("def test_a(self):\n    for x in f(2):\n        self.assertTrue(x)\n\ndef test_b(self):\n    f(2)\n", None),
    some="def f(n):\n    return [1]\n",
    none="def f(n):\n    return []\n",
)
def test_without_a_reference_a_test_has_to_evaluate_one_of_its_assertions(verdicts):
    assert verdicts["some"].cases == "11"
    assert verdicts["none"].cases == "01"


@trial(
    suite(
        "def each(self, xs):\n    for x in xs:\n        self.assertTrue(x)\n\ndef test(self):\n    self.each(f(2))\n",
        None,
    ),
    some="def f(n):\n    return [1]\n",
    none="def f(n):\n    return []\n",
)
def test_without_a_reference_a_suite_has_to_evaluate_an_assertion(verdicts):
    assert verdicts["some"].cases == "1"
    assert verdicts["none"].cases == "0"


# -- skips


SKIPS = """
    @unittest.skip("later")
    def test_a(self):
        self.assertEqual(f(1), 0)

    @unittest.expectedFailure
    def test_b(self):
        self.assertEqual(f(1), 0)

    def test_c(self):
        if f(1) != 2:
            self.skipTest("no need")
        self.assertEqual(f(2), 3)

    def test_d(self):
        self.assertEqual(f(4), 5)
"""


@trial(
    suite(SKIPS),
    right="def f(x):\n    return 1 + x\n",
    skips="def f(x):\n    return 0 if x == 1 else x + 1\n",
)
def test_what_is_skipped_or_expected_to_fail_is_no_case_and_a_skip_of_ones_own_is_no_pass(verdicts):
    assert verdicts["right"].cases == "11"
    assert verdicts["skips"].cases == "01"
    assert verdicts["skips"].message == "skipped: no need"


@trial(
    suite(
        "def test(self):\n    self.assertEqual(f(2), 3)\n",
        tail="class U(unittest.TestCase):\n  @classmethod\n  def setUpClass(cls):\n    raise unittest.SkipTest('not here')\n"
        "  def test(self):\n    self.assertEqual(f(2), 0)\n",
    ),
    right=PLUS_ONE,
)
def test_a_class_that_the_reference_skips_has_no_cases(verdicts):
    assert verdicts["right"].cases == "1"


@trial(
    suite(
        "@unittest.skipIf(HERE, 'not here')\ndef test_a(self):\n    self.assertEqual(f(2), 3)\n\n"
        "def test_b(self):\n    self.assertEqual(f(2), 3)\n",
        head="import unittest\nHERE = f(0) != 1",
    ),
    cheat="def f(x):\n    return 0 if x == 0 else 3\n",
)
def test_a_program_that_makes_a_test_be_skipped_has_not_passed_it(verdicts):
    assert verdicts["cheat"].cases == "01"


@trial(
    suite("def test_a(self):\n    self.assertEqual(f(2), 3)\n\ndef test_b(self):\n    self.assertEqual(f(1), 2)\n"),
    raised="import unittest\n\ndef f(x):\n    raise unittest.SkipTest('no')\n",
    stop="from unittest.case import _ShouldStop\n\ndef f(x):\n    raise _ShouldStop\n",
    exits="def f(x):\n    raise SystemExit(0)\n",
    dies="import os\n\ndef f(x):\n    os._exit(0)\n",
    interrupts="def f(x):\n    raise KeyboardInterrupt\n",
    lacks="def g(x):\n    return x + 1\n",
)
def test_nothing_that_a_program_raises_or_does_ends_a_suite_well(verdicts):
    assert {name: v.cases for name, v in verdicts.items()} == dict.fromkeys(verdicts, "00")
    assert {v.outcome for v in verdicts.values()} == {Outcome.RUNTIME_ERROR}
    assert verdicts["raised"].message == "f(2): SkipTest (line 4)"
    assert verdicts["lacks"].message == "the program does not define 'f'"


TWO = "import unittest\nclass T(unittest.TestCase):\n  def test_a(self): self.assertEqual(f(1), 2)\n  def test_b(self): seen.append(1)\n"


@pytest.mark.parametrize(
    ("replies", "foreseen", "ends", "letters"),
    [
        ((), Plan(), SessionEnded, "XX"),
        ((("ok", 2),), plan(("f", 5)), Mismatch, None),
        ((("ok", 2),), Plan(), None, "PP"),
    ],
)
def test_a_session_that_is_over_ends_the_suite_at_once(replies, foreseen, ends, letters):
    fields = {"entry_point": "f", "reference": None, "prompt": "", "prompt_is_code": False, "setup": ""}
    seen: list[int] = []
    sheet = Trial()
    expected = {"T.test_a": (), "T.test_b": ()}
    with scripted(*replies, foreseen=foreseen) as session:
        space = {"f": session.names["f"], "seen": seen}
        with pytest.raises(ends) if ends else nullcontext():
            run_suite(read_suite(TWO, fields), space, session, sheet, expected)
    assert len(seen) == (ends is None)
    assert letters in (None, *sheet.letters)


# -- exceptions


@trial(
    suite(
        """
        def test_any(self):
            with self.assertRaises(Exception):
                f(-1)

        def test_called(self):
            self.assertRaises(ValueError, f, -1)

        def test_text(self):
            with self.assertRaisesRegex(ValueError, "below"):
                f(-1)
        """,
        "def f(x):\n    raise ValueError('below zero')\n",
    ),
    right="def f(x):\n    if x < 0:\n        raise ValueError('it is below')\n    return x\n",
    kind="def f(x):\n    raise TypeError('below')\n",
    asserts="def f(x):\n    assert x > 0, 'below'\n",
    text="def f(x):\n    raise ValueError('no')\n",
    silent="def f(x):\n    return x\n",
    lacks="x = 1\n",
    exits="def f(x):\n    raise SystemExit\n",
)
def test_exceptions_are_expected_as_in_python(verdicts):
    cases = {name: v.cases for name, v in verdicts.items()}
    assert cases == {
        "right": "111", "kind": "100", "asserts": "100", "text": "110", "silent": "000", "lacks": "000", "exits": "000",
    }  # fmt: skip
    assert verdicts["silent"].message == "f(-1): Exception not raised"
    assert verdicts["text"].message == 'f(-1): "below" does not match "no"'
    assert verdicts["asserts"].outcome is Outcome.RUNTIME_ERROR


@trial(
    in_one_test("self.assertEqual(f(2), 3)"),
    own="def f(x):\n    raise AssertionError('3 != 3')\n",
    derived="class E(AssertionError):\n    pass\n\ndef f(x):\n    raise E('no')\n",
)
def test_an_assertion_error_of_the_programs_own_is_a_runtime_error(verdicts):
    assert {v.outcome for v in verdicts.values()} == {Outcome.RUNTIME_ERROR}
    assert verdicts["own"].message == "f(2): AssertionError: 3 != 3 (line 2)"


# -- objects

LIAR = """
class Yes:
    def yes(self, *_): return True
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __bool__ = __instancecheck__ = yes
    def me(self, *_): return self
    __sub__ = __rsub__ = __abs__ = __round__ = __getitem__ = me
    def zero(self, *_): return 0
    __hash__ = __len__ = __index__ = zero
    __class__ = int

def f(x):
    return Yes()
"""

LYING_NUMBER = """
class N(float):
    def yes(self, *_): return True
    __eq__ = __lt__ = __gt__ = __le__ = __ge__ = yes
    def zero(self, *_): return 0.0
    __sub__ = __rsub__ = __abs__ = __round__ = zero
    __hash__ = float.__hash__

def f(x):
    return N(99)
"""

LINES = [
    "self.assertEqual(f(2), 3)", "self.assertEqual(3, f(2))", "self.assertAlmostEqual(f(2), 3.0)",
    "self.assertAlmostEqual(f(2), 3, delta=1)",
    "self.assertTrue(f(2) == 3)", "self.assertIn(f(2), [3])", "self.assertIn(f(2), {3: 1})", "self.assertGreaterEqual(f(2), 3)",
    "self.assertTrue(f(2))", "self.assertIsInstance(f(2), int)", "self.assertCountEqual([f(2)], [3])", "self.assertListEqual([f(2)], [3])",
    "self.assertDictEqual({1: f(2)}, {1: 3})", "self.assertFalse(f(2) != 3)", "self.assertIs(type(f(2)), int)",
]  # fmt: skip


@pytest.fixture(scope="module")
def lies():
    asked = {line: (in_one_test(line), {"right": PLUS_ONE, "object": LIAR, "number": LYING_NUMBER}) for line in LINES}
    return judge_trials(asked)


@pytest.mark.parametrize("line", LINES)
def test_no_object_that_agrees_to_everything_passes_an_assertion(line, lies):
    assert lies[line]["right"].passed
    assert lies[line]["right"].trust is Trust.ANCHORED
    assert not lies[line]["object"].passed
    if line not in ("self.assertTrue(f(2))", "self.assertGreaterEqual(f(2), 3)"):  # which 99.0 passes honestly
        assert not lies[line]["number"].passed


@trial(
    suite("""
        def test_a(self):
            try:
                self.assertTrue(f(2))
            except BaseException:
                pass

        def test_b(self):
            self.assertTrue(True)

        def test_c(self):
            self.assertEqual(f(3), 4)
    """),
    liar=LIAR.replace("return Yes()", "return Yes() if x == 2 else 4"),
    exits="def f(x):\n    raise SystemExit(0)\n",
    right=PLUS_ONE,
)
def test_a_test_that_swallows_everything_does_not_swallow_what_the_judge_knows(verdicts):
    assert verdicts["right"].cases == "111"
    assert verdicts["liar"].cases == "011"
    assert verdicts["exits"].cases == "000"


# -- one sample after another, and what a value could do to the judge


@trial(
    suite(
        "def test(self):\n    self.assertEqual(f(2), 3)\n",
        head=(
            "import unittest\nif f(0) == 7:\n    unittest.TestCase.assertEqual = lambda self, a, b: None\n"
            "    unittest.TestCase.run = lambda self, result: result.addSuccess(self)\n    unittest.TestCase.extra = 1\n"
        ),
    ),
    before="def f(x):\n    return 0\n",
    poison="def f(x):\n    return 7\n",
    after="def f(x):\n    return 0\n",
    right=PLUS_ONE,
)
def test_what_one_sample_makes_a_suite_do_to_unittest_is_undone_for_the_next(verdicts):
    assert verdicts["poison"].cases == "0"
    assert verdicts["after"].cases == verdicts["before"].cases == "0"
    assert verdicts["after"].message == "f(2): expected 3, got 0"
    assert verdicts["right"].passed


@trial(
    in_one_test("self.assertEqual(f(6000), list(range(6000)))", "def f(n):\n    return list(range(n))\n"),
    big="def f(n):\n    return [str(x) * 40 for x in range(n)]\n",
    deep="def f(n):\n    x = []\n    for _ in range(20000):\n        x = [x]\n    return [x]\n",
    long="def f(n):\n    return [10 ** 200000]\n",
)
def test_the_message_of_a_large_wrong_answer_costs_nothing(verdicts):
    assert verdicts["big"].outcome is Outcome.WRONG_ANSWER
    assert verdicts["deep"].cases == verdicts["long"].cases == "0"
    assert verdicts["long"].message.endswith("got [<int of 664386 bits>]")


@trial(
    in_one_test("self.assertEqual(f(2), 3)"),
    patched="import unittest\nunittest.TestResult.wasSuccessful = lambda self: True\nunittest.TestCase.run = lambda *_: None\n\n"
    "def f(x):\n    return 0\n",
    frames="import sys\n\ndef f(x):\n    frame = sys._getframe()\n    while frame:\n        frame.f_globals['unittest'] = None\n"
    "        frame = frame.f_back\n    return 0\n",
)
def test_what_a_program_does_to_its_own_interpreter_changes_nothing(verdicts):
    assert {name: v.cases for name, v in verdicts.items()} == {"patched": "0", "frames": "0"}


# -- what is not simple


@trial(
    in_one_test(
        "with mock.patch('solution.g'):\n    self.assertEqual(f(1), 2)",
        head="import unittest\nfrom unittest import mock",
    ),
    any=PLUS_ONE,
)
def test_a_suite_that_is_not_simple_is_invalid_and_says_what_is_in_the_way(reason):
    assert reason == (
        "its unittest suite can't be judged apart from the candidate: unittest.mock.patch in line 6: what is replaced here stays as it is "
        "for the candidate, which runs elsewhere"
    )
