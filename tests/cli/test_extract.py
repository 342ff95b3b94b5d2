from __future__ import annotations

import gzip
import json

import pytest

from assay.cli.app import run

ROWS = [
    {"task_id": "t/1", "text": "Sure:\n```python\ndef f(n):\n    return n\n```", "entry_point": "f"},
    {"task_id": "t/1", "text": "Answer\n\ndef f(n):\n    return n\n\nBye now!", "entry_point": "f"},
    {"problem_id": 2, "text": "I can't."},
    {"problem_id": "3", "solution": "x = 1"},
    {"text": "<think>hm"},
]


@pytest.fixture
def assay(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(*words: str, rows=ROWS) -> tuple[int, str, str]:
        (tmp_path / "samples.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        status = run(["extract", *words])
        out, err = capfd.readouterr()
        return status, out, err

    return call


def test_answers_and_code_stand_side_by_side_and_ways_are_counted(assay):
    status, out, _ = assay("samples.jsonl")
    assert status == 0
    assert "t/1 #0: fence\n" in out
    assert "t/1 #1: lines\n" in out
    assert "def f(n):" in out
    assert "no code in 2 samples:\n  2 #0: the answer holds words and no code\n  line 5 #0: the answer is still" in out


def test_programs_get_json_with_every_text_and_its_code(assay):
    status, out, _ = assay("samples.jsonl", "--json", "--show", "0")
    found = json.loads(out)
    assert status == 0
    assert found["samples"] == 5
    assert found["how_extracted"] == {"fence": 1, "lines": 1, "none": 1, "solution": 1, "none + reasoning": 1}
    assert [(row["problem_id"], row["index"]) for row in found["unread"]] == [("2", 0), ("line 5", 0)]
    assert [row["code"] for row in found["extracted"]] == [
        "def f(n):\n    return n\n",
        "def f(n):\n    return n\n",
        None,
        "x = 1",
        None,
    ]
    assert found["extracted"][0]["text"] == ROWS[0]["text"]


def test_only_samples_of_a_way_are_shown(assay):
    _, out, _ = assay("samples.jsonl", "--how", "lines", "--json")
    assert [row["how_extracted"] for row in json.loads(out)["extracted"]] == ["lines"]
    _, out, _ = assay("samples.jsonl", "--how", "none", "--show", "1")
    assert "2 #0: none (the answer holds words and no code)" in out
    assert "line 5 #0: none" not in out


def test_a_way_that_no_sample_was_found_by_is_an_error_that_lists_those_there_are(assay):
    status, out, err = assay("samples.jsonl", "--how", "xx")
    assert (status, out) == (2, "")
    assert err.startswith("error: --how xx: no sample was found by that\nhint: there are: ")
    assert "lines" in err


def test_with_a_benchmark_its_prompts_and_entry_points_are_known(assay, tmp_path):
    problem = {
        "id": "a",
        "prompt": "import math\ndef f(n):\n",
        "reference": "def f(n):\n    return n",
        "tests": ["assert f(1)"],
    }
    (tmp_path / "problems.jsonl").write_text(json.dumps(problem))
    rows = [{"task_id": "a", "text": "```python\ndef f(n):\n    return math.sqrt(n)\n```\n```python\nprint(f(1))\n```"}]
    _, out, _ = assay("samples.jsonl", "--benchmark", "problems.jsonl", "--json", rows=rows)
    (found,) = json.loads(out)["extracted"]
    assert found["how_extracted"] == "fence + prompt imports"
    assert found["code"] == "import math\n\ndef f(n):\n    return math.sqrt(n)\n"


def test_a_rows_own_prompt_counts_where_no_benchmark_is_named(assay):
    rows = [{"text": "    return n", "prompt": "def f(n):\n", "entry_point": "f"}]
    _, out, _ = assay("samples.jsonl", "--json", rows=rows)
    assert json.loads(out)["extracted"][0]["code"] == "def f(n):\n    return n\n"


def test_packed_files_are_read(assay, tmp_path):
    (tmp_path / "packed.gz").write_bytes(gzip.compress(json.dumps(ROWS[0]).encode()))
    _, out, _ = assay("packed.gz", "--json")
    assert json.loads(out)["how_extracted"] == {"fence": 1}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"task_id": "a"}], "line 1: the text is missing"),
        ([{"text": "x"}, {"text": 3}], "line 2: the text is missing"),
    ],
)
def test_a_row_without_a_text_is_an_error_that_names_it(assay, rows, said):
    status, _, err = assay("samples.jsonl", rows=rows)
    assert status == 2
    assert said in err
    assert "--benchmark NAME" in err


@pytest.mark.parametrize(
    ("words", "said"), [(["none.jsonl"], "No such file"), (["samples.jsonl", "--show", "-1"], "--show -1")]
)
def test_what_cannot_be_done_is_an_error(assay, words, said):
    status, _, err = assay(*words)
    assert status == 2
    assert said in err
