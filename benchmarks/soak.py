"""Kills the processes of a run with SIGKILL, at random moments, and looks whether every sample still gets exactly one true verdict.

    python benchmarks/soak.py --seconds 600

A run judges programs whose verdicts are known. Meanwhile agents, zygotes, judge forks, the jails' first processes, launchers and the engine
itself are killed, one at a time; an engine that was killed is started again with the same command, which goes on where it stopped. When a
run is through, its verdicts are compared and whatever is left of it is looked for: processes (this process takes in all that are orphaned),
memory cgroups, verdicts that are missing, wrong or there twice. Then the next run begins, until the time is up. Exit status 1 if anything
was wrong. An agent that is killed twice in a row is its program's own death to assay: kills are far enough apart for that not to happen.
"""

from __future__ import annotations

import argparse
import collections
import ctypes
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

KINDS = ("agent", "judge fork", "zygote", "server", "launcher", "engine")
SET_CHILD_SUBREAPER = 36
JUDGES_REST_S = 10.0
"""So long a judge is let alone when one was killed: a second judge that dies over one sample makes it `forbidden`, and that is no fault."""
SOME_HAVE_NONE, OUR_FAULT = 1, 70
"""Exit statuses: some samples have no verdict, a fault of assay's own."""

GONE_S = 15.0
"""How long what belonged to an engine that has ended may take to end."""

TRIES = 20
"""So often at most a run that broke off is begun again with nobody killed in between."""

TEXTS = {
    "passed": "def f(x):\n    return x + 1\n",
    "wrong_answer": "def f(x):\n    return x\n",
    "runtime_error": "def f(x):\n    raise ValueError(x)\n",
    "time_limit": "import time\ndef f(x):\n    time.sleep(9)\n",
    "memory_limit": "def f(x):\n    return bytearray(1 << 46)\n",
    "syntax_error": "def f(x:\n",
}
SHARES = (
    ("passed",) * 40 + ("wrong_answer",) * 20 + ("runtime_error",) * 10 + ("time_limit", "memory_limit", "syntax_error")
)


@dataclass
class Tally:
    """What happened: runs that came to their end, verdicts that were compared, kills by kind, and everything that was wrong.

    A run that is killed twice while its sandbox starts may break off: it says so, and goes on when it is started again.
    """

    runs: int = 0
    verdicts: int = 0
    starts: int = 0
    broke_off: int = 0
    kills: collections.Counter[str] = field(default_factory=collections.Counter)
    faults: list[str] = field(default_factory=list)
    judges_rest_until_s: float = 0.0

    def __str__(self) -> str:
        kills = ", ".join(f"{self.kills[kind]} {kind}" for kind in KINDS)
        begun = f"{self.runs} runs in {self.starts} starts ({self.broke_off} broke off)"
        return f"{begun}, {self.verdicts} verdicts; killed {kills}; {len(self.faults)} faults"


@dataclass(frozen=True)
class Plan:
    """For how long to soak, at least how many kills, how far apart these are (least, most), how large a run is, on how many workers."""

    seconds: float
    kills: int = 0
    apart_s: tuple[float, float] = (0.6, 1.6)
    problems: int = 6
    workers: int = 2


def soak(plan: Plan, chance: random.Random) -> Tally:
    """Judges and kills until the time is up; the last run is let through."""
    ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    tally, end = Tally(), time.monotonic() + plan.seconds
    while is_wanted(plan, end, tally):
        with tempfile.TemporaryDirectory(prefix="assay-soak-") as folder:
            expected = write_work(Path(folder), plan, chance)
            judge_to_the_end(command(Path(folder), plan), end, plan, chance, tally)
            compare(Path(folder) / "run" / "verdicts.jsonl", expected, tally)
    return tally


def is_wanted(plan: Plan, end: float, tally: Tally) -> bool:
    """Whether there is still to be killed."""
    return time.monotonic() < end or tally.kills.total() < plan.kills


def write_work(folder: Path, plan: Plan, chance: random.Random) -> dict[tuple[str, int], str]:
    """Writes problems and samples; the outcome that each sample must get."""
    expected, rows = {}, []
    for number in range(plan.problems):
        for index, outcome in enumerate(chance.sample(SHARES, len(SHARES))):
            expected[f"p{number}", index] = outcome
            rows.append({"problem_id": f"p{number}", "solution": f"{TEXTS[outcome]}# {number} {index}\n"})
    problems = [
        {
            "id": f"p{number}",
            "prompt": "Add one.",
            "entry_point": "f",
            "reference": TEXTS["passed"],
            "tests": [f"assert f({number}) == {number + 1}", "assert f(-1) == 0"],
            "limits": {"time_s": 0.3, "wall_s": 60, "memory_mib": 256},
        }
        for number in range(plan.problems)
    ]
    for name, content in (("problems", problems), ("samples", rows)):
        (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in content))
    return expected


def command(folder: Path, plan: Plan) -> list[str]:
    """The command line of a run, and of each of its continuations."""
    judge = [sys.executable, "-m", "assay", "judge", str(folder / "problems.jsonl"), str(folder / "samples.jsonl")]
    return [*judge, "-o", str(folder / "run"), "--workers", str(plan.workers), "--no-cache"]


