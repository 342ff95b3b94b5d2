from __future__ import annotations

import json

import judged_samples
import pytest

from assay.benchmarks import from_rows
from assay.errors import StoreError
from assay.records import (
    AssertTests,
    CallTests,
    CheckTests,
    Failure,
    InvalidProblem,
    Mode,
    Outcome,
    Problem,
    Sample,
    Trust,
    Verdict,
    digest,
)
from assay.store import open_run, open_samples, read_run
from assay.store.export import Judged, JudgedSamples, evalplus_pieces, human_eval_lines, require_samples

PASSED, WRONG, BROKEN, TIMEOUT = Outcome.PASSED, Outcome.WRONG_ANSWER, Outcome.SYSTEM_ERROR, Outcome.TIME_LIMIT


def verdict(outcome=PASSED, cases="1111", *, problem="p/0", index=0, failed: Failure | None = None, message=""):
    """Two base cases and two plus cases, unless `cases` is shorter: then there are only base cases."""
    groups = {"base": (cases[:2].count("1"), 2)} | ({"plus": (cases[2:].count("1"), 2)} if len(cases) > 2 else {})
    return Verdict(
        problem_id=problem,
        sample_index=index,
        outcome=outcome,
        passed_cases=cases.count("1"),
        total_cases=len(cases),
        groups=groups,
        cases=cases,
        trust=Trust.ANCHORED,
        time_s=0.01,
        peak_mib=1.0,
        message=message,
        job_digest=digest(problem, str(index)),
        first_failure=failed,
    )


def sample(problem="p/0", index=0, text="x = 1", mode=Mode.SOLUTION, **fields):
    return Sample(problem_id=problem, index=index, text=text, mode=mode, **fields)


def manifest(**fields):
    given = {"created": "2026-02-03T04:05:06+00:00", "benchmark": "b", "problems": 2, "expected": {"p/0": 2, "p/1": 1}}
    return judged_samples.manifest(**(given | fields))


def test_human_evals_row_is_the_samples_own_with_result_and_passed():
    judged = [
        Judged(sample(text="  return 1", mode=Mode.COMPLETION, model="m", extra={"sample_id": 7}), verdict()),
        Judged(sample(index=1), verdict(WRONG, "1100", message="f(0): expected 1, got 2")),
        Judged(sample(index=2, text="a\ud800", mode=Mode.CHAT), verdict(TIMEOUT, "1100")),
        Judged(sample(index=3, extra={"passed": "?", "task_id": "?"}), verdict(Outcome.SYNTAX_ERROR, "0000")),
    ]
    assert [json.loads(line) for line in human_eval_lines(judged)] == [
        {
            "task_id": "p/0",
            "completion": "  return 1",
            "sample_id": 7,
            "model": "m",
            "result": "passed",
            "passed": True,
        },
        {
            "task_id": "p/0",
            "solution": "x = 1",
            "result": "failed: wrong_answer: f(0): expected 1, got 2",
            "passed": False,
        },
        {"task_id": "p/0", "text": "a\ud800", "result": "timed out", "passed": False},
        {"task_id": "p/0", "solution": "x = 1", "result": "failed: syntax_error", "passed": False},
    ]


def test_evalplus_document_has_a_list_for_each_problem():
    judged = [
        Judged(sample(), verdict(), "x = 1"),
        Judged(sample(index=1), verdict(WRONG, "1100"), "x = 1"),
        Judged(sample("p/1", text="y"), verdict(WRONG, "00", problem="p/1"), "y"),
    ]
    found = json.loads("".join(evalplus_pieces(manifest(), judged)))
    nothing = {"base_fail_tests": [], "plus_fail_tests": []}
    assert found == {
        "date": "2026-02-03 04:05",
        "hash": "d1",
        "eval": {
            "p/0": [
                {"task_id": "p/0", "solution": "x = 1", "base_status": "pass", "plus_status": "pass"} | nothing,
                {"task_id": "p/0", "solution": "x = 1", "base_status": "pass", "plus_status": "fail"} | nothing,
            ],
            "p/1": [{"task_id": "p/1", "solution": "y", "base_status": "fail", "plus_status": None} | nothing],
        },
    }


def test_an_evalplus_document_without_samples_is_whole():
    assert json.loads("".join(evalplus_pieces(manifest(), [])))["eval"] == {}


def failure(group: str, outcome: Outcome) -> Failure:
    return Failure(case=0, group=group, outcome=outcome)


@pytest.mark.parametrize(
    ("outcome", "cases", "failed", "expected"),
    [
        (WRONG, "0111", failure("base", WRONG), ("fail", "pass")),
        (TIMEOUT, "1000", failure("base", TIMEOUT), ("timeout", "timeout")),
        (TIMEOUT, "1110", failure("plus", TIMEOUT), ("pass", "timeout")),
        (TIMEOUT, "0110", failure("base", WRONG), ("fail", "timeout")),
        (TIMEOUT, "1100", failure("plus", WRONG), ("pass", "fail")),
        (Outcome.MEMORY_LIMIT, "1000", failure("base", Outcome.MEMORY_LIMIT), ("fail", "fail")),
        (TIMEOUT, "0000", None, ("timeout", "timeout")),
    ],
)
def test_the_status_of_a_group_is_in_evalplus_words(outcome, cases, failed, expected):
    judged = [Judged(sample(), verdict(outcome, cases, failed=failed), "x")]
    (row,) = json.loads("".join(evalplus_pieces(manifest(), judged)))["eval"]["p/0"]
    assert (row["base_status"], row["plus_status"]) == expected


