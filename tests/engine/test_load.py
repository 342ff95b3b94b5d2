"""A machine that is busy with other work changes no verdict: effective time decides, and who makes himself wait gains nothing.

The tests load the machine themselves, with four burners on all of its processors. Wall time, the far backstop, is out of reach here.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys

import corpus_cases
import pytest
from corpus_cases import not_judged, outcome_of, read_cases
from corpus_places import Place, run
from court import judge, problem

from assay.engine import Settings
from assay.records import Limits, Outcome

LIMITS = Limits(time_s=1.0, wall_s=600.0)
HALF_A_SECOND = """
import time
def f(x):
    begun = time.process_time()
    while time.process_time() < begun + 0.5: pass
    return x
"""
THREADS = """
import hashlib, threading
def work():
    while True: hashlib.sha256(bytes(1 << 20)).digest()
def f(x):
    for _ in range(6): threading.Thread(target=work, daemon=True).start()
    work()
"""
PROCESSES = """
import os
def f(x):
    for _ in range(5):
        if os.fork() == 0: break
    while True: pass
"""
PROGRAMS = {
    "works for half of its time": (HALF_A_SECOND, Outcome.PASSED),
    "sleeps for half of its time": ("import time\ndef f(x):\n    time.sleep(0.5)\n    return x\n", Outcome.PASSED),
    "works on and on": ("def f(x):\n    while True: pass\n", Outcome.TIME_LIMIT),
    "sleeps on and on": ("import time\ndef f(x):\n    time.sleep(600)\n", Outcome.TIME_LIMIT),
    "works in threads that hold each other up": (THREADS, Outcome.TIME_LIMIT),
    "works in processes that hold each other up": (PROCESSES, Outcome.TIME_LIMIT),
}
WRONG = "def f(x):\n    return -x\n"


@contextlib.contextmanager
def burners(count: int):
    """So many processes that work for as long as this lasts."""
    words = [sys.executable, "-S", "-c", "while True: pass"]
    burning = [subprocess.Popen(words, start_new_session=True) for _ in range(count)]
    try:
        yield
    finally:
        for one in burning:
            one.kill()
            one.wait()


def test_beside_four_burners_every_program_gets_the_verdict_of_an_idle_machine():
    asked = problem("def f(x):\n    return x\n", "assert f(1) == 1", id="busy", limits=LIMITS)
    with burners(4):
        found = judge([(asked, [*(text for text, _ in PROGRAMS.values()), WRONG])], Settings(workers=1, confirm=False))
    outcomes = [verdict.outcome for _, verdict in sorted(found.verdicts.items())]
    assert outcomes == [*(outcome for _, outcome in PROGRAMS.values()), Outcome.WRONG_ANSWER]


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_beside_four_burners_the_corpus_gets_the_verdicts_of_an_idle_machine(shared, monkeypatch):
    usual = corpus_cases._limits
    monkeypatch.setattr(corpus_cases, "_limits", lambda case: usual(case) | {"wall_s": 600.0})
    cases = [
        case
        for case in read_cases(shared)
        if case["kind"].split("/")[0] in ("hang", "speed") and not_judged(case) is None
    ]
    with burners(4):
        busy = run(Place("L2"), cases)
    idle = run(Place("L2"), cases)
    outcomes = [
        {case["id"]: outcome_of(found.verdicts[case["id"]][:-1], found.invalids.get(case["id"])) for case in cases}
        for found in (busy, idle)
    ]
    assert outcomes[0] == outcomes[1]


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_beside_four_burners_many_copies_of_a_program_that_works_all_pass(shared):
    scene = json.loads((shared / "corpus" / "load" / "cases.json").read_text("utf-8"))["busy"]
    asked = problem(None, scene["test"], id="copies", limits=Limits(time_s=scene["timeout_s"], wall_s=600.0))
    texts = [f"{scene['candidate']}# {n}\n" for n in range(scene["copies"])]
    with burners(4):
        found = judge([(asked, texts)], Settings(workers=os.cpu_count() or 1))
    assert {verdict.outcome for verdict in found.verdicts.values()} == {Outcome.PASSED}
    assert len(found.verdicts) == scene["copies"]
