"""What is not a program's own doing is not held against it: no processor for long, or somebody who ends its judge."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from court import judge, problem

from assay.engine import lane
from assay.engine.endings import STARVED, Starved, require_fair, was_starved, whose_end, with_patience
from assay.engine.exchange import patience_s
from assay.engine.links import JudgeDied
from assay.errors import SandboxError
from assay.records import Execution, Limits, Outcome, StoppedBy

HERE = Path(__file__).parent
FACTS = Execution(stopped_by=StoppedBy.WALL, time_s=0.1, cpu_s=0.5, wall_s=20.0)

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
    assert not was_starved(msgspec.structs.replace(FACTS, time_s=11.0))
    assert not was_starved(msgspec.structs.replace(FACTS, stopped_by=StoppedBy.TIME))


@pytest.mark.parametrize("limits", [Limits(time_s=2.0), Limits(time_s=2.0, wall_s=60.0)])
def test_patience_is_many_times_the_limit_on_the_clock_and_the_engine_waits_for_it(limits):
    patient = with_patience(limits)
    assert patient.wall_s == STARVED * 60.0
    assert patience_s(patient) > patient.wall_s
    assert msgspec.structs.replace(patient, wall_s=limits.wall_s) == limits


def test_a_starved_sample_gets_no_verdict_unless_somebody_has_set_the_limit_on_the_clock():
    with pytest.raises(Starved, match=r"the machine gave it 0\.5 s of a processor in 20 s"):
        require_fair(Limits(), FACTS)
    require_fair(Limits(wall_s=20.0), FACTS)
    require_fair(Limits(), msgspec.structs.replace(FACTS, time_s=15.0), msgspec.structs.replace(FACTS, stopped_by=None))


def test_a_starved_sample_is_told_so_and_the_others_are_judged(monkeypatch):
    async def starved_once(fork, task, source, *more, **named):
        return (None, FACTS) if "starved" in source else await asked(fork, task, source, *more, **named)

    asked = lane.judge_program
    monkeypatch.setattr(lane, "judge_program", starved_once)
    right = "def f(x):\n    return x\n"
    found = judge([(problem(right, "assert f(1) == 1", id="p"), [right, f"{right}# starved", f"{right}# 2"])])
    outcomes = [found.verdicts["p", number].outcome for number in range(3)]
    assert outcomes == [Outcome.PASSED, Outcome.SYSTEM_ERROR, Outcome.PASSED]
    assert "judge it again" in found.verdicts["p", 1].message


@pytest.mark.parametrize(
    ("facts", "kind", "words"),
    [
        (None, SandboxError, "knows nothing of"),
        ({"signal": 9, "stopped_by": None}, SandboxError, "knows nothing of"),
        ({"signal": 9, "stopped_by": None, "bystander": True}, SandboxError, "knows nothing of"),
        ({"signal": 9, "stopped_by": StoppedBy.TIME}, JudgeDied, "the judge hit its limit \\(time\\)"),
        ({"signal": 11, "stopped_by": None}, JudgeDied, "^$"),
        ({"exit_code": 1, "stopped_by": None}, JudgeDied, "^$"),
    ],
    ids=["its server is gone", "killed", "memory of others", "too long", "a crash", "an end of its own"],
)
def test_only_an_end_that_is_explained_is_held_against_the_sample(facts, kind, words):
    ended = whose_end(JudgeDied(), facts and msgspec.structs.replace(FACTS, **facts))
    assert type(ended) is kind
    assert re.search(words, str(ended))


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
