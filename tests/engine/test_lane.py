"""Who died decides what is tried again: a server or judge that is ended in mid-run costs no sample its verdict, nor fails one."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import msgspec
import pytest
from court import Found, parents, problem, processes_below

from assay.engine import Settings, Work, judge_work
from assay.records import Mode, Outcome, Sample

ECHO = "def f(x):\n    return x\n"
SAMPLES = 60


class Killing(Found):
    """Ends processes of the engine's with SIGKILL when the tenth verdict comes."""

    def __init__(self, choose) -> None:
        super().__init__()
        self._choose = choose
        self.killed: list[int] = []

    def verdict(self, verdict):
        super().verdict(verdict)
        if len(self.verdicts) == 10:
            for pid in self._choose():
                os.kill(pid, signal.SIGKILL)
                self.killed.append(pid)


def below(role: str, depth: int) -> list[int]:
    """Descendants of this process that serve a role: at depth 0 the launchers, at 1 the jails' first processes, at 2 theirs.

    The first of those at 2 is the zygote, from which the others were cloned.
    """
    known = parents()
    wanted = f'"role": "{role}"'.encode()
    generation = {pid for pid, parent in known.items() if parent == os.getpid()}
    found = {pid for pid in generation if wanted in Path(f"/proc/{pid}/cmdline").read_bytes()}
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
