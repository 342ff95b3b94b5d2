"""A machine that gives layers when a run begins and refuses them half-way costs verdicts, never their truth, and ends the run early.

What is taken away is taken from the run alone: a control group's processes, a user namespace's namespaces. (`test_lane.py` takes
descriptors.) Slow, because each try to start the sandbox again is a start.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PIDS = Path("/sys/fs/cgroup/pids")
JUDGE = """
import json, os, sys
from assay.benchmarks import from_rows
from assay.engine import Settings, Work, judge_work
from assay.errors import SandboxError
from assay.records import Mode, Sample

place = sys.argv[1]
TEXTS = ("def f(x):\\n    return 2 * x\\n", "def f(x):\\n    return x\\n", "def f(x):\\n    raise KeyError(x)\\n")
(problem,) = from_rows([dict(id="double", prompt="", reference=TEXTS[0], tests=["assert f(2) == 4"])]).problems

def refuse():
    with open(place, "w") as file:
        file.write("0")

class Seen:
    told = []
    level = None
    def started(self, isolation): self.level = isolation.level
    def invalid(self, problem): self.told.append([-1, "invalid", problem.reason])
    def note(self, text): pass
    in_doubt = note
    def verdict(self, verdict):
        self.told.append([verdict.sample_index % 3, verdict.outcome.value, verdict.message])
        if len(self.told) == 9: refuse()

seen, end = Seen(), ""
samples = lambda: (Sample(problem_id="double", index=n, text=f"{TEXTS[n % 3]}# {n}", mode=Mode.SOLUTION) for n in range(300))
try:
    judge_work([Work(problem, samples, 300)], Settings(workers=1), seen, lambda _id, _index: None)
except SandboxError as error:
    end = str(error)
print(json.dumps([seen.level, seen.told, end]))
"""
TRUE = ("passed", "wrong_answer", "runtime_error")


def in_a_group(command):
    """The command in a control group of its own that counts processes; it gets the file of that limit."""
    group = PIDS / f"assay-test-{os.getpid()}"
    group.mkdir()
    try:
        words = ["sh", "-c", f'echo 0 > {group}/cgroup.procs; exec "$@"', "sh", *command]
        return subprocess.run([*words, f"{group}/pids.max"], capture_output=True, text=True, check=False)
    finally:
        group.rmdir()


def in_users_of_its_own(command):
    """The command as root of a user namespace that has every uid; it gets the file of a limit there."""
    words = 'echo; read -r _; exec setpriv --reuid 0 --regid 0 --clear-groups "$@"'
    started = subprocess.Popen(
        ["unshare", "--user", "sh", "-c", words, "sh", *command, "/proc/sys/user/max_pid_namespaces"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if started.stdout.readline():
        for name in ("uid_map", "gid_map"):
            Path(f"/proc/{started.pid}/{name}").write_text("0 0 4294967295\n")
    out, err = started.communicate("\n")
    return subprocess.CompletedProcess(started.args, started.returncode, out, err)


PLACES = {
    "processes": (in_a_group, "Resource temporarily unavailable"),
    "namespaces of processes": (in_users_of_its_own, "isolated at L4 when the run began and does at L2 now"),
}


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="to limit a control group or to map every uid needs root")
@pytest.mark.parametrize("what", PLACES)
def test_a_machine_that_refuses_half_way_gives_no_verdict_with_a_reason_and_the_run_ends_early(what):
    limited, reason = PLACES[what]
    if limited is in_a_group and not os.access(PIDS / "cgroup.procs", os.W_OK):
        pytest.skip("needs a writable control group of version 1 that counts processes, at /sys/fs/cgroup/pids")
    done = limited([sys.executable, "-c", JUDGE])
    assert done.returncode == 0, done.stderr[-2000:]
    level, told, end = json.loads(done.stdout)
    assert level == "L4"
    assert reason in end
    assert len(told) < 100
    failed = [(kind, outcome, why) for kind, outcome, why in told if outcome == "system_error"]
    assert failed
    assert all(why for _, _, why in failed)
    assert all(outcome == TRUE[kind] for kind, outcome, _ in told if outcome != "system_error")
