"""A judge that stays: the verdicts of `judge_samples`, for many callers at once, none of whom waits for another's sample."""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import re
import signal
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest
from families import children

import assay
from assay.benchmarks import from_rows, recorded_samples

ROW = {
    "id": "double",
    "prompt": "Double n.",
    "reference": "def double(n): return 2 * n",
    "tests": ["assert double(2) == 4", "assert double(-1) == -2"],
}
(PROBLEM,) = from_rows([ROW]).problems
(TRIPLE,) = from_rows(
    [{"id": "triple", "prompt": "", "reference": "def triple(n): return 3 * n", "tests": ["assert triple(2) == 6"]}]
).problems
SAMPLES = [json.loads(line) for line in Path(recorded_samples("basics")).read_text("utf-8").splitlines()]
RIGHT, WRONG = "def double(n): return n + n", "def double(n): return n ** 2"
SLEEP = "import time\ndef double(n): time.sleep(60)"
LIAR = {**ROW, "id": "liar", "reference": "def double(n): return n"}


@pytest.fixture(scope="module")
def judge():
    with assay.Judge(settings=assay.Settings(workers=1, time_s=0.5)) as judge:
        yield judge


def outcomes(verdicts) -> list[str]:
    return [verdict.outcome.value for verdict in verdicts]


# -- what is judged


def bare(verdict: assay.Verdict) -> str:
    """Without what was measured, and addresses that a program printed."""
    row = msgspec.structs.replace(verdict, time_s=0, cpu_s=0, wall_s=0, peak_mib=0)
    return re.sub("0x[0-9a-f]{6,}", "0x", repr(row))


def both_ways(samples, settings: assay.Settings) -> tuple[list[str], list[str]]:
    """The rows of `judge_samples`, and those of a judge that stays, all in the order of problems and samples."""
    benchmark = assay.load("basics")
    problems = {problem.id: problem for problem in benchmark.problems}
    places = {id_: place for place, id_ in enumerate(problems)}
    batch = assay.judge_samples(benchmark, samples, settings=settings)
    assert batch.invalid == ()
    with assay.Judge(settings=settings) as judge:
        warm = judge.verdicts((problems[sample["problem_id"]], sample) for sample in samples)
        found = sorted(warm, key=lambda row: (places[row.problem_id], row.sample_index))
    return [bare(row) for row in batch.verdicts], [bare(row) for row in found]


SETTINGS = [
    pytest.param(assay.Settings(workers=1, time_s=2, confirm=False), id="as usual"),
    pytest.param(assay.Settings(workers=1, time_s=2, confirm=False, trials=2), id="two trials"),
    pytest.param(assay.Settings(workers=1, time_s=2, confirm=False, hidden="require"), id="hidden inputs required"),
    pytest.param(assay.Settings(workers=1, time_s=2, confirm=False, hidden="off"), id="no hidden inputs"),
]


@pytest.mark.parametrize("settings", SETTINGS[1:3])
def test_rows_are_those_of_a_list_for_some_of_the_embedded_set(settings):
    batch, warm = both_ways(SAMPLES[::23], settings)
    assert warm == batch
    assert len({row.split("outcome=")[1].split(",")[0] for row in warm}) > 2


@pytest.mark.slow
@pytest.mark.parametrize("settings", SETTINGS)
def test_rows_are_those_of_a_list_for_the_embedded_set(settings):
    batch, warm = both_ways(SAMPLES, settings)
    assert warm == batch


def test_a_verdict_of_each_form_of_sample(judge):
    chat = {"text": f"Here it is:\n```python\n{RIGHT}\n```"}
    record = assay.Sample(problem_id="double", index=5, text=WRONG, mode=assay.Mode.SOLUTION)
    verdicts = [judge.verdict(PROBLEM, sample) for sample in (RIGHT, chat, record, {"text": "I don't know."})]
    assert outcomes(verdicts) == ["passed", "passed", "wrong_answer", "no_code"]
    assert [verdict.sample_index for verdict in verdicts] == [0, 0, 5, 0]
    assert judge.verdict(ROW, RIGHT).job_digest == verdicts[0].job_digest


