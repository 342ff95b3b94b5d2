"""Case by case, a suite says of a program what plain Python says: references of ClassEval, and the same with one thing changed in them.

What plain Python says is found out in the sandbox as well: the program, its suite and a runner that prints a digit for each test are judged
as one whole program, whose output the verdict shows.
"""

from __future__ import annotations

import ast
import copy
import gzip
import json
import random

import pytest
from court import judge

from assay.benchmarks import from_rows
from assay.engine import Settings
from assay.records import Outcome, Problem, StdioCase, StdioTests

CHANGED = 2
"""Programs with one change that are made of each reference."""

RUNNER = """
import io, sys, unittest

class Digits(unittest.TestResult):
    digits = ""
    def startTest(self, test):
        self.digits += "0"
    def addSuccess(self, test):
        self.digits = self.digits[:-1] + "1"
    def _exc_info_to_string(self, *_):
        return ""

suite = unittest.TestSuite()
for name in sorted(globals()):
    found = globals()[name]
    if isinstance(found, type) and issubclass(found, unittest.TestCase):
        suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(found))
result, out, sys.stdout = Digits(), sys.stdout, io.StringIO()
suite.run(result)
sys.stdout = out
print(result.digits)
"""
OTHERS = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.In: ast.NotIn,
    ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult,
}  # fmt: skip


class OneChange(ast.NodeTransformer):
    """Changes the operator, number or returned value that comes as number `at`; `count` is how many there are."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.count = 0

    def _here(self) -> bool:
        self.count += 1
        return self.count - 1 == self.at

    def visit_Compare(self, node):
        self.generic_visit(node)
        if self._here():
            node.ops[0] = OTHERS[type(node.ops[0])]()
        return node

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if type(node.op) in OTHERS and self._here():
            node.op = OTHERS[type(node.op)]()
        return node

    def visit_Constant(self, node):
        return ast.Constant(node.value + 1) if type(node.value) in (int, float) and self._here() else node

    def visit_Return(self, node):
        self.generic_visit(node)
        return ast.Return(ast.Constant(None)) if node.value is not None and self._here() else node


def changed(source: str, chance: random.Random) -> list[str]:
    tree, counter = ast.parse(source), OneChange(-1)
    counter.visit(copy.deepcopy(tree))
    places = chance.sample(range(counter.count), min(CHANGED, counter.count))
    return [ast.unparse(ast.fix_missing_locations(OneChange(at).visit(copy.deepcopy(tree)))) for at in places]


def whole_program(row: dict, program: str) -> str:
    return "\n".join([*row["import_statement"], program, row["test"].partition("if __name__")[0], RUNNER])


@pytest.mark.shared
@pytest.mark.slow
def test_each_case_of_a_suite_is_what_plain_python_says_of_it(shared):
    with gzip.open(shared / "data" / "benchmarks" / "classeval" / "problems.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = {row["task_id"]: row for row in map(json.loads, file)}
    chance = random.Random(1)
    programs = {p.id: [p.reference, *changed(p.reference, chance)] for p in from_rows(rows.values()).problems}
    found = judge(((p, programs[p.id]) for p in from_rows(rows.values()).problems), Settings(workers=2, time_s=2))
    case = StdioTests(cases=(StdioCase(stdin="", stdout="?"),))
    valid = [id_ for id_ in programs if id_ not in found.invalids]
    plain = judge(
        ((Problem(id=i, prompt="", tests=(case,)), [whole_program(rows[i], p) for p in programs[i]]) for i in valid),
        Settings(workers=2, time_s=2),
    )
    assert len(valid) >= 70
    both = [(key, verdict, plain.verdicts[key]) for key, verdict in found.verdicts.items()]
    ended = [(ours, python) for _, ours, python in both if python.outcome is not Outcome.WRONG_ANSWER]
    assert all(ours.outcome is python.outcome for ours, python in ended)
    assert len(ended) <= 3
    told = [
        (key, v.cases, w.first_failure.got.strip("'").removesuffix("\\n")) for key, v, w in both if w.first_failure.got
    ]
    assert len(told) == len(both) - len(ended)
    assert [(key, ours, python) for key, ours, python in told if ours != python] == []
    assert sum("0" in ours for _, ours, _ in told) >= 80
