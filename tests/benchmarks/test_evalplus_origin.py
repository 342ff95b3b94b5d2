from __future__ import annotations

import json

import pytest

from assay.benchmarks import from_rows, load
from assay.benchmarks.evalplus_origin import read_loop
from assay.errors import DataError
from assay.records import AssertTests, CallTests, CheckTests, Oracle

FLOATS = Oracle(name="close", rtol=1e-7, atol=1e-6)
HELPER = """import numpy as np
from math import inf

def is_floats(x) -> bool:
    return isinstance(x, float)


def assertion(out, exp, atol):
    if atol == 0 and is_floats(exp):
        atol = 1e-6
    assert np.allclose(out, exp, rtol=1e-07, atol=atol)


"""
LOOP = """inputs = [[2], [0], [-3.5]]
results = [4, 0, -7.0]
for i, (inp, exp) in enumerate(zip(inputs, results)):
    assertion(twice(*inp), exp, 0)
"""
ROW = {
    "task_id": 9001,
    "code": "def helper(n):\n  return n\ndef twice(n):\n  return 2 * n\n",
    "prompt": "Double n.",
    "source_file": "notebook",
    "test_imports": ["import math"],
    "test_list": ["assert math.isclose(twice(0), 0)"],
    "test": HELPER + LOOP,
}
HUMANEVAL_ROW = {
    "task_id": "HumanEval/9001",
    "prompt": "def twice(n):\n",
    "canonical_solution": "    return 2 * n\n",
    "entry_point": "twice",
    "test": HELPER
    + "def check(candidate):\n    "
    + LOOP.replace("\n", "\n    ").replace("twice(*inp)", "candidate(*inp)").rstrip(),
}


def only(row: dict):
    (problem,) = from_rows([row]).problems
    return problem


def test_a_row_of_mbppplus_becomes_the_calls_of_its_loop_with_the_inputs_of_the_asserts_as_base():
    problem = only(ROW)
    assert problem.id == "9001"
    assert problem.tests == (
        CallTests(inputs=("[0]",), oracle=FLOATS),
        CallTests(inputs=("[2]", "[-3.5]"), group="plus", oracle=FLOATS),
    )
    assert (problem.entry_point, problem.reference) == ("twice", ROW["code"])
    assert problem.setup == "", "the release form gives candidates no imports either"


@pytest.mark.parametrize(
    ("asserts", "base"),
    [
        (["assert twice(2) == 4", "assert twice(-3.5) == -7"], ("[2]", "[-3.5]")),
        (["assert twice(one + 1) == 4"], ("[2]",)),
        (["assert twice(one) == 4", "assert twice(0) == 0"], ("[2]", "[0]")),
        (["not Python at all"] * 5, ("[2]", "[0]", "[-3.5]")),
    ],
)
def test_an_assert_whose_input_is_not_found_by_its_text_stands_for_the_first_that_is_left(asserts, base):
    assert only({**ROW, "test_list": asserts}).tests[0].inputs == base


def test_the_tolerance_of_the_loop_and_the_oracle_of_the_task_are_those_of_the_release_form():
    assert only({**ROW, "test": ROW["test"].replace("exp, 0)", "exp, 0.0001)")}).tests[0].oracle.atol == 1e-4
    text = ROW["test"].replace("twice", "similar_elements")
    assert only({**ROW, "task_id": 2, "test": text}).tests[0].oracle == Oracle(name="set")


def test_a_row_of_humanevalplus_has_plus_tests_only_since_nothing_tells_its_base_tests_apart():
    problem = only(HUMANEVAL_ROW)
    assert problem.tests == (CallTests(inputs=("[2]", "[0]", "[-3.5]"), group="plus", oracle=FLOATS),)
    assert problem.reference == HUMANEVAL_ROW["prompt"] + HUMANEVAL_ROW["canonical_solution"]
    assert problem.prompt_is_code


def test_without_a_reference_the_text_itself_is_judged():
    assert only({**HUMANEVAL_ROW, "canonical_solution": None}).tests == (
        CheckTests(source=HUMANEVAL_ROW["test"], group="plus"),
    )


