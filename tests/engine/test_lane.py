"""Who died decides what is tried again: a server or judge that is ended in mid-run costs no sample its verdict, nor fails one."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
from pathlib import Path

import msgspec
import pytest
from court import Found, parents, problem, processes_below

from assay.engine import Settings, Work, judge_work
from assay.engine.worker import SLOTS
from assay.errors import SandboxError
from assay.records import Limits, Mode, Outcome, Sample

ECHO = "def f(x):\n    return x\n"
SAMPLES = 60


class Killing(Found):
    """Ends processes of the engine's with SIGKILL when the tenth verdict comes, or as soon after as there are any."""

    def __init__(self, choose) -> None:
        super().__init__()
        self._choose = choose
        self.killed: list[int] = []

    def verdict(self, verdict):
        super().verdict(verdict)
        if len(self.verdicts) >= 10 and not self.killed:
            for pid in self._choose():
                with contextlib.suppress(ProcessLookupError):  # it has ended since
                    os.kill(pid, signal.SIGKILL)
                    self.killed.append(pid)


def below(role: str, depth: int) -> list[int]:
    """Descendants of this process that serve a role: at depth 0 the launchers, at 1 the jails' first processes, at 2 theirs.

    The first of those at 2 is the zygote, from which the others were cloned.
    """
    known = parents()
    generation = {pid for pid, parent in known.items() if parent == os.getpid()}
    found = {pid for pid in generation if Path(f"/proc/{pid}/comm").read_text() == f"launch-{role}\n"}
    for _ in range(depth):
        found = {pid for pid, parent in known.items() if parent in found}
    return sorted(found)


def run(choose, workers: int = 2) -> Killing:
    asked = problem(ECHO, "assert f(1) == 1", id="echo")
    other = msgspec.structs.replace(asked, id="other")
    texts = [f"{ECHO}# {n}\n" for n in range(SAMPLES)]

    def samples(problem_id: str):
        return lambda: (Sample(problem_id=problem_id, index=n, text=t, mode=Mode.SOLUTION) for n, t in enumerate(texts))

    found = Killing(choose)
    work = [Work(p, samples(p.id), SAMPLES) for p in (asked, other)]
    judge_work(work, Settings(workers=workers), found, lambda _i, _n: None)
    return found


@pytest.mark.parametrize("role", ["agent", "judge"])
@pytest.mark.parametrize("depth", [0, 1, 2], ids=["launcher", "server", "zygote"])
def test_a_server_that_is_killed_in_mid_run_costs_no_sample_its_verdict(role, depth):
    found = run(lambda: below(role, depth)[:1])
    assert len(found.killed) == 1
    assert len(found.verdicts) == 2 * SAMPLES
    assert found.repeated == []
    assert found.invalids == {}
    assert {v.outcome for v in found.verdicts.values()} == {Outcome.PASSED}
    assert processes_below(os.getpid()) == set()


def test_all_servers_killed_at_once_are_started_again():
    found = run(lambda: below("agent", 0) + below("judge", 0), workers=1)
    assert len(found.killed) == 2
    assert len(found.verdicts) == 2 * SAMPLES
    assert {v.outcome for v in found.verdicts.values()} == {Outcome.PASSED}


def test_judge_forks_that_are_killed_in_mid_run_are_replaced():
    found = run(lambda: below("judge", 2)[1:], workers=1)
    assert found.killed
    assert len(found.verdicts) == 2 * SAMPLES
    assert {v.outcome for v in found.verdicts.values()} == {Outcome.PASSED}


SLOW = "import time\ndef f(x):\n    time.sleep(0.5)\n    return x\n"


def test_an_agent_that_somebody_else_kills_costs_its_sample_nothing():
    quick, slow = problem(ECHO, "assert f(1) == 1", id="quick"), problem(ECHO, "assert f(1) == 1", id="slow")
    samples = {
        "quick": [
            Sample(problem_id="quick", index=n, text=f"{ECHO}# {n}\n", mode=Mode.SOLUTION) for n in range(SAMPLES)
        ],
        "slow": [Sample(problem_id="slow", index=n, text=f"{SLOW}# {n}\n", mode=Mode.SOLUTION) for n in range(3)],
    }
    found = Killing(lambda: below("agent", 2)[1:])
    work = [Work(one, samples[one.id].__iter__, len(samples[one.id])) for one in (slow, quick)]
    judge_work(work, Settings(workers=1), found, lambda _i, _n: None)
    assert found.killed
    assert len(found.verdicts) == SAMPLES + 3
    assert {v.outcome for v in found.verdicts.values()} == {Outcome.PASSED}


KILLED_BY_THE_KERNEL = """
import resource
resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
def f(x):
    while True: pass
"""


@pytest.mark.slow
def test_a_program_that_has_the_kernel_kill_it_every_time_is_no_failure_of_ours():
    asked = problem(ECHO, "assert f(1) == 1", id="echo", limits=Limits(time_s=20))
    found = Found()
    sample = Sample(problem_id="echo", index=0, text=KILLED_BY_THE_KERNEL, mode=Mode.SOLUTION)
    judge_work([Work(asked, [sample].__iter__, 1)], Settings(workers=1), found, lambda _i, _n: None)
    assert found.verdicts["echo", 0].outcome is Outcome.RUNTIME_ERROR


class Refusing(Found):
    """At the tenth verdict the sandbox dies, and the machine has no descriptors left to start another."""

    def verdict(self, verdict):
        super().verdict(verdict)
        if len(self.verdicts) == 10:
            limit = len(list(Path("/proc/self/fd").iterdir()))
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
            for pid in below("agent", 0) + below("judge", 0):
                os.kill(pid, signal.SIGKILL)


def test_a_sandbox_that_fails_the_same_way_again_and_again_ends_the_run_and_fails_no_sample():
    many = 400
    asked = problem(ECHO, "assert f(1) == 1", id="echo")
    samples = [Sample(problem_id="echo", index=n, text=f"{ECHO}# {n}\n", mode=Mode.SOLUTION) for n in range(many)]
    found, before = Refusing(), resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        with pytest.raises(SandboxError, match=r"\d+ times in a row.*Too many open files"):
            judge_work([Work(asked, samples.__iter__, many)], Settings(workers=1), found, lambda _i, _n: None)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    outcomes = [verdict.outcome for verdict in found.verdicts.values()]
    assert set(outcomes) == {Outcome.PASSED, Outcome.SYSTEM_ERROR}
    assert len(outcomes) < many / 2
    reasons = [v.message for v in found.verdicts.values() if not v.passed]
    assert all(reasons)
    # those in flight when it was killed may be told of its death, twice
    assert sum("Too many open files" not in reason for reason in reasons) <= SLOTS
    assert found.invalids == {}
    assert processes_below(os.getpid()) == set()
