"""Suites made ready: what starts them is gone, the candidate's module is put in, assertions are found. Nothing is run here."""

from __future__ import annotations

import pytest

from assay.judge.simplicity import NotSimple
from assay.judge.suites import SOLUTION, read_suite

PROBLEM = {
    "entry_point": "f",
    "reference": "def f(x): ...\ndef g(x): ...\n",
    "prompt": "",
    "prompt_is_code": False,
    "setup": "",
}


def read(source: str, **fields):
    return read_suite(source, PROBLEM | fields)


def in_test(lines: str, head: str = "import unittest"):
    return f"{head}\nclass T(unittest.TestCase):\n    def test(self):\n        {lines}\n"


@pytest.mark.parametrize(
    "ending",
    [
        "if __name__ == '__main__':\n    unittest.main()\n",
        'if "__main__" == __name__:\n    import sys\n    sys.exit(open("a"))\n',
        "unittest.main(argv=[''], exit=False)\n",
        "from unittest import main\nmain()\n",
        "import unittest as u\nu.main()\n",
    ],
)
def test_what_starts_the_tests_is_left_out(ending):
    suite = read(in_test("self.assertEqual(f(1), 2)") + ending)
    assert "main" not in suite.text.replace("import main", "")


@pytest.mark.parametrize(
    ("line", "bound", "wanted"),
    [
        ("from solution import f", f"f = {SOLUTION}.f", {"f"}),
        ("from your_module import f as own, g", f"own = {SOLUTION}.f\n    g = {SOLUTION}.g", {"f", "g"}),
        ("from .answer import f", f"f = {SOLUTION}.f", {"f"}),
        ("from submitted.answer import f", f"f = {SOLUTION}.f", {"f"}),
        ("from solution import *", "pass", set()),
        ("from helpers_of_mine import g", f"g = {SOLUTION}.g", {"g"}),
        ("import solution", f"solution = {SOLUTION}", {"f", "EXTRA"}),
        ("import math, solution", f"import math\n    solution = {SOLUTION}", {"f", "EXTRA"}),
    ],
)
def test_an_import_of_what_is_on_trial_from_a_module_that_is_nowhere_takes_the_candidates_names(line, bound, wanted):
    use = "assert solution.f(1) == solution.EXTRA" if line.endswith("solution") else "assert f(1)"
    suite = read(f"def test():\n    {line}\n    {use}\n")
    assert f"\n    {bound}\n" in suite.text
    assert suite.wanted == wanted


@pytest.mark.parametrize("line", ["from json import f", "import json", "from math import *"])
def test_a_module_that_is_somewhere_stays_what_it_is(line):
    assert line in read(f"{line}\nassert f(json.dumps(1))\n").text


def test_a_module_that_is_nowhere_and_holds_nothing_on_trial_is_in_the_way_once_it_is_used():
    read("import not_there\nassert f(1)\n")
    with pytest.raises(NotSimple, match="not_there in line 2"):
        read("import not_there\nassert f(not_there.x)\n")


def test_assertions_are_found_with_their_lines_and_the_side_of_what_is_expected():
    suite = read(
        in_test(
            "self.assertEqual(3, f(1))\n        self.assertEqual(f(1), 3)\n        self.assertEqual(expected, f(1))\n        assert f(1)"
        )
    )
    assert [site.text for site in suite.sites] == [
        "assert f(1)", "self.assertEqual(3, f(1))", "self.assertEqual(f(1), 3)", "self.assertEqual(expected, f(1))",
    ]  # fmt: skip
    lines = {text: line for line, text in suite.texts.items()}
    assert list(lines) == [site.text for site in suite.assertions]
    assert suite.turned == {lines["self.assertEqual(3, f(1))"], lines["self.assertEqual(expected, f(1))"]}
    assert suite.asserting == {"test"}
    assert suite.methods == 1


@pytest.mark.parametrize(
    ("call", "vacuous"),
    [
        ("self.assertTrue(True)", True),
        ("self.assertEqual([1, 2], [1, 2])", True),
        ("self.assertTrue(f)", False),
        ("self.assertEqual(f(1), 1)", False),
        ("self.assertRaises(ValueError)", False),
    ],
)
def test_an_assertion_that_looks_at_nothing_but_literals_is_vacuous(call, vacuous):
    assert [site.vacuous for site in read(in_test(call)).sites] == [vacuous]


def test_names_of_the_setup_the_prompt_and_the_reference_keep_their_meaning():
    for given in (
        {"setup": "import os"},
        {"reference": "import os"},
        {"prompt": "import os\ndef f(x):\n", "prompt_is_code": True},
    ):
        with pytest.raises(NotSimple, match=r"os\.remove"):
            read(in_test("os.remove(f(1))"), **given)


def test_a_suite_that_is_no_python_says_so():
    with pytest.raises(SyntaxError):
        read("class T(:")
