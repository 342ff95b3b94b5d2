"""`import assay` with the real engine: five lines, rows or a benchmark, dicts or records."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import msgspec
import pytest

import assay
from assay.benchmarks import from_rows
from assay.engine import Settings

ROW = {
    "task_id": 900,
    "text": "Double n.",
    "code": "def double(n):\r\n    return 2 * n",
    "test_list": ["assert double(2) == 4", "assert double(-1) == -2", "assert double(0) == 0"],
    "test_setup_code": "",
    "challenge_test_list": [],
}
RIGHT, WRONG = "def double(n):\n    return n + n", "def double(n):\n    return n ** 2"


@pytest.fixture(scope="module")
def result() -> assay.Result:
    samples = [{"task_id": 900, "completion": RIGHT}, {"task_id": 900, "solution": WRONG}]
    return assay.judge_samples([ROW], samples)


def test_published_rows_and_dicts_give_verdicts_in_order(result: assay.Result) -> None:
    assert [verdict.outcome for verdict in result.verdicts] == [assay.Outcome.PASSED, assay.Outcome.WRONG_ANSWER]
    assert [verdict.sample_index for verdict in result.verdicts] == [0, 1]
    assert result.verdicts[1].message
    assert result.expected == {"900": 2}
    assert result.invalid == ()


def test_an_estimate_has_its_interval(result: assay.Result) -> None:
    estimate = result.estimate("pass@1")
    assert estimate.value == 0.5
    assert estimate.low < 0.5 < estimate.high
    assert result.estimate("pass@2").value == 1.0


def test_where_all_tests_are_base_tests_base_gives_the_same_number(result: assay.Result) -> None:
    assert result.estimate("pass@1", "base").value == result.estimate("pass@1").value


def test_an_undefined_estimate_is_none_with_a_reason(result: assay.Result) -> None:
    estimate = result.estimate("pass@3")
    assert estimate.value is None
    assert "too few samples" in estimate.reason


@pytest.mark.parametrize(("name", "tests"), [("pass@x", "all"), ("accuracy", "all"), ("pass@1", "plus")])
def test_an_unknown_estimate_is_refused_with_the_known_ones(result: assay.Result, name: str, tests: str) -> None:
    with pytest.raises(assay.SettingsError, match="mean_fraction"):
        result.estimate(name, tests)


def test_some_problems_of_a_benchmark_and_sample_records_will_do() -> None:
    problems = assay.load("basics").problems[:2]
    text = problems[0].reference
    sample = assay.Sample(problem_id=problems[0].id, index=0, text=text, mode=assay.Mode.SOLUTION)
    result = assay.judge_samples(problems, [sample])
    assert [verdict.passed for verdict in result.verdicts] == [True]
    assert result.estimate("pass@1").value is None
    assert result.estimate("pass@1", missing="skip").value == 1.0


def test_bad_rows_are_an_error_that_lists_them() -> None:
    with pytest.raises(assay.DataError) as error:
        assay.judge_samples([ROW], [{"task_id": 900}, {"task_id": 900, "solution": 1}])
    assert [row.line for row in error.value.rows] == [1, 2]


def test_a_running_event_loop_is_no_obstacle() -> None:
    async def cell() -> assay.Result:
        return assay.judge_samples([ROW], [{"task_id": 900, "solution": RIGHT}], settings=assay.Settings(workers=1))

    before = threading.active_count()
    assert [verdict.outcome for verdict in asyncio.run(cell()).verdicts] == ["passed"]
    assert threading.active_count() == before


def test_errors_come_out_of_a_running_event_loop_as_they_are() -> None:
    async def cell() -> assay.Result:
        settings = assay.Settings(python="/nowhere/python")
        return assay.judge_samples([ROW], [{"task_id": 900, "solution": RIGHT}], settings=settings)

    with pytest.raises(assay.SettingsError, match="/nowhere/python"):
        asyncio.run(cell())


CELL = """
import asyncio, sys, assay
SLOW = "import time\\ndef double(n):\\n    time.sleep(4)\\n    return 2 * n"
async def cell():
    print("begun", flush=True)
    return assay.judge_samples([ROW], [{"task_id": 900, "solution": SLOW}] * 40, settings=assay.Settings(workers=1))
