from __future__ import annotations

import json

import msgspec
import pytest

from assay.benchmarks import LimitsFile, limits_text, load
from assay.records import Isolation


def test_the_numbers_go_to_stdout_and_everything_else_to_stderr(folder) -> None:
    folder.samples(("a", "right"), ("a", "wrong"), ("b", "right"), ("b", "weak"))
    status, out, err = folder.judge("--json")
    assert status == 0
    found = {(each["name"], each["tests"]): each["value"] for each in json.loads(out)["estimates"]}
    assert found["pass@1", "all"] == 0.5
    assert found["pass@1", "base"] == 0.75
    assert "4 of 4 samples" in err


def test_verdicts_and_manifest_are_in_the_run_folder(folder) -> None:
    folder.samples(("a", "right"), ("b", "wrong"))
    folder.judge("--workers", "3", "--timeout", "2.5")
    assert [row["outcome"] for row in folder.rows()] == ["passed", "wrong_answer"]
    manifest = json.loads((folder.path / "run" / "run.json").read_text())
    assert manifest["expected"] == {"a": 1, "b": 1}
    assert manifest["settings"]["time_s"] == 2.5
    assert manifest["isolation"]["level"] == "L4"
    assert (folder.path / "run" / "estimates.json").exists()


def test_the_same_command_again_judges_only_what_is_new(folder) -> None:
    folder.samples(("a", "right"), ("b", "broken"))
    assert folder.judge()[0] == 1
    folder.samples(("a", "right"), ("b", "right"), ("b", "wrong"))
    folder.engine.judged.clear()
    status, out, _ = folder.judge("--json")
    assert status == 0
    assert folder.engine.judged == [("b", 0), ("b", 1)]
    assert json.loads(out)["estimates"][0]["value"] == 0.75


def test_a_sample_whose_text_changed_is_judged_again(folder) -> None:
    folder.samples(("a", "wrong"), ("b", "right"))
    folder.judge()
    folder.samples(("a", "right"), ("b", "right"))
    folder.engine.judged.clear()
    _, out, err = folder.judge("--json")
    assert folder.engine.judged == [("a", 0)]
    assert json.loads(out)["estimates"][0]["value"] == 1.0
    assert "2 of 2 samples" in err


def test_ctrl_c_keeps_what_was_done_and_says_how_to_go_on(folder) -> None:
    folder.samples(("a", "right"), ("b", "stop"))
    status, out, err = folder.judge()
    assert (status, out) == (130, "")
    assert "the same command goes on" in err
    assert [row["problem_id"] for row in folder.rows()] == ["a"]


def test_other_conditions_are_refused_unless_the_run_begins_again(folder) -> None:
    folder.samples(("a", "right"), ("b", "right"))
    folder.judge()
    folder.engine.isolation = Isolation(level="L2", layers=("landlock",))
    status, _, err = folder.judge()
    assert status == 2
    assert "isolation.level: 'L4' there, 'L2' now" in err
    assert folder.judge("--fresh")[0] == 0


def test_a_stream_of_verdicts_goes_to_stdout_and_no_folder_is_made(folder) -> None:
    folder.samples(("a", "right"), ("b", "weak"))
    status, out, err = folder.assay("judge", "problems.jsonl", "samples.jsonl", "-o", "-")
    assert status == 0
    assert [json.loads(line)["outcome"] for line in out.splitlines()] == ["passed", "wrong_answer"]
    assert "2 of 2 samples" in err
    assert sorted(path.name for path in folder.path.iterdir()) == ["problems.jsonl", "samples.jsonl"]


def test_problems_without_samples_make_the_number_null_until_the_user_decides(folder) -> None:
    folder.samples(("a", "right"))
    _, out, err = folder.judge("--json")
    estimate = json.loads(out)["estimates"][0]
    assert estimate["value"] is None
    assert estimate["reason"] == "undefined: no samples for b"
    assert "1 of 2 problems has no samples: b" in err
    assert json.loads(folder.judge("--json", "--missing", "fail")[1])["estimates"][0]["value"] == 0.5
    assert json.loads(folder.judge("--json", "--missing", "skip")[1])["estimates"][0]["value"] == 1.0


