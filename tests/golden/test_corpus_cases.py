"""Small hard cases come out as they should, at every level of isolation that this machine gives, and leave nothing behind.

Three tables say which cases come out otherwise, and how: what the design decides otherwise (decision 0009), what the lowest level can't
do, and what is wrong today. All are strict: a case that comes out in any other way than its table says turns the test red, also where it
comes out as the corpus wants it.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from corpus_cases import FLAKY, count_not_judged, not_judged, odd_details, outcome_of, read_cases, refused_row, right
from corpus_places import PLACES, Judged, run
from corpus_room import OURS, processes_below

if TYPE_CHECKING:
    from assay.records import Verdict

NOT_JUDGED = {
    "its mode is stdio": 32,
    "its backend is restricted": 5,
    "its language is javascript": 5,
    "its language is cpp": 5,
    "its language is bash": 1,
    "its asserts mean another equality than Python's": 1,
}

DECIDED = {
    "fp-fd-spray": ("forbidden", "what writes to the judge's channel is forbidden, whatever its answers are"),
    "fp-settrace-jump": ("runtime_error", "the tests lie in no file that the program could read, nor does the program"),
    "nd-hash-builtin": (
        "passed",
        "one trial has fixed seeds, so that a run can be repeated; further trials tell (see below)",
    ),
    "hang-eq-loop": ("wrong_answer", "an object's == is not asked where the answer could be plain, so nothing hangs"),
    "pt-mixed": ("time_limit", "a limit is a sample's: the tests behind one that never ends are not run"),
}
"""What DESIGN decides otherwise: the outcome, and why."""

LOWEST_LACKS = {
    "fp-patch-own-tests": "files",
    "fp-result-file": "files",
    "fs-big-symlink": "files",
    "fs-fill-disk": "files",
    "fs-write-cwd": "files",
    "hang-sigstop": "signals",
    "kill-self": "signals",
    "leak-double-fork": "processes",
    "leak-loop-grandchild": "processes",
    "leak-odd-names": "files",
    "leak-shm": "files",
    "leak-tempfiles": "files",
    "net-loopback": "sockets",
    "st-poison-next": "files",
}
"""What can't be at L2, where a program has none of these: they end as `runtime_error`."""

WRONG_TODAY: dict[str, tuple[str, str]] = {}
"""What is to be put right: the outcome today, and its cause."""

WATCHED = {
    "no_processes_left": "survivors, processes",
    "runner_alive": "the run came to its end",
    "no_file": "files, the next sample",
    "tmp_unchanged": "files, strays, the next sample",
    "dev_shm_unchanged": "strays, the next sample",
    "next_sample_unaffected": "the next sample",
    "sentinel_intact": "files",
}
"""The promises about what is there after a case, each with what is looked at for it: all of it for every case."""

AT_EVERY_PLACE = [pytest.param(name, marks=[] if n == 0 else pytest.mark.slow) for n, name in enumerate(PLACES)]
KIB, MIB = 1 << 10, 1 << 20


@pytest.fixture(scope="module")
def cases(shared):
    """The cases that can be judged."""
    return [case for case in read_cases(shared) if not_judged(case) is None]


@pytest.fixture(scope="module", params=AT_EVERY_PLACE)
def judged(request, cases):
    """All cases, judged at one place."""
    return run(PLACES[request.param], [case for case in cases if "host" not in case])


def allowed(case: dict, level: str) -> set[str]:
    """The outcomes that a case may have at a level."""
    known = case["id"]
    if known in DECIDED:
        return {DECIDED[known][0]}
    if level == "L2" and known in LOWEST_LACKS:
        return {"runtime_error", "forbidden"}
    if known in WRONG_TODAY:
        return {WRONG_TODAY[known][0]}
    return right(case)


def candidate_verdicts(judged: Judged, case: dict) -> list[Verdict]:
    return judged.verdicts.get(case["id"], [])[:-1]


@pytest.mark.shared
def test_every_case_is_judged_or_counted_with_the_reason_why_not(shared):
    cases = read_cases(shared)
    assert len(cases) == 219
    assert count_not_judged(cases) == NOT_JUDGED
    judged = [case for case in cases if not_judged(case) is None]
    assert Counter(case["mode"] for case in judged) == {"assert": 147, "differential": 16, "check": 4, "completion": 3}
    assert len({case["kind"] for case in judged}) == 98


@pytest.mark.shared
def test_the_tables_and_the_watches_are_for_cases_that_are_judged(cases):
    tables = (DECIDED, LOWEST_LACKS, WRONG_TODAY)
    assert {known for table in tables for known in table} <= {case["id"] for case in cases}
    promises = {word.partition(":")[0] for case in cases for word in case["expected"].get("after", ())}
    assert promises == WATCHED.keys()