def judge_to_the_end(words: list[str], end: float, plan: Plan, chance: random.Random, tally: Tally) -> None:
    """Starts the run again and again until it has come to its end; kills, as long as there is time for it."""
    for _ in range(TRIES):
        engine = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        tally.starts += 1
        before = tally.kills.total()
        kill_now_and_then(engine, end, plan, chance, tally)
        told = engine.communicate()[1].decode(errors="replace")
        see_everything_gone(tally)
        if engine.returncode == 0:
            tally.runs += 1
            return
        tally.broke_off += engine.returncode == OUR_FAULT
        expected = (SOME_HAVE_NONE, -signal.SIGKILL, OUR_FAULT if tally.kills.total() > before + 1 else -signal.SIGKILL)
        if engine.returncode not in expected:
            tally.faults.append(f"exit status {engine.returncode}: {told[-500:]}")
    tally.faults.append(f"a run did not come to its end in {TRIES} starts")


def kill_now_and_then(
    engine: subprocess.Popen[bytes], end: float, plan: Plan, chance: random.Random, tally: Tally
) -> None:
    """Kills until the engine has ended."""
    while engine.poll() is None:
        try:
            engine.wait(chance.uniform(*plan.apart_s))
        except subprocess.TimeoutExpired:
            if is_wanted(plan, end, tally):
                kill_one(engine.pid, chance, tally)


def kill_one(engine: int, chance: random.Random, tally: Tally) -> None:
    """Kills one process of some kind, if there is one; an engine only when it has begun to judge."""
    found, judges = family(engine)
    if not found["zygote"]:
        return
    if time.monotonic() < tally.judges_rest_until_s:
        found = {kind: [pid for pid in pids if pid not in judges] for kind, pids in found.items()}
    kind = chance.choice([kind for kind in KINDS if found[kind]])
    victim = chance.choice(found[kind])
    try:
        os.kill(victim, signal.SIGKILL)
    except ProcessLookupError:
        return
    tally.kills[kind] += 1
    if victim in judges:
        tally.judges_rest_until_s = time.monotonic() + JUDGES_REST_S


def family(engine: int) -> tuple[dict[str, list[int]], set[int]]:
    """The processes of an engine by what they are: below it launchers, below each a server, below that the zygote and its children. And
    which of them are on the judge's side.
    """
    children = collections.defaultdict(list)
    for pid, parent in parents().items():
        children[parent].append(pid)
    found: dict[str, list[int]] = {kind: [] for kind in KINDS} | {"engine": [engine]}
    judges: set[int] = set()
    for launcher in children[engine]:
        role = "judge fork" if name_of(launcher) == "launch-judge" else "agent"
        found["launcher"].append(launcher)
        for server in children[launcher]:
            found["server"].append(server)
            first, *others = sorted(children[server]) or [0]
            found["zygote"] += [first] if first else []
            found[role] += others
            if role == "judge fork":
                judges |= {launcher, server, first, *others}
    return found, judges


def parents() -> dict[int, int]:
    """The parent of each living process."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                state, parent = (folder / "stat").read_text("utf-8", "replace").rpartition(") ")[2].split()[:2]
            except OSError:
                continue
            if state != "Z":
                found[int(folder.name)] = int(parent)
    return found


def name_of(pid: int) -> str:
    """The name that a process shows, empty where it has gone."""
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def see_everything_gone(tally: Tally) -> None:
    """Waits for all that was orphaned, and tells what does not end."""
    end = time.monotonic() + GONE_S
    while time.monotonic() < end:
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.05)
        except ChildProcessError:
            return
    left = [f"{pid} {name_of(pid)}" for pid, parent in parents().items() if parent == os.getpid()]
    tally.faults.append(f"still there after {GONE_S:g} s: {', '.join(left)}")


def compare(path: Path, expected: dict[tuple[str, int], str], tally: Tally) -> None:
    """Notes every verdict that is missing, there twice or not what it must be."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    # a `system_error` is no verdict: the next start judges the sample again, and appends the row that counts
    rows = [row for row in rows if "problem_id" in row and row["outcome"] != "system_error"]
    told = collections.Counter((row["problem_id"], row["sample_index"]) for row in rows)
    got = {(row["problem_id"], row["sample_index"]): row for row in rows}
    tally.verdicts += len(got)
    tally.faults += [f"{key} has {count} verdicts" for key, count in told.items() if count > 1]
    tally.faults += [f"{key} has no verdict" for key in expected.keys() - got.keys()]
    for key in expected.keys() & got.keys():
        outcome = got[key]["outcome"]
        if outcome != expected[key]:
            tally.faults.append(f"{key} is {expected[key]} and was called {outcome}: {got[key]['message'][:200]}")


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=20.0, help="how long to kill (20)")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0, help="of kinds, victims and moments")
    asked = parser.parse_args()
    tally = soak(Plan(asked.seconds, workers=asked.workers), random.Random(asked.seed))
    print(tally)
    for fault in tally.faults:
        print(f"  {fault}")
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
