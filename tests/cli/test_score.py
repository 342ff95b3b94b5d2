from __future__ import annotations

import json

PATHS = ("data", "data_path", "samples_path")


def test_scoring_again_with_another_k_needs_no_judging(folder) -> None:
    folder.samples(*[("a", "right")] * 2, *[("a", "wrong")] * 8, *[("b", "wrong")] * 10)
    folder.judge()
    folder.engine.judged.clear()
    status, out, _ = folder.assay("score", "run", "-k", "10,1,1", "--json")
    found = json.loads(out)
    names = [each["name"] for each in found["estimates"] if each["tests"] == "all"]
    values = [each["value"] for each in found["estimates"] if each["tests"] == "all"]
    assert status == 0
    assert folder.engine.judged == []
    assert names == ["pass@1", "pass@10", "mean_fraction"]
    assert values[:2] == [0.1, 0.5]
    assert found["outcomes"] == {"passed": 2, "wrong_answer": 18}
    assert found["trust"] == {"anchored": 20}
    assert set(found["estimates"][0]) >= {
        "name",
        "tests",
        "value",
        "low",
        "high",
        "problems",
        "samples",
        "method",
        "reason",
    }


def test_the_usual_k_are_those_that_every_problem_has_samples_for(folder) -> None:
    folder.samples(*[("a", "right")] * 10, *[("b", "wrong")] * 10)
    _, out, _ = folder.judge("--json")
    assert {each["name"] for each in json.loads(out)["estimates"]} == {"pass@1", "pass@10", "mean_fraction"}


def test_too_few_samples_give_a_null_that_says_why(folder) -> None:
    folder.samples(("a", "right"), ("b", "right"))
    folder.judge()
    _, out, _ = folder.assay("score", "run", "-k", "5")
    assert "undefined: too few samples for a, b" in out


def test_a_sample_without_a_verdict_makes_the_exit_status_1(folder) -> None:
    folder.samples(("a", "broken"), ("b", "right"))
    folder.judge()
    status, out, _ = folder.assay("score", "run")
    assert status == 1
    assert "undefined: no verdict for a (1 sample)" in out


def test_a_folder_that_is_no_run_is_named(folder) -> None:
    status, _, err = folder.assay("score", "nowhere")
    assert status == 2
    assert "nowhere holds no run" in err
    assert "hint:" in err


def test_numbers_that_cannot_be_kept_are_shown_all_the_same(folder) -> None:
    folder.samples(("a", "right"), ("b", "right"))
    folder.judge()
    (folder.path / "run" / "estimates.json").unlink()
    (folder.path / "run" / "estimates.json").mkdir()
    status, out, err = folder.assay("score", "run")
    assert status == 0
    assert "1.0000" in out
    assert err.startswith("warning: these numbers are not kept: run/estimates.json is not a regular file")


def test_reasons_stand_below_the_table_once_for_all_that_they_concern(folder) -> None:
    folder.samples(("a", "right"))
    folder.judge()
    _, out, _ = folder.assay("score", "run")
    assert out.count("no samples for b") == 1
    assert (
        "\npass@1 (all), mean_fraction (all), pass@1 (base), mean_fraction (base): undefined: no samples for b\n" in out
    )


def test_several_k_as_several_words_are_answered_with_the_right_form(folder) -> None:
    status, _, err = folder.assay("score", "run", "-k", "1", "10")
    assert status == 2
    assert "-k 1,10" in err


def test_flaky_samples_and_doubtful_time_limits_are_counted(folder) -> None:
    folder.samples(("a", "flaky"), ("a", "torn"), ("a", "slow"), ("b", "right"))
    _, out, _ = folder.judge()
    assert "flaky: 2 samples had several outcomes in 3 trials, 1 of them passed in some\n" in out
    assert "unconfirmed: 1 time limit may be due to other work on the machine: judge again on a less busy one" in out
    _, out, _ = folder.assay("score", "run", "--json")
    found = json.loads(out)
    assert [found[key] for key in ("trials", "flaky", "flaky_passed_in_some", "time_limits_unconfirmed")] == [
        3,
        2,
        1,
        1,
    ]


def test_special_cased_samples_are_counted(folder) -> None:
    folder.samples(("a", "table"), ("a", "right"), ("b", "table"))
    _, out, _ = folder.judge()
    assert "special-cased: 2 samples pass the tests but would not pass many others" in out
    _, out, _ = folder.assay("score", "run", "--json")
    assert json.loads(out)["special_cased"] == 2


def test_nothing_is_said_of_doubts_where_there_are_none(folder) -> None:
    folder.samples(("a", "right"), ("b", "wrong"))
    _, out, _ = folder.judge()
    assert "flaky" not in out
    assert "unconfirmed" not in out
    assert "special" not in out


