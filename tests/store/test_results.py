import gzip
import json

import pytest

from assay.errors import DataError, StoreError
from assay.records import Outcome, Trust
from assay.store import read_results


def write(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_rows_become_verdicts_numbered_by_problem(tmp_path):
    rows = (
        {"task_id": "t/0", "passed": True},
        {"task_id": "t/1", "passed": False, "x": 1},
        {"task_id": "t/0", "passed": False},
    )
    found = read_results(write(tmp_path / "r.jsonl", *rows))
    assert [(row.problem_id, row.sample_index, row.outcome) for row in found] == [
        ("t/0", 0, Outcome.PASSED),
        ("t/1", 0, Outcome.WRONG_ANSWER),
        ("t/0", 1, Outcome.WRONG_ANSWER),
    ]
    assert {row.trust for row in found} == {Trust.EXIT_STATUS}


def test_a_gzipped_file_and_ids_that_are_numbers_are_read(tmp_path):
    path = tmp_path / "r.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"problem_id": 11, "passed": true}\n\n'))
    assert [row.problem_id for row in read_results(path)] == ["11"]


@pytest.mark.parametrize(
    ("passed", "told"),
    [(1, "1 (a number)"), (0, "0 (a number)"), ("true", "'true' (a text)"), (None, "None (null)")],
)
def test_only_true_and_false_are_results(tmp_path, passed, told):
    path = write(tmp_path / "r.jsonl", {"task_id": "t/0", "passed": True}, {"task_id": "t/0", "passed": passed})
    with pytest.raises(DataError) as caught:
        read_results(path)
    assert f"line 2: passed must be true or false, and is {told}" in str(caught.value)
    assert "hint:" in str(caught.value)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"passed": true}', "neither problem_id nor task_id"),
        ('{"task_id": true, "passed": true}', "must be a text or a whole number, not a boolean"),
        ('{"task_id": "a"}', "passed must be true or false, and is missing"),
        ('{"task_id": "a", "passed": tr', "not JSON"),
        ('{"task_id": "a", "passed": true, "passed": false}', "given twice"),
    ],
)
def test_a_bad_row_is_named_by_its_line(tmp_path, line, told):
    path = tmp_path / "r.jsonl"
    path.write_text(f'{{"task_id": "t/0", "passed": true}}\n{line}\n')
    with pytest.raises(DataError) as caught:
        read_results(path)
    assert "line 2: " in str(caught.value)
    assert told in str(caught.value)


def test_many_bad_rows_are_counted_and_the_first_are_shown(tmp_path):
    path = write(tmp_path / "r.jsonl", *({"task_id": "t", "passed": i} for i in range(50)))
    with pytest.raises(DataError, match=r"50 bad rows \(the first 20 are shown\)") as caught:
        read_results(path)
    assert "line 21" not in str(caught.value)


def test_an_empty_file_a_damaged_one_and_none_are_errors(tmp_path):
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(DataError, match="no results in it"):
        read_results(tmp_path / "empty.jsonl")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b'{"task_id": "t", "passed": true}\n' * 100)[:-20])
    with pytest.raises(DataError, match="gzip data are damaged"):
        read_results(tmp_path / "cut.gz")
    with pytest.raises(StoreError):
        read_results(tmp_path / "none.jsonl")