@pytest.mark.shared
@pytest.mark.timeout(600)
def test_every_case_comes_out_as_it_should(cases, judged):
    odd = []
    for case in (case for case in cases if "host" not in case):
        verdicts, invalid = candidate_verdicts(judged, case), judged.invalids.get(case["id"])
        assert len(verdicts) == (0 if invalid is not None else case.get("repeat", 1)), case["id"]
        outcome = outcome_of(verdicts, invalid)
        if outcome not in allowed(case, judged.level):
            odd.append((case["id"], outcome, invalid or verdicts[0].message))
    assert odd == []


@pytest.mark.shared
@pytest.mark.timeout(600)
def test_a_program_that_rests_on_seeds_is_found_out_by_trials(cases):
    seeded = [case | {"repeat": 1} for case in cases if case["id"].startswith("nd-") and "repeat" in case]
    found = run(PLACES["as this machine gives it"], seeded, trials=8)
    outcomes = {}
    for case in seeded:
        (verdict,) = candidate_verdicts(found, case)
        assert verdict.trials == 8
        outcomes[case["id"]] = FLAKY if verdict.flaky else verdict.outcome.value
        assert outcomes[case["id"]] in right(case), case["id"]
    assert {outcomes["nd-hash-builtin"], outcomes["nd-random"]} == {FLAKY}
    assert {outcomes["nd-set-int"], outcomes["nd-set-equal"]} == {"passed"}


@pytest.mark.shared
@pytest.mark.timeout(600)
def test_single_tests_and_messages_of_right_verdicts_are_right_too(cases, judged):
    odd = {}
    for case in cases:
        verdicts = candidate_verdicts(judged, case)
        lacks = judged.level == "L2" and case["id"] in LOWEST_LACKS
        if verdicts and not lacks and outcome_of(verdicts, None) in right(case):
            odd[case["id"]] = odd_details(case, verdicts[0])
    assert len(odd) > 100
    assert {known: details for known, details in odd.items() if details} == {}


@pytest.mark.shared
@pytest.mark.timeout(600)
def test_a_check_refuses_the_problems_whose_reference_is_said_to_fail(cases, judged):
    rows = [row for row in map(refused_row, cases) if row is not None]
    assert len(rows) == 2
    for row in rows:
        assert judged.invalids[row["id"]].startswith("the reference fails its own tests")


@pytest.mark.shared
@pytest.mark.timeout(600)
def test_no_sample_finds_a_trace_of_another(judged):
    found = {verdicts[-1].message for verdicts in judged.verdicts.values()}
    assert len(found) == 1, found
    folders = "['PermissionError', 'PermissionError', 'PermissionError']" if judged.level == "L2" else "[[], [], []]"
    assert found.pop().startswith(f"LookupError: {folders}")


@pytest.mark.shared
@pytest.mark.timeout(600)
def test_nothing_is_left_behind(judged):
    told = judged.told
    assert told["survivors"] == []
    assert told["processes"] == []
    assert told["after"] == told["before"]
    if os.geteuid() == 0:  # then what belongs to another is either a sample's or a stranger's
        assert told["strays"] == []
    assert {v.isolation for verdicts in judged.verdicts.values() for v in verdicts} == {judged.level}


@pytest.mark.shared
@pytest.mark.timeout(600)
@pytest.mark.parametrize("place", AT_EVERY_PLACE)
def test_lower_limits_of_the_host_are_kept_to(place, cases):
    (case,) = (case for case in cases if "host" in case)
    host = case["host"]
    limits = {"RLIMIT_AS": host["RLIMIT_AS_hard_mb"] * MIB, "RLIMIT_STACK": host["RLIMIT_STACK_hard_kb"] * KIB}
    found = run(PLACES[place], [case], limits)
    assert outcome_of(candidate_verdicts(found, case), None) in right(case)


def test_the_room_would_see_a_process_of_a_sample():
    words = "echo started; exec sleep 600"
    for _ in range(OURS + 1):
        words = f"sh -c {shlex.quote(words)} & wait"
    with subprocess.Popen(["sh", "-c", words], stdout=subprocess.PIPE, start_new_session=True) as ours:
        try:
            assert ours.stdout.readline() == b"started\n"
            deepest: list[tuple[int, str]] = []
            while not any(
                said.startswith("sleep") for _, said in deepest
            ):  # it has said so before it became another program
                deepest = [(depth, said) for depth, said in processes_below(ours.pid) if depth > OURS]
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(ours.pid, signal.SIGKILL)
    assert deepest == [(OURS + 1, "sleep 600 ")]
