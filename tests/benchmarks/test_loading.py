from __future__ import annotations

import gzip
import json
from collections import Counter

import pytest

from assay.benchmarks import from_rows, load, select
from assay.errors import DataError, SettingsError
from assay.records import CallTests

ROWS = [
    {"task_id": 2, "text": "Double n.", "code": "def f(n):\r\n\treturn 2 * n", "test_list": ["assert f(1) == 2"]},
    {"task_id": 600, "text": "Halve n.", "code": "def g(n):\r\n\treturn n / 2", "test_list": ["assert g(2) == 1"]},
]
OWN = [
    {"id": "a", "prompt": "p", "tests": ["assert f(1)"], "split": "dev"},
    {"id": "b", "prompt": "p", "tests": ["assert f(1)"], "split": "test"},
    {"id": "c", "prompt": "p", "entry_point": "f", "tests": ["assert ("], "split": "test"},
    {"id": "d", "prompt": "p", "tests": ["assert f(1)"], "split": "test"},
]


def lines(rows) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


@pytest.fixture
def file(tmp_path):
    def write(rows, name="problems.jsonl"):
        path = tmp_path / name
        path.write_bytes(rows if isinstance(rows, bytes) else lines(rows))
        return str(path)

    return write


def test_every_container_and_the_same_rows_in_memory_give_one_digest(file):
    paths = [
        file(ROWS),
        file(gzip.compress(lines(ROWS)), "problems.jsonl.gz"),
        file(json.dumps(ROWS, indent=1).encode(), "problems.json"),
        file([{**row, "task_id": str(row["task_id"])} for row in ROWS], "texts.jsonl"),
    ]
    read = [load("mbpp", data=path) for path in paths]
    assert {benchmark.digest for benchmark in read} == {from_rows(ROWS).digest}
    assert {benchmark.problems for benchmark in read} == {read[0].problems}


def test_a_named_set_has_splits_and_prefixes_and_a_path_has_neither(file):
    path = file(ROWS)
    named, plain = load("mbpp", data=path), load(path)
    assert [problem.split for problem in named.problems] == ["prompt", "validation"]
    assert named.id_prefixes == ("MBPP/", "Mbpp/")
    assert (named.name, plain.name) == ("mbpp", "problems.jsonl")
    assert [problem.split for problem in plain.problems] == [None, None]
    assert plain.id_prefixes == ()


def test_a_set_that_is_not_shipped_says_how_to_give_its_file():
    with pytest.raises(SettingsError) as caught:
        load("mbpp:sanitized")
    assert "--data" in str(caught.value)
    assert "sanitized-mbpp.json" in str(caught.value)


def test_the_embedded_set_needs_no_file():
    benchmark = load("basics")
    assert len(benchmark.problems) == 60
    assert not benchmark.invalid


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(SettingsError, match="did you mean 'humaneval'"):
        load("humanevall")


def test_a_second_file_beside_a_path_is_refused(file):
    path = file(ROWS)
    with pytest.raises(SettingsError, match="a file already"):
        load(path, data=path)


def test_the_file_of_another_set_is_recognised(file):
    rows = [{"task_id": 1, "prompt": "p", "code": "def f(): ...", "test_list": ["assert f()"], "test_imports": []}]
    with pytest.raises(DataError) as caught:
        load("mbpp", data=file(rows))
    assert "its rows are those of mbpp:sanitized" in str(caught.value)


def test_all_bad_rows_are_listed_with_their_lines_before_anything_else(file):
    good = lines(OWN[:1])
    path = file(good + b'{"id": "x", "prompt": 3, "tests": ["assert f()"]}\n\nnull\n' + good)
    with pytest.raises(DataError) as caught:
        load(path)
    assert [row.line for row in caught.value.rows] == [2, 4, 5]
    assert "the id 'a' is already used in line 1" in str(caught.value)
    assert path in str(caught.value)
    assert "hint:" in str(caught.value)


def test_an_id_as_text_and_as_number_is_one_id(file):
    with pytest.raises(DataError, match="already used in line 1"):
        load(file([ROWS[0], {**ROWS[1], "task_id": "2"}]))


def test_columns_of_no_known_form_are_shown(file):
    with pytest.raises(DataError) as caught:
        load(file([{"question": "q", "answer": "a"}]))
    assert ":1: the columns of no known form: answer, question" in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"\n\n", b"[]"])