def test_what_a_number_can_be_without_its_missing_verdicts_is_shown(folder) -> None:
    folder.samples(("a", "broken"), ("b", "right"))
    folder.judge()
    _, out, _ = folder.assay("score", "run")
    assert "0.500 to 1.000 (bounds)" in out
    _, out, _ = folder.assay("score", "run", "--missing", "skip")
    assert "pass@1 (all): between 0.5000 and 1.0000, whatever the missing samples would have been" in out


def test_other_metrics_are_shown_as_asked(folder) -> None:
    folder.samples(*[("a", "right")] * 2, ("a", "weak"), *[("b", "wrong")] * 3)
    folder.judge()
    _, out, _ = folder.assay("score", "run", "-k", "3", "--metrics", "maj@k,best@k,pass^k", "--json")
    found = {each["name"]: each["value"] for each in json.loads(out)["estimates"] if each["tests"] == "all"}
    assert found == {"pass^3": 0.0, "maj@3": 0.5, "best@3": 1 / 3}


def test_an_unknown_metric_is_refused_before_anything_is_read(folder) -> None:
    status, out, err = folder.assay("score", "nowhere", "--metrics", "pass@l")
    assert (status, out) == (2, "")
    assert "did you mean pass@k?" in err


def test_what_base_tests_hide_is_told_in_words(folder) -> None:
    folder.samples(("a", "right"), ("b", "weak"))
    folder.judge()
    _, out, _ = folder.assay("score", "run")
    assert "pass@1: 1.0000 by base tests alone, 0.5000 by all: the others take 0.5000" in out


def test_groups_by_difficulty_and_by_outcome_need_no_problems(folder) -> None:
    folder.samples(*[("a", "right")] * 2, ("b", "right"), ("b", "wrong"))
    folder.judge()
    (folder.path / "problems.jsonl").unlink()
    _, out, _ = folder.assay("score", "run", "--by", "difficulty", "--json")
    assert [(each["by"], each["name"]) for each in json.loads(out)["groups"]] == [
        ("difficulty", "up to 3 in 4"),
        ("difficulty", "always solved"),
    ]
    _, out, _ = folder.assay("score", "run", "--by", "outcome")
    assert "share of passed" in out


