from __future__ import annotations

import json
from pathlib import Path

import pytest


@pytest.fixture
def judged(folder):
    """A run over two problems: right, weak (fails plus tests), wrong and broken (no verdict) samples."""
    folder.samples(("a", "right"), ("a", "weak"), ("a", "broken"), ("b", "wrong"), ("b", "right"))
    folder.judge()
    return folder


def rows(path: str) -> list[dict]:
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def test_human_evals_rows_go_into_the_run_under_the_name_that_it_would_give_them(judged) -> None:
    status, out, err = judged.assay("export", "run", "--to", "human-eval")
    assert status == 1
    assert out == ""
    assert "run/samples.jsonl_results.jsonl: 4 samples of 2 problems" in err
    assert "left out: 1 sample without a verdict" in err
    found = rows("run/samples.jsonl_results.jsonl")
    assert [(row["task_id"], row["solution"], row["passed"]) for row in found] == [
        ("a", "right", True),
        ("a", "weak", False),
        ("b", "wrong", False),
        ("b", "right", True),
    ]


def test_evalplus_document_goes_to_stdout_if_asked(judged) -> None:
    status, out, _ = judged.assay("export", "run", "--to", "evalplus", "-o", "-")
    assert status == 1
    found = json.loads(out)["eval"]
    assert [(row["base_status"], row["plus_status"]) for row in found["a"]] == [("pass", "pass"), ("pass", "fail")]
    assert [row["solution"] for row in found["b"]] == ["wrong", "right"]
    assert not Path("run/eval_results.json").exists()


def test_the_exit_status_is_0_where_every_sample_has_its_verdict(folder) -> None:
    folder.samples(("a", "right"), ("b", "invalid"))
    folder.judge()
    status, _, err = folder.assay("export", "run", "--to", "evalplus")
    assert status == 0
    assert "left out: 1 invalid problem (b)" in err
    assert list(json.loads(Path("run/eval_results.json").read_text())["eval"]) == ["a"]


def test_exporting_again_replaces_the_runs_own_file_and_asks_before_another(judged) -> None:
    for _ in range(2):
        assert judged.assay("export", "run", "--to", "evalplus")[0] == 1
    assert judged.assay("export", "run", "--to", "evalplus", "-o", "out.json")[0] == 1
    status, _, err = judged.assay("export", "run", "--to", "evalplus", "-o", "out.json")
    assert status == 2
    assert "out.json is there already" in err
    assert "--overwrite" in err
    assert judged.assay("export", "run", "--to", "evalplus", "-o", "out.json", "--overwrite")[0] == 1


@pytest.mark.parametrize("name", ["samples.jsonl", "run/verdicts.jsonl", "run/../run/run.json"])
def test_what_the_export_is_made_of_is_never_overwritten(judged, name) -> None:
    before = Path(name).read_bytes()
    status, _, err = judged.assay("export", "run", "--to", "human-eval", "-o", name, "--overwrite")
    assert status == 2
    assert "is what the export is made of" in err
    assert Path(name).read_bytes() == before
    assert judged.assay("export", "run", "--to", "human-eval", "-o", "run")[0] == 2


def test_a_sample_file_that_has_gone_changed_or_moved_is_told_apart(judged) -> None:
    Path("samples.jsonl").rename("moved.jsonl")
    status, _, err = judged.assay("export", "run", "--to", "human-eval")
    assert status == 2
    assert "No such file" in err
    assert "--samples PATH" in err
    assert judged.assay("export", "run", "--to", "human-eval", "--samples", "moved.jsonl")[0] == 1
    judged.samples(("a", "right"), ("a", "weak"), ("a", "broken"), ("b", "wrong"), ("b", "wrong"))
    status, _, err = judged.assay("export", "run", "--to", "human-eval")
    assert status == 2
    assert "does not hold the samples that run has judged" in err


