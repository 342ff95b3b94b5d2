from __future__ import annotations

import json
from dataclasses import replace

import pytest

from assay.benchmarks import from_rows, load, loading
from assay.benchmarks.evalplus import EVALPLUS, HUMANEVALPLUS, MBPPPLUS
from assay.errors import DataError
from assay.records import CallTests, Oracle

FLOATS = Oracle(name="close", rtol=1e-7, atol=1e-6)
ROW = {
    "task_id": "Mbpp/9001",
    "prompt": '"""\nDouble n.\nassert twice(2) == 4\n"""\n',
    "entry_point": "twice",
    "canonical_solution": "\ndef twice(n):\n  return 2 * n\n",
    "base_input": [[2]],
    "plus_input": [[0], [-3]],
    "atol": 0,
    "contract": '\n  assert isinstance(n, int), "invalid inputs"\n',
    "assertion": "\nassert twice(2) == 4\n",
}
HUMANEVAL_ROW = {
    "task_id": "HumanEval/9001",
    "prompt": 'def same(n):\n    """Return n."""\n',
    "entry_point": "same",
    "canonical_solution": "    return n\n",
    "test": "def check(candidate):\n    assert candidate(0) == 0\n",
    "base_input": [[1]],
    "plus_input": [],
    "atol": 0.01,
    "contract": "",
}


TUPLES = {"task_id": "Mbpp/2", "entry_point": "similar_elements"}


def only(row: dict):
    (problem,) = from_rows([row]).problems
    return problem


def restored(number: int, entry_point: str, arguments: list) -> str:
    """The literal of the arguments that a task of MBPP+ is called with."""
    row = {
        **ROW,
        "task_id": f"Mbpp/{number}",
        "entry_point": entry_point,
        "canonical_solution": f"def {entry_point}(): ...",
    }
    (literal,) = only({**row, "base_input": [arguments], "plus_input": []}).tests[0].inputs
    return literal


def test_a_row_becomes_calls_in_two_groups():
    problem = only(ROW)
    assert problem.tests == (
        CallTests(inputs=("[2]",), oracle=FLOATS),
        CallTests(inputs=("[0]", "[-3]"), group="plus", oracle=FLOATS),
    )
    assert problem.reference == ROW["canonical_solution"]
    assert problem.contract == ROW["contract"]
    assert not problem.prompt_is_code
    assert problem.setup == ""


def test_the_reference_of_a_row_of_humaneval_continues_its_prompt():
    problem = only(HUMANEVAL_ROW)
    assert problem.tests == (CallTests(inputs=("[1]",), oracle=Oracle(name="close", atol=0.01)),)
    assert problem.prompt_is_code
    assert problem.reference == HUMANEVAL_ROW["prompt"] + HUMANEVAL_ROW["canonical_solution"]


def test_an_object_in_the_place_of_plus_inputs_means_none():
    assert len(only({**ROW, "plus_input": {}}).tests) == 1


def test_the_contract_decides_no_verdict():
    assert only(ROW).digest() == only({**ROW, "contract": ""}).digest()


@pytest.mark.parametrize(
    ("number", "entry_point", "arguments", "literal"),
    [
        (2, "similar_elements", [[1, 2], [3]], "[(1, 2), (3,)]"),
        (63, "max_difference", [[[1, 2], [3, 4]]], "[[(1, 2), (3, 4)]]"),
        (75, "find_tuples", [[[6, 24]], 6], "[[(6, 24)], 6]"),
        (106, "add_lists", [[5], [9, 10]], "[[5], (9, 10)]"),
        (720, "add_dict_to_tuple", [[4], {"a": [1]}], "[(4,), {'a': [1]}]"),
        (259, "maximize_elements", [[[1, 3], [4, 5]], [[6, 7]]], "[((1, 3), (4, 5)), ((6, 7),)]"),
        (278, "count_first_elements", [[1, [2, [3]], "a"]], "[(1, (2, [3]), 'a')]"),
        (722, "filter_data", [{"a": [6.2, 70]}, 6.0, 70], "[{'a': (6.2, 70)}, 6.0, 70]"),
        (580, "extract_even", [[4, [7, [2]]]], "[(4, (7, (2,)))]"),
        (115, "empty_dit", [[[2, 2], [], {"a": 1}]], "[[{2}, {}, {}]]"),
        (252, "convert", ["(1+2j)"], "[(1+2j)]"),
        (252, "convert", ["(-0-3j)"], "[complex(-0.0, -3.0)]"),
        (124, "angle_complex", ["-1", "1j"], "[-1.0, 1j]"),
        (3, "is_not_prime", [[1, [2]], "1j"], "[[1, [2]], '1j']"),
        (2, "another", [[1, 2], 3], "[[1, 2], 3]"),
    ],
)
def test_inputs_that_json_could_not_say_are_restored(number, entry_point, arguments, literal):
    assert restored(number, entry_point, arguments) == literal


def test_numbers_of_another_set_restore_nothing():
    assert only({**HUMANEVAL_ROW, "task_id": "HumanEval/2", "base_input": [[[1]]]}).tests[0].inputs == ("[[1]]",)