def test_groups_by_tag_read_the_problems_and_refuse_others(folder) -> None:
    rows = [json.loads(line) for line in (folder.path / "problems.jsonl").read_text().splitlines()]
    rows[0]["tags"] = ["lists", "easy"]
    (folder.path / "problems.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    folder.samples(("a", "right"), ("b", "wrong"))
    folder.judge()
    _, out, _ = folder.assay("score", "run", "--by", "tag", "--data", "problems.jsonl", "--json")
    assert {each["name"]: each["estimates"][0]["value"] for each in json.loads(out)["groups"]} == {
        "easy": 1.0,
        "lists": 1.0,
        "none": 0.0,
    }
    (folder.path / "problems.jsonl").rename(folder.path / "moved.jsonl")
    status, _, err = folder.assay("score", "run", "--by", "tag")
    assert status == 2
    assert "hint: name the file of its problems: --data PATH" in err
    (folder.path / "problems.jsonl").write_text(json.dumps(rows[0]) + "\n")
    status, _, err = folder.assay("score", "run", "--by", "tag", "--data", "problems.jsonl")
    assert status == 2
    assert "not the problems that the run was judged with" in err


def test_likeness_to_the_reference_stands_beside_what_running_showed(folder) -> None:
    folder.samples(("a", "right"), ("a", "wrong"), ("b", "def f(x):\n    return x"))
    folder.judge()
    _, out, _ = folder.assay("score", "run", "--text", "--data", "problems.jsonl", "--json")
    found = {each["name"]: each for each in json.loads(out)["text"]}
    assert found["exact_match"]["value"] == 0.5
    assert (found["exact_match"]["problems"], found["exact_match"]["samples"]) == (2, 3)
    _, out, _ = folder.assay("score", "run", "--text", "--data", "problems.jsonl")
    assert "likeness to the reference" in out
    assert folder.assay("score", "run", "--text")[1] == out  # the run knows where its problems lie
    (folder.path / "problems.jsonl").unlink()
    status, _, err = folder.assay("score", "run", "--text")
    assert status == 2
    assert (
        "a run does not hold the references of its problems, and the problems of problems.jsonl are not at hand" in err
    )
    assert "hint: name the file of its problems: --data PATH" in err


def test_invalid_problems_have_no_share_in_outcomes(folder) -> None:
    folder.samples(("a", "right"), ("b", "right"))
    folder.judge()
    path = folder.path / "run" / "run.json"
    manifest = json.loads(path.read_text())
    manifest["invalid"] = [{"id": "b", "reason": "found later", "split": None, "fault": "tests"}]
    path.write_text(json.dumps(manifest))
    _, out, _ = folder.assay("score", "run", "--by", "outcome", "--json")
    shares = json.loads(out)["groups"][0]["estimates"]
    assert [(each["name"], each["problems"]) for each in shares] == [("share of passed", 1)]


def test_the_ways_in_which_code_was_found_are_counted(folder) -> None:
    folder.samples(("a", "right"), ("a", "found"), ("b", "found"))
    folder.judge()
    _, out, _ = folder.assay("score", "run", "--json")
    assert json.loads(out)["how_extracted"] == {"lines + reasoning": 2, "unknown": 1}
    _, text, _ = folder.assay("score", "run")
    assert "code found by" in text
    assert "lines + reasoning" in text


def test_where_no_code_had_to_be_looked_for_there_is_no_table_of_ways(folder) -> None:
    folder.samples(("a", "right"), ("b", "right"))
    _, text, _ = folder.judge()
    assert "code found by" not in text


def test_base_tests_that_hide_nothing_are_not_told_of(folder) -> None:
    folder.samples(("a", "right"), ("b", "wrong"))
    _, out, _ = folder.judge()
    assert "by base tests alone" not in out


def test_the_first_special_cased_samples_are_named_whatever_the_order_of_rows(folder) -> None:
    folder.samples(("b", "table"), ("a", "right"), *[("a", "table")] * 5)
    _, out, _ = folder.judge()
    assert "would not pass many others: a #1, a #2, a #3, a #4, a #5 and 1 more (fields" in out


def test_where_no_sample_was_judged_there_are_no_empty_tables(folder) -> None:
    folder.samples(("a", "invalid"), ("b", "invalid"))
    folder.judge()
    _, out, _ = folder.assay("score", "run")
    assert "outcome" not in out
    assert "trust" not in out


def test_a_run_knows_where_its_problems_and_samples_lie_from_any_folder(folder, monkeypatch) -> None:
    rows = (folder.path / "problems.jsonl").read_text().splitlines()
    tagged = [json.loads(row) | {"tags": [tag], "split": "test"} for row, tag in zip(rows, ("x", "y"), strict=True)]
    (folder.path / "problems.jsonl").write_text("".join(json.dumps(row) + "\n" for row in tagged))
    folder.samples(("a", "right"), ("b", "wrong"))
    folder.judge()
    elsewhere = folder.path / "elsewhere" / "deep"
    elsewhere.mkdir(parents=True)
    monkeypatch.chdir(elsewhere)
    for words in (("--by", "tag"), ("--by", "split"), ("--text",)):
        status, out, err = folder.assay("score", "../../run", *words, "--json")
        assert (status, err) == (0, "")
        assert json.loads(out)["text" if words == ("--text",) else "groups"]
    assert folder.assay("export", "../../run", "--to", "evalplus", "-o", "-")[0] == 0
    assert "not shown" not in folder.assay("report", "../../run")[2]


def test_a_named_set_that_was_read_from_a_file_is_read_from_it_again(folder, monkeypatch) -> None:
    row = {"task_id": 11, "text": "?", "code": "def f(x):\n    return x", "test_list": ["assert f(1) == 1"]}
    row |= {"test_setup_code": "", "challenge_test_list": []}
    (folder.path / "mbpp.jsonl").write_text(json.dumps(row) + "\n")
    (folder.path / "samples.jsonl").write_text('{"problem_id": 11, "solution": "right"}\n')
    folder.assay("judge", "mbpp", "samples.jsonl", "--data", "mbpp.jsonl", "-o", "run")
    (folder.path / "elsewhere").mkdir()
    monkeypatch.chdir(folder.path / "elsewhere")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    status, out, _ = folder.assay("score", "../run", "--by", "split", "--json")
    assert (status, {each["name"] for each in json.loads(out)["groups"]}) == (0, {"test"})
    (folder.path / "mbpp.jsonl").write_text(json.dumps(row | {"text": "!"}) + "\n")
    status, _, err = folder.assay("score", "../run", "--by", "split")
    assert status == 2
    assert "mbpp.jsonl, that was judged, holds others now" in err
    assert "--data PATH" in err


def test_a_run_of_an_earlier_release_reads_on(folder) -> None:
    folder.samples(("a", "right"), ("b", "wrong"))
    _, out, _ = folder.judge()
    path = folder.path / "run" / "run.json"
    told = {name: value for name, value in json.loads(path.read_text()).items() if name not in PATHS}
    path.write_text(json.dumps(told))
    assert folder.assay("score", "run") == (0, out, "")
    assert folder.assay("score", "run", "--text")[0] == 0
    assert folder.judge()[0] == 0
