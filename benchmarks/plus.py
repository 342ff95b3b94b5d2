"""Plus sets: assay and EvalPlus on the same references, base and plus inputs, in one interleaved run.

    python -m venv evalplus && evalplus/bin/pip install evalplus==0.3.1
    python benchmarks/plus.py --evalplus evalplus/bin/python --data MbppPlus.jsonl
    python benchmarks/plus.py --evalplus evalplus/bin/python --data HumanEvalPlus.jsonl --benchmark humanevalplus --copies 2

The work is cut into rounds, and each round runs both on the same programs: the references, each copy made different by a comment. What is
expected comes from each side's cache: EvalPlus has its expected outputs before its clock starts, assay its calibrations in a folder that
is filled before the first round. With `--cold` both compute it, and what that costs is counted on both sides. Problems whose reference
takes longer than `--slowest` seconds are left out: there both only wait for the reference. EvalPlus runs a program in a forked process of
the harness with builtins taken away; give it a machine that has nothing to lose, although references are all that it runs here.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from throughput import WORKERS, Count, cpu_since

from assay.benchmarks import load
from assay.engine import Settings, Work, judge_work
from assay.records import Mode, Problem, Sample

DATASETS = {"mbppplus": ("mbpp", "MBPP_OVERRIDE_PATH"), "humanevalplus": ("humaneval", "HUMANEVAL_OVERRIDE_PATH")}
"""What EvalPlus calls the set, and where it looks for a file of it."""


class Verdicts(Count):
    """Keeps how long each sample took, too."""

    def __init__(self) -> None:
        super().__init__()
        self.times: dict[str, float] = {}

    def verdict(self, verdict: Any) -> None:
        """Counts a verdict."""
        super().verdict(verdict)
        if verdict.passed:
            self.times[verdict.problem_id] = verdict.time_s


def assay(problems: list[Problem], copies: int, *, cache: bool) -> tuple[Verdicts, dict[str, float]]:
    """Judges the references; seconds count from the moment that the workers stand, CPU seconds with their start."""
    found = Verdicts()
    before, own = resource.getrusage(resource.RUSAGE_CHILDREN), time.process_time()
    work = [Work(p, lambda p=p: iter(samples(p, copies)), copies) for p in problems]
    judge_work(work, Settings(workers=WORKERS, cache=cache), found, lambda _p, _i: None)
    seconds = time.perf_counter() - found.start
    return found, {"seconds": seconds, "cpu": cpu_since(before) + time.process_time() - own, "passed": found.passed}


def samples(problem: Problem, copies: int) -> list[Sample]:
    """The reference, so many times."""
    texts = [f"# copy {n}\n{problem.reference}" for n in range(copies)]
    return [Sample(problem_id=problem.id, index=n, text=text, mode=Mode.SOLUTION) for n, text in enumerate(texts)]


def evalplus(arguments: argparse.Namespace, ids: list[str]) -> dict[str, Any]:
    """EvalPlus's answer for the same work."""
    dataset, variable = DATASETS[arguments.benchmark]
    work = {"dataset": dataset, "ids": ids, "copies": arguments.copies, "workers": WORKERS}
    script = Path(__file__).with_name("yardsticks") / "evalplus_side.py"
    done = subprocess.run(
        [arguments.evalplus, str(script)],
        input=json.dumps(work),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env={**os.environ, variable: str(Path(arguments.data).absolute())},
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    if answer["failed"]:
        print(f"EvalPlus fails references: {' '.join(answer['failed'])}", file=sys.stderr)
    return answer


def choose(arguments: argparse.Namespace) -> list[Problem]:
    """The problems whose references pass, and fast enough."""
    problems = list(load(arguments.benchmark, data=arguments.data).problems)[: arguments.problems]
    found, _ = assay(problems, 1, cache=not arguments.cold)
    kept = [p for p in problems if found.times.get(p.id, arguments.slowest + 1) <= arguments.slowest]
    print(f"{len(kept)} of {len(problems)} problems, each reference within {arguments.slowest:g} s", file=sys.stderr)
    return kept


def run(arguments: argparse.Namespace) -> list[tuple[int, dict[str, float], dict[str, float]]]:
    """`(tasks, EvalPlus's figures, assay's figures)` of each round; assay's CPU without the start of its workers."""
    problems, rows = choose(arguments), []
    for number in range(arguments.rounds):
        part = problems[number :: arguments.rounds]
        theirs = evalplus(arguments, [p.id for p in part])
        if arguments.cold:
            theirs["cpu"] += theirs["expected_cpu"]
            theirs["seconds"] += theirs["expected_seconds"]
        start = assay([], 0, cache=False)[1]["cpu"]
        ours = assay(part, arguments.copies, cache=not arguments.cold)[1]
        ours["cpu"] -= start
        rows.append((len(part) * arguments.copies, theirs, ours))
        told = " ".join(f"{way['cpu'] * 1e3 / rows[-1][0]:.1f}" for way in rows[-1][1:])
        print(f"round {number + 1}: CPU ms each {told} (EvalPlus, assay)", file=sys.stderr)
    return rows


def show(rows: list[tuple[int, dict[str, float], dict[str, float]]]) -> None:
    """The table: medians over rounds, ratios round by round with their range."""
    print("| way | tasks | tasks/s | CPU ms each | passed |\n|---|---|---|---|---|")
    for name, way in (("EvalPlus", 1), ("assay", 2)):
        figures: list[tuple[int, dict[str, float]]] = [(row[0], row[way]) for row in rows]  # type: ignore[misc] # a row's second and third
        rate = statistics.median(n / f["seconds"] for n, f in figures)
        cpu_ms = statistics.median(1e3 * f["cpu"] / n for n, f in figures)
        passed = sum(f["passed"] for _, f in figures)
        print(f"| {name} | {sum(n for n, _ in figures)} | {rate:.0f} | {cpu_ms:.1f} | {passed:.0f} |")
    for what in ("seconds", "cpu"):
        ratios = sorted(theirs[what] / ours[what] for _, theirs, ours in rows)
        print(
            f"\nEvalPlus's {what} / assay's: {statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})",
            end="",
        )
    print()


def main() -> None:
    """Parses the command line and measures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evalplus", help="an interpreter that has evalplus installed")
    parser.add_argument("--benchmark", default="mbppplus", choices=DATASETS)
    parser.add_argument("--data", help="EvalPlus's release file, not compressed")
    parser.add_argument("--copies", type=int, default=10)
    parser.add_argument("--problems", type=int, default=None)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slowest", type=float, default=0.2)
    parser.add_argument("--cold", action="store_true", help="no cache on either side")
    arguments = parser.parse_args()
    if arguments.evalplus is None or arguments.data is None:
        print("not measured: it needs --evalplus and --data (see the head of this file)")
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ASSAY_CACHE"] = folder
        show(run(arguments))


if __name__ == "__main__":
    main()
