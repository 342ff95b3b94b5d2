from __future__ import annotations

import io
import json
from types import SimpleNamespace

import pytest

ROW = {"task_id": "HumanEval/1", "solution": "x"}


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (
            {"date": "d", "hash": "h", "eval": {}},
            "a JSON document with the keys date, eval, hash, whose form is not known",
        ),
        ({"results": {}, "configs": {}}, "a JSON document with the keys configs, results"),
        ([ROW, ROW], "a JSON list of objects, where rows are expected"),
        (["a", "b"], "a JSON list, but not of lists"),
        ([["a"], "b"], "a JSON list, but not of lists"),
        ({}, "a JSON document, whose form is not known"),
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_a_document_of_no_known_form_is_one_error_with_a_way_out(files, document, said, indent):
    if document == {} and indent:
        indent = None
    data = json.dumps(document, indent=indent).encode()
    assert said in files.refused(files.write(data), skip=True)


def test_rows_of_ours_stay_rows_whatever_is_wrong_with_the_first(files):
    good = json.dumps(ROW).encode() + b"\n"
    for first, reason in (
        (b"null", "line 1: not an object but null"),
        (b"[1, 2]", "line 1: not an object but a list"),
        (b'[["a"]]', "line 1: not an object but a list"),
        (b'{"task_id": "HumanEval/1", "sol', "line 1: not JSON"),
        (b'[["a', "line 1: not JSON"),
        (b"{'a': 1}", "line 1: not JSON"),
        (b'{"task_id": "HumanEval/1"}', "line 1: the text is missing"),
        (b'{"version": 2, "status": "success", "eval": {}}', "line 1: 'task_id' or 'problem_id' is missing"),
    ):
        path = files.write(first + b"\n" + good, "samples.jsonl")
        message = files.refused(path)
        assert reason in message
        assert "1 row can't be used" in message
        assert list(files.read(path, skip=True).samples) == ["HumanEval/1"]


def test_a_single_bad_row_is_still_a_row(files):
    assert "line 1: the text is missing" in files.refused(files.rows([{"task_id": "HumanEval/1"}]))
    assert "line 1: 'task_id' or 'problem_id' is missing" in files.refused(files.rows([{"completion": "x"}]))
    assert "line 1: not an object but null" in files.refused(files.write(None))


@pytest.mark.parametrize("data", [b'{\n  "version": 2,\n', b'[\n  ["a"],\n', b'{\n"a": 1}\n{\n"a": 1}\n'])
def test_an_indented_document_that_is_cut_or_doubled_is_one_error(files, data):
    message = files.refused(files.write(data), skip=True)
    assert "not JSON: " in message
    assert "at line" in message
    assert "is the file whole?" in message


def test_a_document_beyond_all_bounds_is_not_read_into_memory(files, monkeypatch):
    monkeypatch.setattr("assay.store.foreign.documents.MAX_DOCUMENT_BYTES", 100)
    data = json.dumps([["x" * 200]], indent=1).encode()
    assert "is parsed whole, and this one is larger than" in files.refused(files.write(data))


def test_a_long_file_of_rows_is_not_taken_for_a_document_because_its_first_row_is_cut(files, monkeypatch):
    monkeypatch.setattr("assay.store.foreign.documents.MAX_DOCUMENT_BYTES", 100)
    data = b'{"task_id": "HumanEval/1", "sol\n' + (json.dumps(ROW).encode() + b"\n") * 10
    message = files.refused(files.write(data, "samples.jsonl"))
    assert "1 row can't be used" in message
    assert "line 1: not JSON" in message


def test_an_object_nested_without_bounds_is_one_error(files):
    assert "nested too deeply" in files.refused(files.write(b"[\n" * 100_000))


def test_a_document_comes_through_a_pipe_too(files, monkeypatch):
    lists = [[f"def f{n}(n): 1"] for n in range(6)]
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(json.dumps(lists).encode())))
    assert len(files.read("-").samples) == 6
