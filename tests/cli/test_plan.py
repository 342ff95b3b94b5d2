from __future__ import annotations

import json


def test_a_plan_says_how_many_samples_and_problems_it_takes(folder) -> None:
    status, out, err = folder.assay("plan", "--problems", "974", "--p", "0.4", "--difference", "0.02")
    assert (status, err) == (0, "")
    assert "pass@1 over 974 problems if p = 0.4, spread 0.5, correlation 0.7; level 95%, power 80%" in out
    assert "No number of samples shows a difference of 0.02 with 974 problems" in out


def test_a_difference_within_reach_is_answered_with_a_number_of_samples(folder) -> None:
    _, out, _ = folder.assay("plan", "--problems", "974", "--p", "0.4", "--difference", "0.04")
    assert "A difference of 0.04 needs 2 samples of each of the 974 problems." in out


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


def test_a_number_of_problems_that_no_benchmark_has_is_refused(folder) -> None:
    for number in ("99999999999999999999", "0"):
        status, out, err = folder.assay("plan", "--problems", number, "--p", "0.5")
        assert (status, out) == (2, "")
        assert f"--problems {number} is out of range\nhint: give a whole number from 1 to 10000000" in err
