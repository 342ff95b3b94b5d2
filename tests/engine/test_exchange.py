"""A machine that gives a reference no processor for long calls no reference invalid."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from assay.engine.exchange import STARVED, patience_s, was_starved, with_patience
from assay.records import Execution, Limits, StoppedBy

HERE = Path(__file__).parent
FACTS = Execution(stopped_by=StoppedBy.WALL, time_s=0.1, wall_s=10.0)

SCRIPT = """
import json, os, subprocess, sys
from court import Found, problem
from assay.engine import Settings, Work, judge_work
from assay.records import Limits, Mode, Sample, StdioCase, StdioTests

WORK = "import time\\ndef f(x):\\n    begun = time.process_time()\\n    while time.process_time() < begun + 0.2: pass\\n    return x\\n"
WHOLE = (StdioTests(cases=(StdioCase(stdin="", stdout="1\\n"),)),)
BURNS = "import time\\nend = time.monotonic() + 5\\nwhile time.monotonic() < end: pass\\n"

class Busy(Found):
    def started(self, isolation):
        words = ["nice", "-n", "-19", sys.executable, "-S", "-c", BURNS]
        self.burning = [subprocess.Popen(words, stderr=subprocess.DEVNULL) for _ in range(2 * os.cpu_count())]

found = Busy()
limits = Limits(time_s=5.0, wall_s=3.0)
if sys.argv[1] == "whole":
    asked = problem(WORK + "print(f(1))", id="starved", entry_point=None, limits=limits, tests=WHOLE)
else:
    asked = problem(WORK, "assert f(1) == 1", id="starved", limits=limits)
sample = Sample(problem_id="starved", index=0, text="def f(x): return 0", mode=Mode.SOLUTION)
work = [Work(asked, lambda: iter([sample]), 1)]
os.nice(10)
judge_work(work, Settings(workers=1, time_s=5.0), found, lambda _id, _index: None)
for one in found.burning:
    one.wait()
print(json.dumps([found.invalids, [v.outcome.value for v in found.verdicts.values()]]))
"""


def test_only_the_clock_ends_a_starved_process():
    assert was_starved(FACTS)
    assert not was_starved(msgspec.structs.replace(FACTS, time_s=6.0))
    assert not was_starved(msgspec.structs.replace(FACTS, stopped_by=StoppedBy.TIME))


@pytest.mark.parametrize("limits", [Limits(time_s=2.0), Limits(time_s=2.0, wall_s=20.0)])
def test_patience_is_many_times_the_limit_on_the_clock_and_the_engine_waits_for_it(limits):
    patient = with_patience(limits)
    assert patient.wall_s == STARVED * 20.0
    assert patience_s(patient) > patient.wall_s
    assert msgspec.structs.replace(patient, wall_s=limits.wall_s) == limits


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["function", "whole"])
def test_a_reference_that_waits_for_a_processor_is_given_time(kind):
    path = os.pathsep.join([str(HERE.parent / "judge"), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, kind],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": path},
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [{}, ["wrong_answer"]]