def test_samples_that_were_skipped_or_left_out_stay_out(folder) -> None:
    lines = [{"problem_id": name, "solution": "right"} for name in ("a", "nobody", "b", "a")]
    Path("samples.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    folder.judge("--skip-bad-rows", "--limit", "1")
    status, _, _ = folder.assay("export", "run", "--to", "human-eval")
    assert status == 0
    assert [row["task_id"] for row in rows("run/samples.jsonl_results.jsonl")] == ["a", "a"]


def test_what_is_no_whole_program_needs_the_problems_for_evalplus(folder) -> None:
    lines = [{"problem_id": "a", "text": "```python\nx = 1\n```"}, {"problem_id": "b", "completion": "right"}]
    Path("samples.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    folder.judge()
    Path("problems.jsonl").rename("moved.jsonl")
    status, _, err = folder.assay("export", "run", "--to", "evalplus")
    assert status == 2
    assert "sample 0 of a is no whole program but a chat" in err
    assert "--data PATH" in err
    assert not Path("run/eval_results.json").exists()
    assert folder.assay("export", "run", "--to", "evalplus", "--data", "moved.jsonl")[0] == 0
    found = json.loads(Path("run/eval_results.json").read_text())["eval"]
    assert found["a"][0]["solution"] == "x = 1\n"
    assert found["b"][0]["solution"] == "right"
    assert folder.assay("export", "run", "--to", "human-eval")[0] == 0
    assert [set(row) - {"task_id", "result", "passed"} for row in rows("run/samples.jsonl_results.jsonl")] == [
        {"text"},
        {"completion"},
    ]


def test_other_problems_than_those_of_the_run_are_refused(judged) -> None:
    Path("other.jsonl").write_text(Path("problems.jsonl").read_text().replace("== 1", "== 2"))
    status, _, err = judged.assay("export", "run", "--to", "evalplus", "--data", "other.jsonl")
    assert status == 2
    assert "other.jsonl: not the problems that the run was judged with" in err


def test_the_problems_of_the_embedded_set_are_at_hand(folder) -> None:
    Path("samples.jsonl").write_text(json.dumps({"problem_id": "basics/1", "text": "```\nx = 1\n```"}) + "\n")
    folder.assay("judge", "basics", "samples.jsonl", "-o", "run")
    assert folder.assay("export", "run", "--to", "evalplus")[0] == 0
    assert json.loads(Path("run/eval_results.json").read_text())["eval"]["basics/1"][0]["solution"] == "x = 1\n"


def test_a_file_that_counts_by_the_order_of_the_data_is_exported_too(folder) -> None:
    Path("generations.json").write_text(json.dumps([["right", "wrong"], ["weak"]]))
    folder.assay("judge", "problems.jsonl", "generations.json", "-o", "run")
    assert folder.assay("export", "run", "--to", "human-eval")[0] == 0
    found = rows("run/generations.json_results.jsonl")
    assert [(row["task_id"], row["passed"]) for row in found] == [("a", True), ("a", False), ("b", False)]
    folder.assay("judge", "problems.jsonl", "generations.json", "--limit", "1", "-o", "few")
    status, _, err = folder.assay("export", "few", "--to", "human-eval")
    assert status == 2
    assert "--data PATH" in err
    assert folder.assay("export", "few", "--to", "human-eval", "--data", "problems.jsonl")[0] == 0
    assert len(rows("few/generations.json_results.jsonl")) == 2


def test_samples_that_came_through_a_pipe_must_be_named(judged) -> None:
    path = Path("run/run.json")
    path.write_text(path.read_text().replace('"samples": "samples.jsonl"', '"samples": "-"'))
    status, _, err = judged.assay("export", "run", "--to", "human-eval")
    assert status == 2
    assert "the samples came through a pipe" in err
    assert judged.assay("export", "run", "--to", "human-eval", "--samples", "samples.jsonl")[0] == 1
    assert Path("run/samples.jsonl_results.jsonl").exists()


def test_a_folder_that_is_no_run_and_a_form_that_is_not_known_are_named(judged) -> None:
    assert "holds no run" in judged.assay("export", ".", "--to", "evalplus")[2]
    status, _, err = judged.assay("export", "run", "--to", "inspect")
    assert status == 2
    assert "human-eval" in err


def test_lm_evals_log_goes_into_the_run_with_a_row_a_problem(judged) -> None:
    status, _, err = judged.assay("export", "run", "--to", "lm-eval")
    assert status == 1
    (path,) = Path("run").glob("samples_problems_*.jsonl")
    assert f"{path}: 4 samples of 2 problems" in err
    found = rows(str(path))
    assert [(row["doc"]["task_id"], row["doc"]["prompt"], row["pass@1"]) for row in found] == [
        ("a", "?", 0.5),
        ("b", "?", 0.5),
    ]


def test_parquet_goes_into_a_file_and_not_to_stdout(judged) -> None:
    status, _, _ = judged.assay("export", "run", "--to", "parquet")
    assert status == 1
    assert Path("run/verdicts.parquet").read_bytes()[:4] == b"PAR1"
    status, out, err = judged.assay("export", "run", "--to", "parquet", "-o", "-")
    assert (status, out) == (2, "")
    assert "--output verdicts.parquet" in err


def test_prompts_are_left_out_where_the_problems_are_gone(judged) -> None:
    Path("problems.jsonl").unlink()
    status, out, _ = judged.assay("export", "run", "--to", "lm-eval", "-o", "-")
    assert status == 1
    assert [json.loads(line)["doc"]["prompt"] for line in out.splitlines()] == ["", ""]