def test_a_number_that_problems_without_samples_leave_open_comes_with_ways_out(folder) -> None:
    told = "--missing fail counts problems without samples as failed, --missing skip leaves them out"
    folder.samples(("a", "right"))
    out = " ".join(folder.judge()[1].split())
    assert told in out
    assert "--split" not in out
    assert told not in " ".join(folder.judge("--missing", "skip")[1].split())
    rows = map(json.loads, (folder.path / "problems.jsonl").read_text().splitlines())
    split = [row | {"split": name} for row, name in zip(rows, ("test", "train"), strict=True)]
    (folder.path / "problems.jsonl").write_text("".join(json.dumps(row) + "\n" for row in split))
    _, out, _ = folder.judge("--fresh")
    assert "judge them with --split test, into another folder" in " ".join(out.split())
    folder.samples(("a", "right"), ("b", "right"))
    assert "hint:" not in folder.judge()[1]


def test_a_limit_leaves_problems_out_and_the_number_is_over_the_rest(folder) -> None:
    folder.samples(("a", "right"), ("b", "wrong"))
    _, out, err = folder.judge("--json", "--limit", "1")
    assert json.loads(out)["estimates"][0]["value"] == 1.0
    assert "1 row for problems that the split or limit leaves out" in err


def test_bad_rows_are_listed_before_anything_runs(folder) -> None:
    (folder.path / "samples.jsonl").write_text(
        '{"problem_id": "a", "solution": "right"}\n{"problem_id": "a"}\nnot json\n'
    )
    status, _, err = folder.judge()
    assert status == 2
    assert "line 2:" in err
    assert "line 3:" in err
    assert "hint:" in err
    assert folder.engine.judged == []
    assert folder.judge("--skip-bad-rows")[0] == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--workers", "-1"), "--workers -1 is out of range"),
        (("--timeout", "0"), "--timeout 0 is out of range"),
        (("--timeout", "nan"), "--timeout nan is out of range"),
        (("--memory", "1"), "--memory 1 is out of range"),
        (("-k", "0"), "'0' is not a positive whole number"),
        (("-k", "1,x"), "'x' is not a positive whole number"),
        (("--missing", "ignore"), 'Choose from: "fail", "skip"'),
        (("--wrokers", "1"), "Did you mean --workers?"),
        (("--split", "test"), "has no split 'test'"),
        (("--data", "problems.jsonl"), "leave data out"),
    ],
)
def test_a_flag_that_cannot_be_used_is_named_with_its_value_and_a_hint(folder, words, message) -> None:
    folder.samples(("a", "right"))
    status, out, err = folder.judge(*words)
    assert (status, out) == (2, "")
    assert message in err
    assert "hint:" in err
    assert "Traceback" not in err
    assert folder.engine.judged == []


def test_every_verdict_row_has_the_promised_fields(folder) -> None:
    folder.samples(("a", "weak"), ("b", "right"))
    folder.judge()
    promised = "problem_id sample_index outcome passed_cases total_cases groups trust time_s message job_digest".split()
    assert all(set(promised) <= row.keys() for row in folder.rows())
    assert msgspec.json.decode((folder.path / "run" / "run.json").read_bytes())["schema"] == 1


def test_a_problem_found_invalid_is_counted_once_and_its_samples_are_not_waited_for(folder) -> None:
    folder.samples(("a", "right"), ("b", "invalid"), ("b", "right"))
    status, out, err = folder.judge()
    assert status == 0
    assert out.startswith("problems.jsonl: 1 of 2 problems, 1 invalid, 1 sample,")
    assert "1 of 1 sample," in err
    assert json.loads((folder.path / "run" / "run.json").read_text())["problems"] == 2
    assert folder.assay("score", "run")[1] == out


def test_a_problem_that_reading_found_invalid_is_one_of_the_total(folder) -> None:
    with (folder.path / "problems.jsonl").open("a") as file:
        file.write('{"id": "c", "prompt": "?", "entry_point": "f", "tests": ["assert ("]}\n')
    folder.samples(("a", "right"), ("b", "right"))
    assert folder.judge()[1].startswith("problems.jsonl: 2 of 3 problems, 1 invalid, 2 samples,")


def test_what_was_judged_before_is_shown_as_done_with_its_passes_though_rows_changed(folder) -> None:
    folder.samples(("a", "right"), ("a", "wrong"), ("a", "right"), ("b", "right"))
    folder.judge()
    folder.samples(("a", "wrong"), ("a", "wrong"), ("a", "right"), ("b", "right"), ("b", "wrong"))
    _, _, err = folder.judge()
    assert "5 of 5 samples" in err
    assert "2 passed" in err
    assert folder.judge()[2] == "5 of 5 samples, 2 passed, nothing was left to judge\n"


def test_an_error_before_the_start_stands_alone(folder) -> None:
    folder.samples(("a", "right"), ("b", "right"))
    folder.judge()
    _, _, err = folder.judge("--timeout", "3")
    assert err.startswith("error: run holds a run under other conditions")


