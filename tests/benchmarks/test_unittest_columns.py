"""The columns of BigCodeBench and ClassEval, with rows of our own."""

from __future__ import annotations

from assay.benchmarks import from_rows
from assay.records import UnittestTests

SUITE = "import unittest\nclass TestCases(unittest.TestCase):\n    def test(self):\n        self.assertEqual(task_func(1), 2)\n"
BIGCODEBENCH = {
    "task_id": "BigCodeBench/0",
    "complete_prompt": 'import math\n\ndef task_func(n):\n    """Doubles n."""\n',
    "instruct_prompt": "Double n.",
    "canonical_solution": "    return 2 * n\n",
    "code_prompt": "import math\ndef task_func(n):\n",
    "test": SUITE,
    "entry_point": "task_func",
    "libs": "['math']",
}
CLASSEVAL = {
    "task_id": "ClassEval_0",
    "skeleton": 'class Box:\n    """Holds things."""\n',
    "class_name": "Box",
    "test": SUITE.replace("task_func(1), 2", "Box().size, 0"),
    "solution_code": "class Box:\n    size = 0\n",
    "import_statement": ["import math", "from datetime import date"],
    "test_classes": ["TestCases"],
}


def test_a_row_of_bigcodebench_is_a_prompt_that_the_reference_continues_and_a_suite():
    (problem,) = from_rows([BIGCODEBENCH]).problems
    assert (problem.id, problem.entry_point, problem.prompt_is_code) == ("BigCodeBench/0", "task_func", True)
    assert problem.tests == (UnittestTests(source=SUITE),)
    assert problem.reference == BIGCODEBENCH["complete_prompt"] + "    return 2 * n\n"


def test_a_row_of_classeval_is_a_skeleton_and_a_suite_and_its_imports_are_there_for_both():
    (problem,) = from_rows([CLASSEVAL]).problems
    assert (problem.id, problem.entry_point, problem.prompt_is_code) == ("ClassEval_0", "Box", False)
    assert problem.setup == "import math\nfrom datetime import date"
    assert problem.reference == "class Box:\n    size = 0\n"


def test_a_row_without_a_reference_is_read_too():
    bare = {key: value for key, value in BIGCODEBENCH.items() if key != "canonical_solution"}
    assert from_rows([bare]).problems[0].reference is None
    assert from_rows([{**CLASSEVAL, "solution_code": None}]).problems[0].reference is None
