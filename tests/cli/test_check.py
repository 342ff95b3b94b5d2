from __future__ import annotations

import json

import pytest

from assay.cli.app import run
from assay.cli.findings import KINDS

GOOD = "def f(x):\n    return x"
SLOW = "import time\ndef f(x):\n    time.sleep(1.4)\n    return x"
ROWS = [
    {"id": "good", "prompt": "?", "reference": GOOD, "tests": ["assert f(1) == 1"]},
    {"id": "wrong", "prompt": "?", "reference": GOOD, "tests": ["assert f(1) == 2"]},
    {"id": "vacuous", "prompt": "?", "reference": GOOD, "tests": ["assert f(1) == 1", "assert True"]},
    {"id": "unread", "prompt": "?", "reference": GOOD, "tests": ["assert ("]},
    {"id": "unanswered", "prompt": "?", "entry_point": "f", "tests": ["assert f(1) == 1"]},
]


def check(tmp_path, rows: list[dict], capfd, *words: str) -> tuple[int, str, str]:
    path = tmp_path / "problems.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    status = run(["check", str(path), "--workers", "1", *words])
    return status, *capfd.readouterr()


def test_failing_references_vacuous_tests_and_invalid_problems_are_told_apart(tmp_path, capfd) -> None:
    status, out, _ = check(tmp_path, ROWS, capfd, "--json")
    found = json.loads(out)
    assert status == 1
    assert found["problems"] == 5
    assert found["references"] == {"passed": 2, "failed": ["wrong"], "trials": 2}
    assert found["vacuous"] == ["vacuous"]
    assert [problem["id"] for problem in found["invalid"]] == ["unread", "wrong"]
    assert all(problem["reason"] for problem in found["invalid"])


def test_the_json_has_a_list_of_ids_for_every_kind_and_all_details(tmp_path, capfd) -> None:
    _, out, _ = check(tmp_path, ROWS, capfd, "--json")
    found = json.loads(out)
    listed = set(KINDS) - {"failed", "invalid"}
    assert set(found) == {"benchmark", "digest", "problems", "references", "invalid", "findings"} | listed
    assert {kind for kind in listed if found[kind]} == {"vacuous"}
    assert [(finding["kind"], finding["id"], finding["weight"]) for finding in found["findings"]] == [
        ("failed", "wrong", "error"),
        ("invalid", "unread", "error"),
        ("invalid", "wrong", "error"),
        ("vacuous", "vacuous", "warning"),
    ]
    assert all(finding["detail"] for finding in found["findings"])


def test_people_get_the_same_with_reasons(tmp_path, capfd) -> None:
    status, out, err = check(tmp_path, ROWS, capfd)
    assert status == 1
    assert "5 problems, 1 without a reference, 1 not judged at all" in out
    assert "references passed: 2 of 3 problems with a reference, 1 failed (trust: 2 anchored)" in out
    table = [line.split() for line in out.splitlines()]
    assert ["error", "references", "that", "fail", "1", "wrong"] in table
    assert ["error", "problems", "that", "can't", "be", "judged", "1", "unread"] in table
    assert ["warning", "tests", "that", "nothing", "could", "fail", "1", "vacuous"] in table
    assert "  wrong: the reference fails its own tests: f(1): expected 2, got 1\n" in out
    assert err.startswith("judging 3 references ...\n3 of 3 references, ")
    assert ", 2 passed, " in err


def test_where_the_tests_are_no_good_no_reference_has_failed(tmp_path, capfd) -> None:
    rows = [
        {"id": "vacuous", "prompt": "?", "reference": GOOD, "tests": ["assert True"]},
        {"id": "broken", "prompt": "?", "reference": GOOD, "tests": ["assert f(1) =="]},
        {"id": "raises", "prompt": "?", "reference": "def f(x):\n    return 1 / 0", "tests": ["assert f(1) == 1"]},
        {"id": "unloadable", "prompt": "?", "reference": f"1 / 0\n{GOOD}", "tests": ["assert f(1) == 1"]},
    ]
    status, out, _ = check(tmp_path, rows, capfd, "--json")
    found = json.loads(out)
    assert status == 1
    assert found["references"] == {"passed": 0, "failed": ["raises", "unloadable"], "trials": 2}
    assert sorted(problem["id"] for problem in found["invalid"]) == ["broken", "raises", "unloadable", "vacuous"]


def test_a_benchmark_in_order_ends_with_0(tmp_path, capfd) -> None:
    status, out, _ = check(tmp_path, ROWS[:1], capfd)
    assert status == 0
    assert out == (
        "problems.jsonl: 1 problem\n"
        "references passed: 1 of 1 problem with a reference (trust: 1 anchored)\n"
        "nothing was found\n"
    )


