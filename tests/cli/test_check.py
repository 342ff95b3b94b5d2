from __future__ import annotations

import json

from assay.cli.app import run

GOOD = "def f(x):\n    return x"
ROWS = [
    {"id": "good", "prompt": "?", "reference": GOOD, "tests": ["assert f(1) == 1"]},
    {"id": "wrong", "prompt": "?", "reference": GOOD, "tests": ["assert f(1) == 2"]},
    {"id": "vacuous", "prompt": "?", "reference": GOOD, "tests": ["assert f(1) == 1", "assert True"]},
    {"id": "stdio", "prompt": "?", "reference": "print(input())", "cases": [{"stdin": "1", "stdout": "1"}]},
    {"id": "unanswered", "prompt": "?", "entry_point": "f", "tests": ["assert f(1) == 1"]},
]


def check(tmp_path, rows: list[dict], capfd, *words: str) -> tuple[int, str, str]:
    path = tmp_path / "problems.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    status = run(["check", str(path), *words])
    return status, *capfd.readouterr()


def test_failing_references_vacuous_tests_and_invalid_problems_are_told_apart(tmp_path, capfd) -> None:
    status, out, _ = check(tmp_path, ROWS, capfd, "--json")
    found = json.loads(out)
    assert status == 1
    assert found["problems"] == 5
    assert found["references"] == {"passed": 2, "failed": ["wrong"]}
    assert found["vacuous"] == ["vacuous"]
    assert [problem["id"] for problem in found["invalid"]] == ["stdio", "wrong"]
    assert all(problem["reason"] for problem in found["invalid"])


def test_people_get_the_same_with_reasons(tmp_path, capfd) -> None:
    status, out, err = check(tmp_path, ROWS, capfd)
    assert status == 1
    assert "5 problems, 1 without a reference, 1 not judged at all" in out
    assert "references passed: 2 of 3 problems with a reference, 1 failed (trust: 2 anchored)" in out
    assert "problems with vacuous tests: vacuous" in out
    assert "invalid problems: 2" in out
    assert err == "judging 3 references ...\n"


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
    assert found["references"] == {"passed": 0, "failed": ["raises", "unloadable"]}
    assert sorted(problem["id"] for problem in found["invalid"]) == ["broken", "raises", "unloadable", "vacuous"]


def test_a_benchmark_in_order_ends_with_0(tmp_path, capfd) -> None:
    status, out, _ = check(tmp_path, ROWS[:1], capfd)
    assert status == 0
    assert "invalid problems: none" in out