def test_a_file_without_samples_is_a_mistake(folder) -> None:
    folder.samples()
    status, out, err = folder.judge()
    assert (status, out) == (2, "")
    assert err.startswith("error: samples.jsonl: nothing to judge\n  there are no samples")
    assert "hint:" in err
    assert not (folder.path / "run").exists()


def test_a_file_of_samples_for_other_problems_says_so(folder) -> None:
    folder.samples(("b", "right"))
    status, _, err = folder.judge("--limit", "1")
    assert status == 2
    assert "1 row for problems that the split or limit leaves out" in err


def test_where_every_problem_is_invalid_there_is_nothing_to_miss(folder) -> None:
    (folder.path / "problems.jsonl").write_text(
        '{"id": "c", "prompt": "?", "entry_point": "f", "tests": ["assert ("]}\n'
    )
    (folder.path / "samples.jsonl").write_text('{"problem_id": "c", "solution": "right"}\n')
    status, out, _ = folder.judge()
    assert status == 0
    assert "0 of 1 problem, 1 invalid" in out


def test_limits_of_a_file_are_declared_in_the_manifest_and_a_run_goes_on_only_under_the_same(folder) -> None:
    digest = load(str(folder.path / "problems.jsonl")).digest
    file = LimitsFile(benchmark="problems.jsonl", digest=digest, limits={"b": {"time_s": 20.0}})
    (folder.path / "limits.json").write_bytes(limits_text(file))
    folder.samples(("a", "right"), ("b", "right"))
    assert folder.judge("--limits", "limits.json")[0] == 0
    manifest = json.loads((folder.path / "run" / "run.json").read_text())
    assert manifest["limits"] == {"b": {"time_s": 20.0}}
    assert folder.judge("--limits", "limits.json")[0] == 0
    status, _, err = folder.judge()
    assert status == 2
    assert "limits of problem b: {'time_s': 20.0} there, {} now" in err


def test_trials_and_equality_are_conditions_of_a_run_and_confirming_is_none(folder) -> None:
    folder.samples(("a", "right"), ("b", "wrong"))
    folder.judge("--trials", "3", "--equality", "lenient")
    settings = json.loads((folder.path / "run" / "run.json").read_text())["settings"]
    assert (settings["trials"], settings["equality"], settings["confirm"]) == (3, "lenient", True)
    status, _, err = folder.judge("--equality", "lenient")
    assert status == 2
    assert "settings.trials: 3 there, 1 now" in err
    assert folder.judge("--trials", "3", "--equality", "lenient", "--unconfirmed")[0] == 0


def test_a_wrong_folder_loses_no_result(folder) -> None:
    folder.samples(("a", "right"), ("b", "right"))
    assert folder.judge()[0] == 0
    before = {path.name: path.read_bytes() for path in (folder.path / "run").iterdir()}
    (folder.path / "other.jsonl").write_text('{"problem_id": "a", "solution": "wrong"}\n')
    status, out, err = folder.assay("judge", "problems.jsonl", "other.jsonl", "-o", "run")
    assert (status, out) == (2, "")
    assert err.startswith("1 of 2 problems has no samples: b\nerror: run holds a run of other samples: of ")
    assert "hint: name another folder, or give --fresh" in err
    assert {path.name: path.read_bytes() for path in (folder.path / "run").iterdir()} == before
    (folder.path / "samples.jsonl").rename(folder.path / "renamed.jsonl")
    assert folder.assay("judge", "problems.jsonl", "renamed.jsonl", "-o", "run")[0] == 0
    assert folder.assay("judge", "problems.jsonl", "other.jsonl", "-o", "run", "--fresh", "--missing", "skip")[0] == 0


def test_the_same_name_in_another_folder_is_another_file(folder, monkeypatch) -> None:
    folder.samples(("a", "right"), ("b", "right"))
    folder.judge()
    elsewhere = folder.path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "samples.jsonl").write_text('{"problem_id": "a", "solution": "wrong"}\n')
    monkeypatch.chdir(elsewhere)
    status, _, err = folder.assay("judge", "../problems.jsonl", "samples.jsonl", "-o", "../run")
    assert (status, "holds a run of other samples" in err) == (2, True)


def test_a_file_in_the_place_of_the_run_folder_is_told_as_one(folder) -> None:
    folder.samples(("a", "right"))
    for output in ("samples.jsonl", "samples.jsonl/run"):
        status, _, err = folder.assay("judge", "problems.jsonl", "samples.jsonl", "-o", output)
        assert status == 2
        assert "error: samples.jsonl is a file, and a folder is wanted there\nhint: name another folder" in err