def test_warnings_alone_end_with_0(tmp_path, capfd) -> None:
    chance = "def f(x):\n    return list({'a', 'b', 'c', 'd', 'e', 'f', 'g'})"
    rows = [
        {"id": "slow", "prompt": "f(1) -> 1", "reference": SLOW, "tests": ["assert f(1) == 1"]},
        {"id": "flaky", "prompt": "?", "reference": chance, "inputs": [[1], [1]], "plus": [[1]]},
        {
            "id": "astray",
            "prompt": "assert f(1) == 1",
            "reference": GOOD,
            "tests": ["assert f(1) == 1", "assert len([])==0"],
        },
        {"id": "Mbpp/2", "prompt": "f(1) -> 2", "reference": GOOD, "tests": ["assert f(1) == 1"]},
        {
            "id": "other",
            "prompt": "?",
            "reference": f"{GOOD}\ng = f",
            "entry_point": "g",
            "tests": ["assert f(1) == 1"],
        },
    ]
    status, out, _ = check(tmp_path, rows, capfd, "--json")
    found = json.loads(out)
    assert (status, found["references"]["passed"]) == (0, 5)
    assert {kind: found[kind] for kind in KINDS if kind not in ("failed", "invalid")} == {
        "slow": ["slow"],
        "large": [],
        "flaky": ["flaky"],
        "vacuous": [],
        "no_call": ["astray"],
        "duplicate_tests": ["flaky"],
        "plus_equal_base": ["flaky"],
        "missing_entry_point": ["other"],
        "answer_cut_off": [],
        "prompt_holds_test": ["astray"],
        "prompt_contradicts_test": ["Mbpp/2"],
        "few_shot_overlap": ["Mbpp/2"],
        "shown_in_prompt": ["slow"],
    }
    details = {finding["kind"]: finding["detail"] for finding in found["findings"]}
    assert details["slow"].endswith("and its limit is 5 s; 10 s would fit")
    assert "passes 2 of 3 runs; under other seeds" in details["flaky"]


def test_one_trial_finds_nothing_flaky(tmp_path, capfd) -> None:
    chance = "def f(x):\n    return list({'a', 'b', 'c', 'd', 'e', 'f', 'g'})"
    row = {"id": "flaky", "prompt": "?", "reference": chance, "inputs": [[1]]}
    _, out, _ = check(tmp_path, [row], capfd, "--json", "--trials", "1")
    assert json.loads(out)["flaky"] == []


@pytest.mark.parametrize("trials", ["0", "-1", "101"])
def test_trials_out_of_range_are_refused(tmp_path, capfd, trials) -> None:
    status, out, err = check(tmp_path, ROWS[:1], capfd, "--trials", trials)
    assert (status, out) == (2, "")
    assert f"--trials {trials} is out of range\nhint: give a whole number from 1 to 100" in err


# -- limits files


def test_written_limits_fit_and_are_read_again(tmp_path, capfd) -> None:
    large = "def f(x):\n    return len(bytearray(600 << 20)) * 0 + x"
    rows = [
        ROWS[0],
        {"id": "slow", "prompt": "?", "reference": SLOW, "tests": ["assert f(1) == 1"]},
        {
            "id": "large",
            "prompt": "?",
            "reference": large,
            "tests": ["assert f(1) == 1"],
            "limits": {"time_s": 40},  # a busy machine takes its time for so much memory, which is no matter here
        },
    ]
    path = tmp_path / "limits.json"
    status, out, err = check(tmp_path, rows, capfd, "--json", "--write-limits", str(path))
    assert (status, json.loads(out)["slow"], json.loads(out)["large"]) == (0, ["slow"], ["large"])
    assert f"{path}: limits of 2 problems, the others have the usual 5 s" in err
    assert json.loads(path.read_text())["limits"] == {"large": {"memory_mib": 2048}, "slow": {"time_s": 10.0}}
    first = path.read_bytes()
    status, out, _ = check(tmp_path, rows, capfd, "--json", "--limits", str(path), "--write-limits", str(path))
    assert (status, json.loads(out)["slow"], json.loads(out)["large"]) == (0, [], [])
    assert path.read_bytes() == first


def test_limits_are_measured_over_the_whole_data_set_only(tmp_path, capfd) -> None:
    for words in (("--limit", "1"), ("--split", "test")):
        status, _, err = check(tmp_path, ROWS, capfd, "--write-limits", str(tmp_path / "limits.json"), *words)
        assert status == 2
        assert "leave --split and --limit out" in err
    assert not (tmp_path / "limits.json").exists()


def test_limits_for_other_data_are_refused(tmp_path, capfd) -> None:
    path = tmp_path / "limits.json"
    check(tmp_path, ROWS[:1], capfd, "--write-limits", str(path))
    status, out, err = check(tmp_path, ROWS[:2], capfd, "--limits", str(path))
    assert (status, out) == (2, "")
    assert "these limits are for problems.jsonl" in err
    assert "hint: measure them for this data: assay check BENCHMARK --write-limits FILE" in err


def test_a_limits_file_never_replaces_the_problems_and_that_is_told_before_any_reference_is_judged(
    tmp_path, capfd
) -> None:
    path = tmp_path / "problems.jsonl"
    status, out, err = check(tmp_path, ROWS[:1], capfd, "--write-limits", str(path))
    assert (status, out) == (2, "")
    assert err == (
        f"error: {path}: the limits can't be written: it is there already, and is no limits file\n"
        "hint: name another file\n"
    )
    assert json.loads(path.read_text()) == ROWS[0]