def failing_inputs(cases: str, *tests) -> tuple[list, list]:
    problem = Problem(id="p/0", prompt="", tests=tests)
    (row,) = json.loads("".join(evalplus_pieces(manifest(), [Judged(sample(), verdict(WRONG, cases), "x", problem)])))[
        "eval"
    ]["p/0"]
    return row["base_fail_tests"], row["plus_fail_tests"]


def test_the_first_input_that_failed_is_shown_where_the_inputs_are_known():
    calls = CallTests(inputs=("[1]", "[(2, 3)]")), CallTests(inputs=("[{4}]", "[5, {6: 7j}]"), group="plus")
    assert failing_inputs("1111", *calls) == ([], [])
    assert failing_inputs("0111", *calls) == ([[1]], [])
    assert failing_inputs("1001", *calls) == ([[[2, 3]]], [["{4}"]])
    assert failing_inputs("1110", *calls) == ([], [[5, {"6": "7j"}]])


def test_inputs_are_counted_past_asserts_and_challenge_tests_but_not_past_a_check():
    plus = CallTests(inputs=("[4]", "[f(5)]"), group="plus")
    base = AssertTests(cases=("assert f(1)", "assert f(2)"))
    hard = AssertTests(cases=("assert f(3)",), group="challenge")
    assert failing_inputs("1101", base, hard, plus) == ([], [[4]])
    assert failing_inputs("1110", base, plus) == ([], ["[f(5)]"])
    assert failing_inputs("1101", CheckTests(source="def check(c): ..."), plus) == ([], [])


@pytest.fixture
def run(tmp_path):
    """A run over samples of three problems, and its sample file: one is invalid, one sample broken, one not judged."""
    rows = [{"problem_id": f"p/{n}", "solution": f"x = {i}"} for n in (1, 0, 2) for i in range(2)]
    path = tmp_path / "samples.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    benchmark = from_rows([{"id": f"p/{n}", "prompt": "p", "tests": ["assert f()"]} for n in range(3)])
    samples = open_samples(str(path), benchmark)
    known = manifest(samples=str(path), samples_digest=samples.digest, expected={f"p/{n}": 2 for n in range(3)})
    with open_run(tmp_path / "run", known) as writing:
        writing.append(verdict(BROKEN, "0000", problem="p/1"))
        writing.append(verdict(WRONG, "1100", problem="p/1", index=1))
        writing.append(verdict(WRONG, "0000", problem="p/0", index=1))
        writing.append(verdict(problem="p/0", index=1))
        writing.append(verdict(problem="p/2"))
        writing.mark_invalid(InvalidProblem(id="p/2", reason="its reference fails"))
        writing.finish()
    return read_run(tmp_path / "run"), samples


def test_samples_and_verdicts_come_together_and_what_has_no_verdict_is_counted(run):
    judged = JudgedSamples(*run)
    found = [(each.sample.problem_id, each.sample.index, each.sample.text, each.verdict.outcome) for each in judged]
    assert found == [("p/1", 1, "x = 1", WRONG), ("p/0", 1, "x = 1", PASSED)]
    assert (judged.rows, judged.problems, judged.unjudged) == (2, 2, 2)


def test_the_samples_must_be_those_that_were_judged(run, tmp_path):
    stored, samples = run
    require_samples(stored, samples)
    path = tmp_path / "samples.jsonl"
    path.write_text(path.read_text() + "\n")
    benchmark = from_rows([{"id": f"p/{n}", "prompt": "p", "tests": ["assert f()"]} for n in range(3)])
    with pytest.raises(StoreError, match=r"does not hold the samples that .* has judged"):
        require_samples(stored, open_samples(str(path), benchmark))


def test_a_run_that_was_taken_up_with_other_samples_must_be_finished_first(run):
    stored, samples = run
    path = stored.folder / "run.json"
    path.write_text(path.read_text().replace('"samples_changed": false', '"samples_changed": true'))
    with pytest.raises(StoreError, match="taken up again with another sample file"):
        require_samples(read_run(stored.folder), samples)


def test_a_run_without_verdicts_says_so(run):
    stored, samples = run
    (stored.folder / "verdicts.jsonl").unlink()
    with pytest.raises(StoreError, match="has no verdicts yet"):
        list(JudgedSamples(read_run(stored.folder), samples))


def test_verdicts_that_change_under_our_hands_are_noticed(run):
    stored, samples = run
    (stored.folder / "verdicts.jsonl").write_text("{}\n" * 500)
    with pytest.raises(StoreError, match="has changed while it was read"):
        list(JudgedSamples(stored, samples))