def test_many_come_in_the_order_of_the_pairs_and_are_counted_for_each_problem(judge):
    pairs = [(PROBLEM, RIGHT), (TRIPLE, RIGHT), (PROBLEM, WRONG), (LIAR, RIGHT), (PROBLEM, {"solution": RIGHT})]
    first, other, second, liar, third = judge.verdicts(iter(pairs))
    assert outcomes([first, other, second, third]) == ["passed", "runtime_error", "wrong_answer", "passed"]
    assert [row.sample_index for row in (first, other, second, third)] == [0, 0, 1, 2]
    assert isinstance(liar, assay.InvalidProblem)


def test_more_than_are_judged_at_once_come_all(judge, monkeypatch):
    monkeypatch.setattr("assay.api.warm.AT_ONCE", 3)
    monkeypatch.setattr("assay.api.warm.HELD", 4)
    texts = [RIGHT, WRONG, RIGHT] * 7
    assert Counter(outcomes(judge.verdicts((PROBLEM, text) for text in texts))) == {"passed": 14, "wrong_answer": 7}


def test_a_caller_that_has_seen_enough_leaves_nothing_to_do(judge):
    rows = judge.verdicts((PROBLEM, text) for text in [RIGHT, *[SLEEP] * 40])
    assert next(rows).passed
    rows.close()
    assert judge.verdict(PROBLEM, WRONG).outcome == "wrong_answer"


def test_a_problem_that_can_not_be_judged_is_told_each_time_with_the_reason(judge):
    for _ in range(2):
        with pytest.raises(
            assay.InvalidProblemError, match="problem liar can't be judged: the reference fails"
        ) as told:
            judge.verdict(LIAR, RIGHT)
        assert (told.value.problem_id, told.value.fault) == ("liar", "reference")


def test_two_problems_of_one_name_are_two_problems(judge):
    other = {
        **ROW,
        "reference": "def double(n): return n ** 2",
        "tests": ["assert double(2) == 4", "assert double(-1) == 1"],
    }
    assert outcomes([judge.verdict(ROW, WRONG), judge.verdict(other, WRONG)]) == ["wrong_answer", "passed"]


def test_a_limit_out_of_range_and_a_bad_row_are_the_callers_own(judge):
    wrong = msgspec.structs.replace(PROBLEM, limits=assay.Limits(disk_mib=-1))
    with pytest.raises(assay.SettingsError, match="'disk_mib'"):
        judge.verdict(wrong, RIGHT)
    with pytest.raises(assay.DataError):
        list(judge.verdicts([(PROBLEM, RIGHT), (PROBLEM, {"solution": 1})]))
    with pytest.raises(assay.SettingsError, match="trials 0 is out of range"):
        assay.Judge(settings=assay.Settings(trials=0))
    assert judge.verdict(PROBLEM, RIGHT).passed


# -- many callers, and those whose programs never end


def test_many_threads_ask_at_once(judge):
    texts = [RIGHT, WRONG] * 12
    with ThreadPoolExecutor(8) as callers:
        found = list(callers.map(lambda text: judge.verdict(PROBLEM, text), texts))
    assert outcomes(found) == ["passed", "wrong_answer"] * 12


def test_a_program_without_end_holds_up_its_own_caller_only(judge):
    ended: list[str] = []

    def ask(text: str) -> None:
        ended.append(judge.verdict(PROBLEM, text).outcome.value)

    sleeping = threading.Thread(target=ask, args=(SLEEP,))
    sleeping.start()
    for _ in range(5):
        ask(RIGHT)
    sleeping.join()
    assert ended == ["passed"] * 5 + ["time_limit"]


