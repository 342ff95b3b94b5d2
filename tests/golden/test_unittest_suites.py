"""Published unittest suites, and forgeries against asserts that are written as a suite.

Which published problems can be judged is decided by their suites' syntax and by the packages that are here; the numbers are those of an
installation with nothing but numpy beside the standard library. ClassEval_17 expects a day to come that is past.
"""

from __future__ import annotations

import ast
import gzip
import json
import textwrap
from collections import defaultdict

import pytest
from court import judge

from assay.benchmarks import from_rows
from assay.engine import Settings
from assay.records import Problem, Trust, UnittestTests

METHODS = {
    ast.Eq: "assertEqual", ast.NotEq: "assertNotEqual", ast.In: "assertIn", ast.NotIn: "assertNotIn", ast.Lt: "assertLess",
    ast.LtE: "assertLessEqual", ast.Gt: "assertGreater", ast.GtE: "assertGreaterEqual", ast.Is: "assertIs", ast.IsNot: "assertIsNot",
}  # fmt: skip
TESTS_OF_THEIR_OWN = {"stack", "money"}
"""Problems whose tests share names, which methods do not."""


class AsMethods(ast.NodeTransformer):
    """Turns asserts into calls of assertion methods."""

    def visit_Assert(self, node):
        test = node.test
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            method, sides = METHODS[type(test.ops[0])], [test.left, test.comparators[0]]
        else:
            method, sides = "assertTrue", [test]
        return ast.Expr(ast.Call(ast.Attribute(ast.Name("self", ast.Load()), method, ast.Load()), sides, []))


def as_suite(cases: list[str]) -> str:
    lines = ["import unittest", "class T(unittest.TestCase):"]
    for number, case in enumerate(cases):
        body = ast.unparse(ast.fix_missing_locations(AsMethods().visit(ast.parse(case))))
        lines += [f"    def test_{number:03d}(self):", textwrap.indent(body, "        ")]
    return "\n".join(lines)


@pytest.fixture(scope="module")
def forgeries(shared):
    """Each row of the corpus whose tests are asserts, with our verdict on the same asserts as a suite."""
    groups = defaultdict(list)
    for line in (shared / "corpus" / "forgery.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["problem"]["style"] == "assert" and row["problem"]["id"] not in TESTS_OF_THEIR_OWN:
            groups[row["problem"]["id"]].append(row)
    work = []
    for asked, *_ in ([row["problem"] for row in group] for group in groups.values()):
        fields = {key: asked[key] for key in ("id", "prompt", "entry_point", "reference")}
        work.append(
            Problem(**fields, tests=(UnittestTests(source=as_suite(asked["tests"])),), setup=asked.get("setup") or "")
        )
    rows = [[row["candidate"] for row in group] for group in groups.values()]
    found = judge(zip(work, rows, strict=True), Settings(workers=2, time_s=1.5))
    assert found.invalids == {}
    return [(row, found.verdicts[id_, n]) for id_, group in groups.items() for n, row in enumerate(group)]


@pytest.mark.shared
def test_what_can_not_win_against_asserts_can_not_win_against_a_suite(forgeries):
    assert len(forgeries) >= 80
    forged = [(row, v) for row, v in forgeries if row["expected"] == "not_passed" and row["kind"] != "special"]
    assert [(row["id"], row["note"], v.message) for row, v in forged if v.passed] == []


@pytest.mark.shared
def test_what_honestly_passes_asserts_passes_a_suite(forgeries):
    honest = [(row, v) for row, v in forgeries if row["expected"] == "passed"]
    assert [(row["id"], row["note"], v.message) for row, v in honest if not v.passed] == []


def judged(shared, name: str):
    """The references of a published set, each judged against its own suite."""
    with gzip.open(shared / "data" / "benchmarks" / name / "problems.jsonl.gz", "rt", encoding="utf-8") as file:
        benchmark = from_rows(map(json.loads, file))
    assert benchmark.invalid == ()
    return judge(((problem, [problem.reference]) for problem in benchmark.problems), Settings(workers=2))


def not_simple(found) -> int:
    return sum(
        reason.startswith("its unittest suite can't be judged apart from the candidate: ")
        for reason in found.invalids.values()
    )


@pytest.mark.shared
@pytest.mark.slow
def test_of_classeval_all_references_pass_whose_suites_are_simple_and_whose_packages_are_here(shared):
    found = judged(shared, "classeval")
    assert len(found.invalids) + len(found.verdicts) == 100
    assert [v.message for v in found.verdicts.values() if not v.passed] == []
    assert not_simple(found) == 16
    assert len(found.verdicts) >= 77 - len({"ClassEval_51"})  # which needs a numpy before 2
    assert {v.trust for v in found.verdicts.values()} == {Trust.DELEGATED}


@pytest.mark.shared
@pytest.mark.slow
def test_of_bigcodebench_all_references_pass_whose_suites_are_simple_and_whose_packages_are_here(shared):
    found = judged(shared, "bigcodebench-hard")
    others = [
        r
        for r in found.invalids.values()
        if "can't be judged apart from the candidate" not in r and "ModuleNotFoundError" not in r
    ]
    assert others == []
    assert not_simple(found) == 127
    assert [v.message for v in found.verdicts.values() if not v.passed] == []
    assert len(found.verdicts) >= 4