try:
    asyncio.run(cell())
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_ends_a_call_out_of_a_running_event_loop(tmp_path: Path) -> None:
    (tmp_path / "cell.py").write_text(f"ROW = {json.dumps(ROW)}\n{CELL}")
    with subprocess.Popen(
        [sys.executable, "cell.py"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        while not _children(process.pid):
            time.sleep(0.02)
        started = _children(process.pid)
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate()
    assert (out, err) == ("interrupted\n", "")
    assert not [pid for pid in started if Path(f"/proc/{pid}").exists()]


def test_ctrl_c_that_came_before_the_call_ends_it_too(tmp_path: Path) -> None:
    early = CELL.replace(
        "    return assay", "    import os, signal\n    os.kill(os.getpid(), signal.SIGINT)\n    return assay"
    )
    run = subprocess.run(
        [sys.executable, "-c", f"ROW = {json.dumps(ROW)}\n{early}"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
    )
    assert (run.stdout, run.stderr) == ("begun\ninterrupted\n", "")


def test_a_task_that_was_cancelled_long_ago_may_judge() -> None:
    async def cell() -> assay.Result:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(0)
        return assay.judge_samples([ROW], [{"task_id": 900, "solution": RIGHT}], settings=assay.Settings(workers=1))

    assert asyncio.run(cell()).verdicts[0].passed


def _children(pid: int) -> list[str]:
    return [child for path in Path(f"/proc/{pid}/task").glob("*/children") for child in path.read_text().split()]


@pytest.mark.parametrize(
    ("problems", "samples", "advice"),
    [
        ("basics", [], "assay.load('basics')"),
        (Path("p.jsonl"), [], "assay.load('p.jsonl')"),
        ([ROW], "samples.jsonl", "json.loads"),
        (ROW, [], "give [problem]"),
        ([ROW], {"task_id": 900, "solution": RIGHT}, "give [sample]"),
    ],
)
def test_a_name_or_a_single_row_is_refused_with_what_to_give(problems: object, samples: object, advice: str) -> None:
    with pytest.raises(assay.SettingsError, match=re.escape(advice)):
        assay.judge_samples(problems, samples)


def test_no_samples_are_no_verdicts() -> None:
    result = assay.judge_samples([ROW], [])
    assert result.verdicts == ()
    assert "no samples" in result.estimate("pass@1").reason


def test_advice_is_not_about_flags() -> None:
    with pytest.raises(assay.DataError) as error:
        assay.judge_samples([ROW], [{"task_id": 900}])
    assert "--" not in str(error.value)
    with pytest.raises(assay.SettingsError) as refusal:
        assay.judge_samples([ROW], [{"task_id": 900, "solution": RIGHT}], settings=assay.Settings(python="/nowhere/x"))
    assert "--" not in str(refusal.value)


def test_limits_and_settings_out_of_range_are_refused_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.api.batch.judge_work", None)
    (problem,) = from_rows([ROW]).problems
    sample = {"task_id": 900, "solution": RIGHT}
    wrong = msgspec.structs.replace(problem, limits=assay.Limits(disk_mib=-1))
    with pytest.raises(assay.SettingsError, match="limits of problem 900: 'disk_mib' must be a whole number from 1"):
        assay.judge_samples([wrong], [sample])
    with pytest.raises(assay.SettingsError, match="memory_mib 100000000000000 is out of range"):
        assay.judge_samples([problem], [sample], settings=Settings(memory_mib=10**14))


def test_a_benchmark_and_a_result_are_a_short_line_at_a_prompt(result: assay.Result) -> None:
    benchmark = assay.load("basics")
    assert repr(benchmark) == f"<Benchmark 'basics': problems 60, digest {benchmark.digest[:12]}>"
    assert repr(result).startswith(f"<Result of 1 problem, {len(result.verdicts)} verdicts: passed ")
    assert repr(assay.judge_samples(benchmark, [])) == "<Result of 60 problems, 0 verdicts: none>"


def test_a_record_made_of_something_else_is_refused_before_anything_runs():
    problem = msgspec.structs.replace(assay.load("basics").problems[0], prompt=None)
    sample = assay.Sample(problem_id=problem.id, index=0, text="", mode=assay.Mode.CHAT)
    with pytest.raises(assay.DataError, match="problem can't be read"):
        assay.judge_samples([problem], [sample])
    with pytest.raises(assay.DataError, match="sample can't be read"):
        assay.judge_samples(assay.load("basics"), [msgspec.structs.replace(sample, text=3)])