def test_a_reference_without_end_holds_up_one_lane_only(judge):
    slow = {**ROW, "id": "slow", "reference": SLEEP}
    ended: list[str] = []

    def ask() -> None:
        with pytest.raises(assay.InvalidProblemError):
            judge.verdict(slow, RIGHT)
        ended.append("slow")

    asking = [threading.Thread(target=ask) for _ in range(4)]
    for thread in asking:
        thread.start()
    for _ in range(3):
        judge.verdict(PROBLEM, RIGHT)
        ended.append("quick")
    for thread in asking:
        thread.join()
    assert ended == ["quick"] * 3 + ["slow"] * 4


def test_a_time_limit_is_confirmed_only_where_nothing_else_ran(judge):
    assert judge.verdict(PROBLEM, SLEEP).confirmed is True
    beside = list(judge.verdicts([(PROBLEM, SLEEP), (PROBLEM, RIGHT), (PROBLEM, WRONG)]))
    assert [row.confirmed for row in beside] == [False, None, None]


# -- asyncio


def test_many_tasks_ask_at_once_and_a_cancelled_one_asks_no_more():
    async def scenario() -> tuple[list[str], bool, list[str]]:
        async with assay.AsyncJudge(settings=assay.Settings(workers=1, time_s=0.5)) as judge:
            sleeping = [asyncio.create_task(judge.verdict(PROBLEM, SLEEP)) for _ in range(20)]
            await judge.verdict(TRIPLE, WRONG)
            for task in sleeping:
                task.cancel()
            await asyncio.gather(*sleeping, return_exceptions=True)
            found = await asyncio.gather(*(judge.verdict(PROBLEM, text) for text in [RIGHT, WRONG] * 8))
            rows = [row async for row in judge.verdicts((PROBLEM, text) for text in (WRONG, RIGHT))]
            return outcomes(found), all(task.cancelled() for task in sleeping), outcomes(rows)

    found, cancelled, rows = asyncio.run(scenario())
    assert found == ["passed", "wrong_answer"] * 8
    assert cancelled
    assert rows == ["wrong_answer", "passed"]


def test_errors_reach_who_awaits():
    async def scenario() -> None:
        async with assay.AsyncJudge(settings=assay.Settings(workers=1)) as judge:
            with pytest.raises(assay.InvalidProblemError):
                await judge.verdict(LIAR, RIGHT)
            rows = judge.verdicts([(PROBLEM, RIGHT), (PROBLEM, 1)])
            with pytest.raises(assay.SettingsError, match="not int"):
                [row async for row in rows]
        with pytest.raises(assay.SettingsError, match="this judge was closed"):
            await judge.verdict(PROBLEM, RIGHT)

    asyncio.run(scenario())


def test_a_machine_that_can_not_judge_says_so_at_once():
    nowhere = assay.Settings(python="/nowhere/python")
    with pytest.raises(assay.SettingsError, match="/nowhere/python"), assay.Judge(settings=nowhere):
        pass
    with pytest.raises(assay.SettingsError, match="/nowhere/python"):
        assay.Judge(settings=nowhere).verdict(PROBLEM, RIGHT)

    async def scenario() -> None:
        async with assay.AsyncJudge(settings=nowhere):
            pass

    with pytest.raises(assay.SettingsError, match="/nowhere/python"):
        asyncio.run(scenario())


def test_a_judge_whose_workers_were_killed_goes_on(judge):
    assert judge.verdict(PROBLEM, RIGHT).passed
    servers = [pid for pid in children(os.getpid()) if b"boot.py" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    assert servers
    for pid in servers:
        os.kill(pid, signal.SIGKILL)
    assert judge.verdict(PROBLEM, RIGHT).passed


@pytest.mark.parametrize("kind", [assay.Judge, assay.AsyncJudge])
def test_a_judge_is_not_sent_to_another_process(kind):
    with pytest.raises(TypeError, match="make one in each process"):
        pickle.dumps(kind())


def test_rows_are_plain_data_for_who_keeps_them(judge):
    row = json.loads(msgspec.json.encode(judge.verdict(PROBLEM, WRONG)))
    assert (row["problem_id"], row["outcome"], row["cases"]) == ("double", "wrong_answer", "10")
