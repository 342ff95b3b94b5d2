"""Where memory runs out, a sample is judged by a run that shows whose memory it was, or by none."""

from __future__ import annotations

import asyncio

import pytest
from court import judge, problem
from kernel_memory import FILL

from assay.engine import Settings
from assay.engine.calm import TRIES, Calm, run_until_clear
from assay.errors import SandboxError
from assay.records import Execution, Limits, Outcome

BYSTANDER, CLEAR = Execution(signal=9, bystander=True), Execution(exit_code=0)


def runs(*facts):
    """What comes of runs that end so, one after the other, and how each was asked for."""
    asked, left = [], list(facts)

    async def run(alone):
        asked.append(alone)
        return left.pop(0)

    return asyncio.run(run_until_clear(Calm(), run, lambda facts: facts)), asked


def test_a_run_that_was_disturbed_is_repeated_alone():
    assert runs(CLEAR) == (CLEAR, [False])
    assert runs(BYSTANDER, CLEAR) == (CLEAR, [False, True])
    assert runs(BYSTANDER, BYSTANDER, CLEAR) == (CLEAR, [False, True, True])


def test_one_that_is_always_disturbed_is_our_failure_and_its_message_says_what_ran_out():
    with pytest.raises(SandboxError, match=f"memory ran out round the sandbox {1 + TRIES} times"):
        runs(*[BYSTANDER] * (1 + TRIES))


def test_who_is_alone_begins_after_the_others_and_keeps_them_waiting():
    told = []

    async def work(calm, name, steps, *, alone=False):
        await calm.begin(alone=alone)
        told.append(f"{name} begins")
        for _ in range(steps):
            await asyncio.sleep(0)
        told.append(f"{name} ends")
        calm.end(alone=alone)

    async def all_of_them():
        calm = Calm()
        await asyncio.gather(
            work(calm, "a", 3), work(calm, "b", 5), work(calm, "alone", 5, alone=True), work(calm, "c", 1)
        )

    asyncio.run(all_of_them())
    assert told == [
        *("a begins", "b begins", "a ends", "b ends"),
        *("alone begins", "alone ends", "c begins", "c ends"),
    ]


def test_one_that_gave_up_waiting_to_be_alone_keeps_nobody_waiting():
    async def both():
        calm = Calm()
        await calm.begin()
        waiting = asyncio.ensure_future(calm.begin(alone=True))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        await asyncio.wait_for(calm.begin(), 10)
        return True

    assert asyncio.run(both())


FILLS_THE_KERNEL = f"""{FILL}

def f(x):
    for _ in range(12):
        if os.fork() == 0:
            fill()
    for _ in range(12):
        os.wait()
    return x
"""
HOLDS_A_LITTLE = """
import time

def f(x):
    held = b"x" * (40 << 20)
    time.sleep(2.5)
    return x
"""


@pytest.mark.slow
def test_of_two_samples_only_the_one_that_fills_the_kernels_memory_is_over_its_limit():
    limits = Limits(time_s=60.0, wall_s=90.0, memory_mib=64, disk_mib=16, processes=16, open_files=1024)
    asked = problem("def f(x):\n    return x\n", "assert f(1) == 1", id="echo", limits=limits)
    found = judge([(asked, [FILLS_THE_KERNEL, HOLDS_A_LITTLE])], Settings(workers=1))
    if found.isolation is not None and "memory cgroup" in found.isolation.missing:
        pytest.skip("no memory cgroup can be made here")
    outcomes = [found.verdicts["echo", index].outcome for index in (0, 1)]
    assert outcomes == [Outcome.MEMORY_LIMIT, Outcome.PASSED]
