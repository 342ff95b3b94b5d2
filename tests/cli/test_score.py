from __future__ import annotations

import json


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
    assert err.startswith("warning: these numbers are not kept: run/estimates.json: can't write it")


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