@pytest.mark.parametrize(
    ("task", "entry_point", "oracle"),
    [
        ("Mbpp/2", "similar_elements", Oracle(name="set")),
        ("Mbpp/2", "other_name", FLOATS),
        ("Mbpp/3", "similar_elements", FLOATS),
        ("Mbpp/737", "check_str", Oracle(name="not_none")),
        ("HumanEval/32", "find_zero", Oracle(name="root", atol=1e-4)),
        ("HumanEval/2", "similar_elements", FLOATS),
    ],
)
def test_a_task_and_its_entry_point_choose_the_oracle(task, entry_point, oracle):
    row = {**ROW, "task_id": task, "entry_point": entry_point, "canonical_solution": f"def {entry_point}(*_): ..."}
    assert only({**row, "base_input": [[[1]]], "plus_input": []}).tests[0].oracle == oracle


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"base_input": []}, "'base_input' is empty"),
        ({"base_input": {}}, "'base_input' is empty"),
        ({"atol": "0"}, "'atol' must be a number"),
        ({"atol": True}, "'atol' must be a number"),
        ({"atol": -1}, "'atol' must be a number from 0, not a number (-1)"),
        ({"atol": float("nan")}, "'atol' must be a number from 0"),
        ({"plus_input": 3}, "'plus_input' must be a list of argument lists"),
        ({"plus_input": [3]}, "'plus_input' item 0 must be a list of arguments"),
        (TUPLES | {"base_input": [[[1], 2]]}, "'base_input' item 0 does not hold (tuple ...): a list ([[1], 2])"),
        (
            TUPLES | {"base_input": [[[1]]], "plus_input": [[[1], "text"]]},
            "'plus_input' item 0 does not hold (tuple ...)",
        ),
        ({"task_id": "Mbpp/252", "entry_point": "convert", "base_input": [["x"]]}, "item 0 does not hold (complex)"),
        ({"canonical_solution": None}, "'canonical_solution' is missing"),
        ({"contract": 3}, "'contract' must be a text"),
    ],
)
def test_an_unusable_row_is_named_with_field_and_value(change, reason):
    with pytest.raises(DataError) as caught:
        from_rows([{**ROW, **change}])
    assert reason in str(caught.value)


def test_ids_tell_the_two_sets_and_the_sets_of_others_apart():
    rows = [ROW, HUMANEVAL_ROW, {**ROW, "task_id": "Mine/1"}]
    shapes = (MBPPPLUS, HUMANEVALPLUS, EVALPLUS)
    assert [next(shape for shape in shapes if shape.fits(row)) for row in rows] == list(shapes)


@pytest.fixture
def file(tmp_path):
    def write(*rows: dict) -> str:
        path = tmp_path / "rows.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        return str(path)

    return write


def test_problems_that_are_no_known_release_have_no_version_and_a_note(file):
    benchmark = load("mbppplus", data=file(ROW))
    assert benchmark.version is None
    assert benchmark.note.startswith("this 1 problem is no release of mbppplus that assay knows")
    assert "known are early-767efcc, v0.1.0, v0.1.0-originfmt, v0.2.0, " in benchmark.note


def test_a_known_release_is_recognised_by_its_rows_whatever_the_file_is_called(file, monkeypatch):
    path = file(ROW)
    known = replace(MBPPPLUS, releases={load(path).digest: "v9"})
    monkeypatch.setattr(loading, "_SHAPES", (known,))
    assert (load(path).version, load(path).note) == ("v9", "")
    assert load(file({**ROW, "plus_input": [[0]]})).version is None


def test_rows_of_others_in_these_columns_need_no_version(file):
    assert load(file({**ROW, "task_id": "Mine/1"})).note == ""


@pytest.mark.parametrize(("name", "row"), [("mbppplus", HUMANEVAL_ROW), ("humanevalplus", ROW)])
def test_the_file_of_the_other_set_is_refused(name, row, file):
    with pytest.raises(DataError, match=f"this is no file of {name}: its rows are those of "):
        load(name, data=file(row))


def test_splits_are_those_of_mbpp(file):
    rows = [
        {**ROW, "task_id": f"Mbpp/{number}", "base_input": [[[1]]], "plus_input": []} for number in (2, 11, 590, 700)
    ]
    assert [p.split for p in load("mbppplus", data=file(*rows)).problems] == ["prompt", "test", "validation", "train"]


RELEASES = {
    "mbppplus": {"v0.2.0": 378, "v0.2.0-noextreme": 378, "v0.1.0": 399, "early-767efcc": 399},
    "humanevalplus": {"v0.1.10": 164, "v0.1.9": 164, "v0.1.10-mini": 164, "v0.1.10-noextreme": 164},
}


@pytest.mark.shared
@pytest.mark.parametrize(("name", "version"), [(name, version) for name in RELEASES for version in RELEASES[name]])
def test_every_release_says_which_it_is(name, version, shared):
    benchmark = load(name, data=str(shared / "data" / "benchmarks" / f"{name}-{version}" / "problems.jsonl.gz"))
    assert (benchmark.version, benchmark.note) == (version, "")
    assert len(benchmark.problems) == RELEASES[name][version]
    assert benchmark.invalid == ()
    groups = {tests.group for problem in benchmark.problems for tests in problem.tests}
    assert groups == {"base", "plus"}