def test_a_file_without_problems_is_refused(file, data):
    with pytest.raises(DataError, match="holds no problems"):
        load(file(data))


def test_rows_in_memory_may_be_any_mapping_and_are_counted_from_one():
    with pytest.raises(DataError) as caught:
        from_rows([ROWS[0], 3, {"task_id": 3}])
    assert [row.line for row in caught.value.rows] == [2, 3]


def test_a_split_narrows_problems_and_invalid_ones_and_remembers_the_rest():
    whole = from_rows(OWN)
    test = select(whole, split="test")
    assert [problem.id for problem in test.problems] == ["b", "d"]
    assert [problem.id for problem in test.invalid] == ["c"]
    assert test.deselected == ("a",)
    assert (test.name, test.digest) == (whole.name, whole.digest)


def test_the_order_of_the_data_stays_known_with_invalid_problems_and_beyond_a_limit():
    whole = from_rows(OWN)
    assert whole.order == ("a", "b", "c", "d")
    assert select(whole, split="test").order == ("b", "c", "d")
    assert select(whole, split="test", limit=1).order == ("b", "c", "d")
    assert select(whole, limit=1).order == whole.order


def test_a_limit_takes_the_first_problems_after_the_split():
    narrowed = select(from_rows(OWN), split="test", limit=1)
    assert [problem.id for problem in narrowed.problems] == ["b"]
    assert set(narrowed.deselected) == {"a", "d"}
    assert set(select(select(from_rows(OWN), split="test"), limit=1).deselected) == {"a", "d"}


def test_an_unknown_split_names_the_known_ones():
    with pytest.raises(SettingsError, match="its splits are dev, test"):
        select(from_rows(OWN), split="train")
    with pytest.raises(SettingsError, match="it has no splits"):
        select(from_rows(ROWS), split="train")


def test_a_limit_below_one_is_refused():
    with pytest.raises(SettingsError, match="a limit of 0"):
        select(from_rows(OWN), limit=0)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "folder", "splits"),
    [
        ("mbpp", "mbpp", {"prompt": 10, "test": 500, "validation": 90, "train": 374}),
        ("mbpp:sanitized", "mbpp-sanitized", {"prompt": 7, "test": 257, "validation": 43, "train": 120}),
        ("humaneval", "humaneval", {"test": 164}),
    ],
)
def test_the_published_sets_are_read_whole(shared, name, folder, splits):
    benchmark = load(name, data=str(shared / "data/benchmarks" / folder / "problems.jsonl.gz"))
    assert Counter(problem.split for problem in benchmark.problems) == splits
    assert not benchmark.invalid
    assert all(problem.entry_point and problem.reference for problem in benchmark.problems)


@pytest.mark.shared
def test_mbpp_has_the_setups_and_challenge_tests_that_were_counted(shared):
    problems = load("mbpp", data=str(shared / "data/benchmarks/mbpp/problems.jsonl.gz")).problems
    assert [problem.id for problem in problems if problem.setup] == ["367", "927"]
    assert sum(len(problem.tests) == 2 for problem in problems) == 11
    assert not any("\r" in (problem.reference or "") + problem.setup for problem in problems)
    assert next(problem.entry_point for problem in problems if problem.id == "126") == "sum"


@pytest.mark.shared
@pytest.mark.parametrize(
    ("folder", "count"), [("mbppplus-v0.2.0", 378), ("mbppplus-v0.1.0", 399), ("humanevalplus-v0.1.10-mini", 164)]
)
def test_evalplus_releases_are_read_as_calls(shared, folder, count):
    problems = load(str(shared / "data/benchmarks" / folder / "problems.jsonl.gz")).problems
    assert len(problems) == count
    assert all(isinstance(tests, CallTests) for problem in problems for tests in problem.tests)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file_name", "ids", "groups"),
    [
        ("ids/problems-int.jsonl", ["2", "10"], [["base"], ["base", "challenge"]]),
        ("ids/problems-prefixed.jsonl", ["Mbpp/2", "Mbpp/10"], [["base", "plus"], ["base"]]),
        ("samples-odd/problems.jsonl", ["demo/0", "demo/1", "demo/2"], [["base"]] * 3),
    ],
)
def test_the_problem_files_of_the_corpora_are_recognised(shared, file_name, ids, groups):
    problems = load(str(shared / "corpus" / file_name)).problems
    assert [problem.id for problem in problems] == ids
    assert [[tests.group for tests in problem.tests] for problem in problems] == groups
