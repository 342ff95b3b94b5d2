from __future__ import annotations

import json
import re

import pytest


def judge(folder, run: str, *letters: str) -> None:
    """A run of two problems, a and b; a letter a sample: r right, w wrong, k weak (base only), x broken."""
    words = {"r": "right", "w": "wrong", "k": "weak", "x": "broken"}
    folder.samples(*[(name, words[letter]) for name, word in zip("ab", letters, strict=False) for letter in word])
    folder.assay("judge", "problems.jsonl", "samples.jsonl", "-o", run)


def results(folder, name: str, **passed: bool) -> str:
    rows = [{"task_id": problem, "passed": value} for problem, value in passed.items()]
    (folder.path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return name


def many(passing: range, number: int = 100) -> dict[str, bool]:
    return {f"t{i}": i in passing for i in range(number)}


def test_two_runs_are_compared_problem_by_problem(folder) -> None:
    judge(folder, "one", "r", "w")
    judge(folder, "two", "r", "r")
    status, out, err = folder.assay("compare", "one", "two")
    assert (status, err) == (0, "")
    assert "B against A, pass@1: no difference shown (exact McNemar test, p = 1)" in out
    assert "  B better: 1 (b)" in out
    assert "  same: 1 (1 always solved by both, 0 never by either)" in out


def test_json_holds_the_runs_and_every_problem_that_differs(folder) -> None:
    judge(folder, "one", "rr", "ww")
    judge(folder, "two", "rw", "rw")
    status, out, _ = folder.assay("compare", "one", "two", "-k", "1,2", "--json")
    found = json.loads(out)
    assert status == 0
    assert [run["name"] for run in found["runs"]] == ["one", "two"]
    assert found["runs"][0]["benchmark_digest"] == found["runs"][1]["benchmark_digest"]
    assert [each["name"] for each in found["comparisons"]] == ["pass@1", "pass@2"]
    assert (found["comparisons"][0]["won"], found["comparisons"][0]["lost"]) == (["b"], ["a"])
    assert found["comparisons"][0]["test"] == "paired permutation test"


def test_the_tests_that_decide_can_be_chosen(folder) -> None:
    judge(folder, "one", "r", "k")
    judge(folder, "two", "r", "r")
    _, out, _ = folder.assay("compare", "one", "two", "--tests", "base", "--json")
    assert json.loads(out)["comparisons"][0]["tied"] == 2


def test_the_gate_fails_only_for_a_loss_that_is_large_enough_and_shown(folder) -> None:
    good = results(folder, "good.jsonl", **many(range(100)))
    slip = results(folder, "slip.jsonl", **many(range(4, 100)))
    fall = results(folder, "fall.jsonl", **many(range(20, 100)))
    assert folder.assay("compare", good, slip, "--fail-if-worse", "0.01")[0] == 0
    status, out, err = folder.assay("compare", good, fall, "--fail-if-worse", "0.01")
    assert status == 1
    assert err.startswith("gate: fall.jsonl fails against good.jsonl (pass@1): worse by 0.2000 (exact McNemar test")
    assert "B - A" in out
    assert folder.assay("compare", good, fall)[0] == 0
    assert folder.assay("compare", good, fall, "--fail-if-worse", "0.3")[0] == 0
    assert folder.assay("compare", fall, good, "--fail-if-worse", "0")[0] == 0


def test_a_gate_that_can_not_be_judged_fails(folder) -> None:
    one, two = results(folder, "one.jsonl", a=True), results(folder, "two.jsonl", a=True)
    status, _, err = folder.assay("compare", one, two, "-k", "5", "--fail-if-worse", "0.01")
    assert status == 1
    assert "gate: two.jsonl fails against one.jsonl (pass@5): undefined" in err


def test_problems_of_one_run_alone_are_named(folder) -> None:
    one = results(folder, "one.jsonl", **many(range(100)))
    two = results(folder, "two.jsonl", **many(range(96), 96))
    status, out, _ = folder.assay("compare", one, two)
    assert status == 0
    assert "  left out, not in B: 4 (t96, t97, t98, t99)" in out


def test_runs_without_a_common_problem_are_refused(folder) -> None:
    one, two = results(folder, "one.jsonl", a=True), results(folder, "two.jsonl", b=True)
    status, out, err = folder.assay("compare", one, two)
    assert (status, out) == (2, "")
    assert "one.jsonl and two.jsonl have no problem in common" in err


def test_other_data_are_told_and_only_the_same_ids_are_compared(folder) -> None:
    judge(folder, "one", "r", "r")
    rows = (folder.path / "problems.jsonl").read_text().replace("f(1) == 1", "f(2) == 2").splitlines()
    (folder.path / "problems.jsonl").write_text(rows[0] + "\n")
    folder.samples(("a", "wrong"))
    folder.assay("judge", "problems.jsonl", "samples.jsonl", "-o", "two")
    status, out, err = folder.assay("compare", "one", "two")
    assert status == 0
    assert "warning: two was judged on other data (problems.jsonl, digest " in err
    assert "  left out, not in B: 1 (b)" in out


def test_samples_without_a_verdict_are_told_and_make_the_exit_status_1(folder) -> None:
    judge(folder, "one", "r", "x")
    judge(folder, "two", "r", "r")
    status, out, err = folder.assay("compare", "one", "two")
    assert status == 1
    assert "warning: one: 1 sample without a verdict" in err
    assert "  left out, samples without a verdict: 1 (b)" in out


def test_several_runs_are_held_against_the_first_with_p_corrected(folder) -> None:
    names = [results(folder, f"{i}.jsonl", **many(range(10 * i, 100))) for i in range(3)]
    _, out, _ = folder.assay("compare", *names)
    assert "C against A, pass@1: worse by 0.2000" in out
    assert "corrected for several comparisons" in out
    assert "C against B" not in out
    _, out, _ = folder.assay("compare", *names, "--all-pairs")
    assert "C against B" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("one.jsonl", "one.jsonl"), "one.jsonl is named twice"),
        (("one.jsonl", "nowhere"), "nowhere holds no run"),
        (("one.jsonl", "two.jsonl", "--fail-if-worse", "5"), "--fail-if-worse 5.0 is not between 0 and 1"),
        (("one.jsonl", "two.jsonl", "-k", "x"), "-k x"),
    ],
)
def test_what_can_not_be_done_is_told_with_a_way_out(folder, words, told) -> None:
    results(folder, "one.jsonl", a=True)
    results(folder, "two.jsonl", a=True)
    status, out, err = folder.assay("compare", *words)
    assert (status, out) == (2, "")
    assert told in err
    assert "hint:" in err


def test_several_comparisons_say_what_is_corrected_and_what_is_not(folder) -> None:
    names = [results(folder, f"{i}.jsonl", **many(range(10 * i, 100))) for i in range(3)]
    _, out, _ = folder.assay("compare", *names)
    assert "   p (Holm)   " in out
    assert "p is corrected for 2 comparisons (Holm) and decides what is shown." in out
    assert "not corrected: it may leave out 0 where no difference is shown.\n" in out
    _, out, _ = folder.assay("compare", *names[:2])
    assert "Holm" not in out
    assert "not corrected" not in out


def test_a_narrow_terminal_keeps_numbers_and_intervals_whole(folder, monkeypatch) -> None:
    names = [results(folder, f"results-of-november-{i}.jsonl", **many(range(10 * i, 100))) for i in range(3)]
    for columns in (60, 80, 120):
        monkeypatch.setenv("COLUMNS", str(columns))
        _, out, _ = folder.assay("compare", *names)
        assert max(map(len, out.splitlines())) <= columns
        assert re.search(r"-0\.1000  +-0\.\d{3} to -0\.\d{3} ", out)
        assert re.search(r"-0\.2000  +-0\.\d{3} to -0\.\d{3} ", out)
