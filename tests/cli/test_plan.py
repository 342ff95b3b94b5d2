from __future__ import annotations

import json


def test_a_plan_says_how_many_samples_and_problems_it_takes(folder) -> None:
    status, out, err = folder.assay("plan", "--problems", "974", "--p", "0.4", "--difference", "0.02")
    assert (status, err) == (0, "")
    assert "pass@1 over 974 problems if p = 0.4, spread 0.5, correlation 0.7; level 95%, power 80%" in out
    assert "No number of samples shows a difference of 0.02 with 974 problems" in out


def test_a_difference_within_reach_is_answered_with_a_number_of_samples(folder) -> None:
    _, out, _ = folder.assay("plan", "--problems", "974", "--p", "0.4", "--difference", "0.04")
    assert "A difference of 0.04 needs 2 samples of each of 974 problems." in out


def test_without_a_difference_it_shows_widths_alone(folder) -> None:
    status, out, _ = folder.assay("plan", "--problems", "164", "--p", "0.8", "-k", "10", "-n", "10,100", "--json")
    found = json.loads(out)
    assert status == 0
    assert [row["samples"] for row in found["precision"]] == [10, 100]
    assert found["precision"][0]["half_width"] > found["precision"][1]["half_width"] > 0
    assert (found["samples_needed"], found["precision"][0]["problems_needed"]) == (None, None)


def test_fewer_samples_than_k_are_never_offered(folder) -> None:
    _, out, _ = folder.assay("plan", "--problems", "164", "--p", "0.8", "-k", "500", "--json")
    assert [row["samples"] for row in json.loads(out)["precision"]] == [500]


def test_an_impossible_outlook_is_refused(folder) -> None:
    status, out, err = folder.assay("plan", "--problems", "164", "--p", "1.5")
    assert (status, out) == (2, "")
    assert "p is 1.5" in err
    assert "hint: it must be between 0 and 1" in err


def test_as_json_it_holds_the_curve_that_a_figure_is_drawn_through(folder) -> None:
    _, out, _ = folder.assay("plan", "--problems", "164", "--p", "0.4", "-n", "1,20", "--json")
    found = json.loads(out)
    rows = {row["samples"]: row for row in found["precision"]}
    curve = {row["samples"]: row for row in found["curve"]}
    assert (min(curve), max(curve)) == (1, 20)
    for name in ("half_width", "detectable"):
        widths = [curve[n][name] for n in sorted(curve)]
        assert widths == sorted(widths, reverse=True)
        assert (curve[1][name], curve[20][name]) == (rows[1][name], rows[20][name])
        assert found["least"][name] < widths[-1]


def test_what_no_number_of_samples_goes_below_is_said(folder) -> None:
    _, out, _ = folder.assay("plan", "--problems", "974", "--p", "0.4")
    assert "However many samples: an interval of +- 0.0251, a difference shown from 0.0278." in out


def test_the_figure_is_an_svg_file_that_is_made_anew_and_replaces_nothing_else(folder) -> None:
    status, out, err = folder.assay("plan", "--problems", "974", "--p", "0.4", "--figure", "plan.svg")
    assert (status, "interval +-" in out, "plan.svg" in err) == (0, True, True)
    first = (folder.path / "plan.svg").read_text()
    assert "pass@1 over 974 problems" in first
    assert folder.assay("plan", "--problems", "10", "--p", "0.4", "--figure", "plan.svg")[0] == 0
    assert "pass@1 over 10 problems" in (folder.path / "plan.svg").read_text()
    (folder.path / "mine.svg").write_text("<svg/>")
    status, out, err = folder.assay("plan", "--problems", "10", "--p", "0.4", "--figure", "mine.svg")
    assert (status, out) == (2, "")
    assert "mine.svg is there already, and is no figure of assay plan" in err
    assert (folder.path / "mine.svg").read_text() == "<svg/>"
    status, _, err = folder.assay("plan", "--problems", "10", "--p", "0.4", "--figure", ".")
    assert (status, "--figure . is a folder" in err) == (2, True)


def test_one_of_a_thing_is_not_called_several(folder) -> None:
    _, out, _ = folder.assay("plan", "--problems", "974", "--p", "0.4", "--difference", "0.2")
    assert out.endswith("A difference of 0.2 needs 1 sample of each of 974 problems.\n")


def test_a_plan_fits_a_narrow_terminal(folder, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    _, out, _ = folder.assay("plan", "--problems", "974", "--p", "0.4", "--difference", "0.02")
    assert max(map(len, out.splitlines())) <= 60


def test_a_number_of_problems_that_no_benchmark_has_is_refused(folder) -> None:
    for number in ("99999999999999999999", "0"):
        status, out, err = folder.assay("plan", "--problems", number, "--p", "0.5")
        assert (status, out) == (2, "")
        assert f"--problems {number} is out of range\nhint: give a whole number from 1 to 10000000" in err
