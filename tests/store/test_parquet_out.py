import json
import sys

import pyarrow.parquet
import pytest
from judged_samples import judged, manifest

from assay.errors import SettingsError
from assay.records import Failure, Outcome
from assay.store import parquet_out, parquet_pieces

FAILURE = Failure(
    case=3, group="plus", outcome=Outcome.WRONG_ANSWER, call="f(2)", expected="4", got="5", frames=((3, "f"),)
)


def table(tmp_path, *each):
    path = tmp_path / "verdicts.parquet"
    path.write_bytes(b"".join(parquet_pieces(manifest(), each)))
    return pyarrow.parquet.read_table(path)


def test_a_row_holds_a_sample_with_its_verdict(tmp_path):
    wrong = judged("a", 1, Outcome.WRONG_ANSWER, first_failure=FAILURE, hidden=(3, 24), special_cased=True, cpu_s=0.5)
    found = table(tmp_path, judged("a", 0), wrong).to_pylist()
    assert [(row["problem_id"], row["sample_index"], row["passed"]) for row in found] == [
        ("a", 0, True),
        ("a", 1, False),
    ]
    assert found[0]["failure_call"] is None
    told = {
        name: found[1][name]
        for name in (
            "outcome",
            "failure_case",
            "failure_call",
            "failure_frames",
            "cpu_s",
            "hidden_agreed",
            "hidden_asked",
        )
    }
    assert told == {
        "outcome": "wrong_answer",
        "failure_case": 3,
        "failure_call": "f(2)",
        "failure_frames": '[[3, "f"]]',
        "cpu_s": 0.5,
        "hidden_agreed": 3,
        "hidden_asked": 24,
    }
    assert found[1]["text"] == "    return 1\n"


def test_the_file_says_which_run_it_is(tmp_path):
    run = json.loads(table(tmp_path, judged("a", 0)).schema.metadata[b"assay.run"])
    assert run["benchmark"] == "mbpp"


def test_rows_are_written_group_by_group(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_out, "BATCH", 2)
    pieces = list(parquet_pieces(manifest(), [judged("a", i) for i in range(5)]))
    assert len(pieces) == 4
    assert table(tmp_path, *[judged("a", i) for i in range(5)]).num_rows == 5


def test_a_run_without_verdicts_is_a_table_without_rows(tmp_path):
    assert table(tmp_path).num_rows == 0


def test_a_lone_surrogate_becomes_an_escape(tmp_path):
    assert table(tmp_path, judged("a", 0, text="\ud800x")).to_pylist()[0]["text"] == "\\ud800x"


def test_without_pyarrow_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(SettingsError, match=r"needs pyarrow.*\nhint: pip install pyarrow"):
        list(parquet_pieces(manifest(), []))