@pytest.mark.parametrize(
    "text",
    [
        "assert twice(1) == 2",
        "inputs = [f(1)]\nresults = [2]\nfor i, (inp, exp) in enumerate(zip(inputs, results)):\n    assertion(twice(*inp), exp, 0)",
        "inputs = [[1]]\nassertion(twice(*inputs[0]), 2, 0)",
        "inputs = [1]\nfor i, inp in enumerate(inputs):\n    assertion(twice(*inp), 2, 0)",
        "not Python",
    ],
)
def test_a_text_that_is_built_in_another_way_is_judged_as_text(text):
    problem = only({**ROW, "test": text})
    assert problem.tests == (AssertTests(cases=tuple(ROW["test_list"])), AssertTests(cases=(text,), group="plus"))
    assert problem.setup == "import math"


def test_a_reference_in_the_text_is_not_taken_for_the_candidate():
    text = "def ref_func(n): ...\ninputs = [[1]]\nfor i, inp in enumerate(inputs):\n    assertion(twice(*inp), ref_func(*inp), 0)"
    loop = read_loop(text)
    assert loop is not None
    assert (loop.inputs, loop.entry_point) == (("[1]",), "twice")


@pytest.mark.parametrize(
    ("literal", "inputs"),
    [
        ("[[(1, 2)], [{3}]]", ("[(1, 2)]", "[{3}]")),
        ("[[inf], [-inf, nan]]", ("[inf]", "[-inf, nan]")),
        ("[['a\\n', \"it's\"]]", ("['a\\n', \"it's\"]",)),
        ("[[True, None]]", ("[True, None]",)),
        ("[['nan', 'é', '(']]", ("['nan', 'é', '(']",)),
        ("[[1e-7, -0.0, 123456789012345678901]]", ("[1e-07, -0.0, 123456789012345678901]",)),
    ],
)
def test_inputs_are_read_as_python_reads_them(literal, inputs):
    loop = read_loop(
        f"inputs = {literal}\nresults = []\nfor i, inp in enumerate(inputs):\n    assertion(f(*inp), 0, 0)"
    )
    assert loop is not None
    assert loop.inputs == inputs


@pytest.mark.parametrize(
    ("row", "change", "reason"),
    [
        (ROW, {"test_list": []}, "'test_list' is empty"),
        (ROW, {"test": None, "text": "x"}, "'test' is missing"),
        (ROW, {"code": None}, "'code' is missing"),
        (HUMANEVAL_ROW, {"entry_point": None}, "'entry_point' is missing"),
    ],
)
def test_an_unusable_row_is_named_with_field_and_value(row, change, reason):
    with pytest.raises(DataError, match=reason):
        from_rows([row, {**row, "task_id": "HumanEval/9002", **change}])


@pytest.fixture
def file(tmp_path):
    def write(*rows: dict) -> str:
        path = tmp_path / "rows.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        return str(path)

    return write


def test_the_plus_sets_are_read_from_this_form_and_their_older_namesakes_are_not(file):
    assert load("mbppplus", data=file(ROW)).id_prefixes == ("Mbpp/",)
    with pytest.raises(DataError, match="those of the origin form of mbppplus"):
        load("mbpp:sanitized", data=file(ROW))
    assert len(load("humanevalplus", data=file(HUMANEVAL_ROW)).problems) == 1
    with pytest.raises(DataError, match="those of the origin form of humanevalplus"):
        load("humaneval", data=file(HUMANEVAL_ROW))


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "version"),
    [("mbppplus", "v0.2.0-originfmt"), ("mbppplus", "v0.1.0-originfmt"), ("humanevalplus", "v0.1.10-originfmt")],
)
def test_every_published_row_becomes_the_problem_of_the_release_form(name, version, shared):
    folder = shared / "data" / "benchmarks"
    origin = load(name, data=str(folder / f"{name}-{version}" / "problems.jsonl.gz"))
    release = load(name, data=str(folder / f"{name}-{version.removesuffix('-originfmt')}" / "problems.jsonl.gz"))
    assert origin.version == version
    assert len(origin.problems) == len(release.problems)
    for mine, theirs in zip(origin.problems, release.problems, strict=True):
        assert mine.id.rpartition("/")[2] == theirs.id.rpartition("/")[2]
        assert mine.entry_point == theirs.entry_point
        assert mine.reference == theirs.reference
        assert {tests.oracle for tests in mine.tests} == {tests.oracle for tests in theirs.tests}
