import json

import pytest

from assay.benchmarks import load, read_questions
from assay.errors import DataError


def file(tmp_path, *rows) -> str:
    path = tmp_path / "q.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_tasks_without_tests_are_read(tmp_path) -> None:
    path = file(tmp_path, {"id": 1, "prompt": "Why?"}, {"id": "b", "prompt": "How?", "reference": "So.", "tags": ["x"]})
    found = read_questions(path)
    assert [(each.id, each.prompt, each.reference, each.tests) for each in found.problems] == [
        ("1", "Why?", None, ()),
        ("b", "How?", "So.", ()),
    ]
    assert found.order == ("1", "b")


def test_the_digest_is_of_the_rows_and_not_of_their_container(tmp_path) -> None:
    rows = [{"id": "a", "prompt": "Why?"}]
    one = read_questions(file(tmp_path, *rows)).digest
    (tmp_path / "q.json").write_text(json.dumps(rows, indent=1))
    assert read_questions(str(tmp_path / "q.json")).digest == one
    assert read_questions(file(tmp_path, {"id": "a", "prompt": "How?"})).digest != one


def test_rows_with_tests_are_left_to_those_who_run_them(tmp_path) -> None:
    assert read_questions(file(tmp_path, {"id": "a", "prompt": "?", "tests": ["assert f()"]})) is None


def test_a_task_without_tests_is_never_judged_by_running_it(tmp_path) -> None:
    with pytest.raises(DataError, match="none is given"):
        load(file(tmp_path, {"id": "a", "prompt": "Why?"}))


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"id": "b"}, "line 2: 'prompt' is missing"),
        ({"prompt": "?"}, "line 2: 'id' is missing"),
        ({"id": "a", "prompt": "?"}, "line 2: the id 'a' is given twice"),
        ({"id": "b", "prompt": 1}, "line 2: 'prompt' must be a text"),
        ({"id": "b", "prompt": "?", "tests": []}, "line 2: unknown key 'tests'"),
    ],
)
def test_unusable_rows_are_told_by_their_lines(tmp_path, row, told) -> None:
    with pytest.raises(DataError) as caught:
        read_questions(file(tmp_path, {"id": "a", "prompt": "?"}, row))
    assert told in str(caught.value)


def test_an_empty_file_holds_no_tasks(tmp_path) -> None:
    with pytest.raises(DataError, match="no tasks in it"):
        read_questions(file(tmp_path))
