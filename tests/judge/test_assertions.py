"""unittest's assertion methods while they are watched. The suites here are our own and run in this process, against no candidate."""

from __future__ import annotations

import unittest
from typing import Any

import pytest

from assay.judge.assertions import Assertions, Expectation, watching
from assay.judge.suites import read_suite

PROBLEM = {"entry_point": "f", "reference": None, "prompt": "", "prompt_is_code": False, "setup": ""}
HEAD = "import unittest\nclass T(unittest.TestCase):\n    def runTest(self): pass\n    def test(self, value=None):\n        "


class NoSession:
    """A session in which nothing was called."""

    last_call = None
    last_raised = None

    def settle(self) -> None:
        pass


class Run:
    """One test of these lines, run while it is watched: what it raised, what it is shown as, what it is evidence of."""

    def __init__(self, lines: str, value: Any = None, head: str = HEAD) -> None:
        suite = read_suite(head + lines.replace("\n", "\n        "), PROBLEM)
        session: Any = NoSession()
        self.assertions = Assertions(suite, session)
        self.error: BaseException | None = None
        space: dict[str, Any] = {"__assay__": self.assertions.begin()}
        with watching(self.assertions):
            exec(suite.test.code, space)
            try:
                space["T"]().test(value)
            except Exception as error:  # noqa: BLE001 (it is looked at below)
                self.error = error
        self.counts = [count for _, count in self.assertions.evidence()]

    @property
    def told(self) -> tuple[str, str, str | None]:
        """Expected, got and message as they are shown."""
        assert self.error is not None
        shown = self.assertions.recorder.describe(self.error, "W", "")
        return shown["expected"], shown["got"], self.assertions.message_of(self.error)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("self.assertEqual(value, 3)", ("3", "4", "")),
        ("self.assertEqual(3, value)", ("3", "4", "")),
        ("self.assertEqual(first=value, second=3, msg='no')", ("3", "4", "no")),
        ("self.assertEqual(value, 3, [1])", ("3", "4", "[1]")),
        ("self.assertNotEqual(value, 4)", ("!= 4", "4", "")),
        ("self.assertIn(value, [1, 2])", ("in [1, 2]", "4", "")),
        ("self.assertLess(value, 2, 'big')", ("< 2", "4", "big")),
        ("self.assertAlmostEqual(value, 3.5)", ("about 3.5", "4", "")),
        ("self.assertAlmostEqual(value, 3.5, 2, 'far')", ("about 3.5", "4", "far")),
        ("self.assertIsNone(value)", ("None", "4", "")),
        ("self.assertIs(value, None)", ("is None", "4", "")),
        ("self.assertTrue(value > 5, 'small')", ("self.assertTrue(value > 5, 'small')", "", "small")),
        ("self.assertIsInstance(value, str)", ("self.assertIsInstance(value, str)", "", "")),
        ("self.assertRaises(ValueError, int, value)", ("", "", "ValueError not raised by int")),
        ("with self.assertRaises(ValueError):\n    value", ("", "", None)),
        ("self.assertEqual(value, 4)\nself.fail('at last')", ("", "", None)),
        ("assert value == 3", ("3", "4", None)),
    ],
)  # fmt: skip
def test_a_failed_assertion_shows_both_sides_or_its_text_and_the_suites_own_message(lines, told):
    run = Run(lines, 4)
    assert isinstance(run.error, AssertionError)
    assert run.told == told
    assert run.counts == [1] * lines.count("\nself.fail")


@pytest.mark.parametrize(
    ("lines", "counts"),
    [
        ("self.assertEqual([1, 2], value)", [1]),  # unittest asserts more on its way
        ("self.assertEqual(value, [1, 2])\nself.assertEqual(value, [1, 2])", [1, 1]),
        ("for _ in value:\n    self.assertTrue(value)", [2]),
        ("for check in (self.assertTrue, self.assertIsNotNone):\n    check(value)", [2]),
        ("list(map(self.assertTrue, value))", [2]),
        ("with self.assertRaises(TypeError) as caught:\n    value + 1\nassert caught.exception.args", [1, 1]),
        ("self.assertRaisesRegex(TypeError, 'int', lambda: value + 1)", [1]),
        ("assert value\nassert value\nself.assertTrue(value)", [1, 1, 1]),
        ("for x in value:\n    with self.subTest(x):\n        self.assertIn(x, (1, 2))", [2]),
        ("value.clear()", []),
    ],
)
def test_each_assertion_that_is_written_is_evidence_once_for_each_time_it_held(lines, counts):
    run = Run(lines, [1, 2])
    assert run.error is None
    assert run.counts == counts


def test_a_block_that_was_not_left_by_the_right_exception_is_no_evidence():
    run = Run("with self.assertRaises(TypeError):\n    raise KeyError(value)", 1)
    assert isinstance(run.error, KeyError)
    assert run.counts == []


def test_a_block_is_what_unittest_gives_apart_from_the_watch():
    run = Run("block = self.assertRaises(TypeError)\nwith block:\n    value + 1\nself.assertTrue(block.exception)", "a")
    assert run.counts == [1, 1]
    assert not hasattr(Expectation(object(), run.assertions, 0), "exception")


def test_what_a_suite_does_to_test_case_is_undone():
    before = dict(vars(unittest.TestCase))
    Run("unittest.TestCase.assertEqual = None\nunittest.TestCase.mine = 1\ndel unittest.TestCase.run")
    assert dict(vars(unittest.TestCase)) == before


def test_watching_leaves_unittest_as_it_was_but_for_its_messages_and_runners():
    assert unittest.TestCase.assertEqual.__module__ == "unittest.case"
    run = Run("self.assertEqual(value, list(range(3000)))", [str(n) * 30 for n in range(3000)])
    assert len(str(run.error)) < 2000
    assert unittest.TextTestRunner().run(unittest.TestSuite()).testsRun == 0
