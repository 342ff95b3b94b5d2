"""Samples a second: a bare fork, a subprocess a sample, and assay, on the same work in one interleaved run.

    python benchmarks/throughput.py --data mbpp.jsonl --copies 5
    python benchmarks/throughput.py --data mbpp.jsonl --samples samples.jsonl

Each round runs all the work every way, one after the other, so that a drift of the machine's speed meets all alike.
Without `--samples` the programs are the benchmark's references, each copy made different by a comment; no result is used twice.
`fork` and `subprocess` only look at the exit status: a program's own tests are appended to it. They are run without network, as an
unprivileged user and in namespaces of their own (util-linux' `unshare` and `setpriv`, prices not counted); assay needs no such help.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.benchmarks import load
from assay.engine import Settings, Work, judge_work, links
from assay.programs import assemble
from assay.records import AssertTests, Mode, Problem, Sample
from assay.sandbox import Ended
from assay.store import open_samples

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.engine import HiddenMode

TIMEOUT_S = 5
WORKERS = 2
SLOW = {"mbpp": {"123"}}
"""Problems left out: their references take seconds, and would drown the cost of everything else."""


def clean_python() -> str:
    """The interpreter of the two yardsticks: one without site hooks of its own, which can triple its start.

    For like against like run this file with the same one (`PYTHONPATH` may name the packages of a virtual environment).
    """
    return shutil.which("python3", path="/usr/bin:/usr/local/bin") or sys.executable


def program_with_tests(problem: Problem, source: str) -> str:
    """What the usual way runs: the program, the setup, the asserts."""
    tests = [case for t in problem.tests if isinstance(t, AssertTests) and t.group == "base" for case in t.cases]
    return "\n".join([source.replace("\r\n", "\n"), problem.setup.replace("\r\n", "\n"), *tests]) + "\n"


def walled(command: list[str]) -> list[str]:
    """The command without network, in namespaces of its own, as an unprivileged user: for what runs programs unguarded."""
    root = os.geteuid() == 0
    user = [] if root else ["--map-root-user"]
    wall = ["unshare", *user, "--net", "--pid", "--ipc", "--fork", "--kill-child", "--mount-proc"]
    who = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] if root else ["setpriv"]
    return [*wall, *who, "--no-new-privs", *command]


def baseline(way: str, programs: list[str]) -> tuple[float, float, int]:
    """`(seconds, CPU seconds, passed)` of one of the yardsticks."""
    command = walled([clean_python(), "-I", "-c", (Path(__file__).parent / "yardsticks/baseline.py").read_text()])
    work = {"way": way, "programs": programs, "timeout_s": TIMEOUT_S, "python": clean_python()}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, input=json.dumps(work), capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    return answer["seconds"], cpu_since(before), answer["passed"]


def cpu_since(before: resource.struct_rusage) -> float:
    """CPU seconds of ended children since then."""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Count:
    """Listens to the engine: when it began, how many passed."""

    def __init__(self) -> None:
        self.start = 0.0
        self.passed = self.judged = 0

    def started(self, _: Any) -> None:
        """The workers stand: the clock starts."""
        self.start = time.perf_counter()

    def invalid(self, problem: Any) -> None:
        """A reference that fails would spoil the comparison: say so."""
        print(f"invalid: {problem.id}: {problem.reason}", file=sys.stderr)

    def verdict(self, verdict: Any) -> None:
        """Counts a verdict."""
        self.judged += 1
        self.passed += verdict.passed

    def in_doubt(self, held: int, done: int = 0, again: int = 0) -> None:
        """Nothing to count yet."""

    def note(self, text: str) -> None:
        """Passes a note on."""
        print(text, file=sys.stderr)


def assay(work: list[tuple[Problem, list[Sample]]], hidden: HiddenMode) -> tuple[float, float, int]:
    """`(seconds, CPU seconds, passed)` of assay, from the moment its workers stand."""
    count = Count()
    items = [Work(problem, lambda samples=samples: iter(samples), len(samples)) for problem, samples in work]
    before, own = resource.getrusage(resource.RUSAGE_CHILDREN), time.process_time()
    judge_work(items, Settings(workers=WORKERS, time_s=TIMEOUT_S, hidden=hidden), count, lambda _p, _i: None)
    seconds = time.perf_counter() - count.start
    return seconds, cpu_since(before) + time.process_time() - own, count.passed


def count_agents() -> dict[str, int]:
    """Counts the processes that assay starts, by what is told of their ends."""
    counts = {"started": 0}
    take = links.ServerLink._take  # noqa: SLF001 (only here everything comes by)

    def counted(self: Any, told: Any) -> None:
        counts["started"] += isinstance(told, Ended)
        take(self, told)

    links.ServerLink._take = counted  # type: ignore[method-assign]  # noqa: SLF001 (the same)
    return counts


def read_work(arguments: argparse.Namespace) -> list[tuple[Problem, list[Sample]]]:
    """Problems with the samples to judge."""
    benchmark = load(arguments.benchmark, data=arguments.data)
    left_out = SLOW.get(arguments.benchmark, set())
    problems = [p for p in benchmark.problems if p.id not in left_out][: arguments.problems]
    if arguments.samples:
        with open_samples(arguments.samples, benchmark) as file:
            return [(p, list(file.read(p.id))) for p in problems if p.id in set(file.problem_ids())]
    copies = range(arguments.copies)
    return [
        (p, [Sample(problem_id=p.id, index=n, text=f"# copy {n}\n{p.reference}", mode=Mode.SOLUTION) for n in copies])
        for p in problems
    ]


def run(arguments: argparse.Namespace) -> dict[str, list[dict[str, float]]]:
    """All rounds of all ways."""
    work = read_work(arguments)
    programs = [program_with_tests(p, assemble(p, s).source) for p, samples in work for s in samples]
    rows: dict[str, list[dict[str, float]]] = {}
    for number in range(arguments.rounds):
        ways: dict[str, Callable[[], tuple[float, float, int]]] = {
            "fork": partial(baseline, "fork", programs),
            "subprocess": partial(baseline, "subprocess", programs),
        }
        if arguments.samples:
            del ways["fork"]
        ways["assay"] = partial(assay, work, "flag")
        ways["assay, no hidden inputs"] = partial(assay, work, "off")
        for way, measure in ways.items():
            seconds, cpu, passed = measure()
            row = {"samples": len(programs), "seconds": seconds, "cpu_ms": 1e3 * cpu / len(programs), "passed": passed}
            rows.setdefault(way, []).append(row)
            print(f"round {number + 1} {way}: {len(programs) / seconds:.0f}/s", file=sys.stderr)
    return rows


def show(rows: dict[str, list[dict[str, float]]], agents: int) -> None:
    """The table: medians over rounds, and ratios round by round."""
    rates = {way: [r["samples"] / r["seconds"] for r in found] for way, found in rows.items()}
    print("| way | samples | samples/s | x subprocess | CPU ms each | passed |\n|---|---|---|---|---|---|")
    for way, found in rows.items():
        ratios = [a / b for a, b in zip(rates[way], rates["subprocess"], strict=True)]
        ratio = statistics.median(ratios)
        cells = [
            way,
            f"{found[0]['samples']:.0f}",
            f"{statistics.median(rates[way]):.0f}",
            f"{ratio:.2f} ({min(ratios):.2f} to {max(ratios):.2f})",
            f"{statistics.median(r['cpu_ms'] for r in found):.1f}",
            f"{min(r['passed'] for r in found):.0f}",
        ]
        print(f"| {' | '.join(cells)} |")
    print(f"\nprocesses that assay started (agents, reference runs, judge forks): {agents}; {WORKERS} workers")


def main() -> None:
    """Parses the command line and measures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared = os.environ.get("ASSAY_SHARED")
    default = str(Path(shared) / "data/benchmarks/mbpp/problems.jsonl.gz") if shared else None
    parser.add_argument("--benchmark", default="mbpp")
    parser.add_argument("--data", default=default, required=default is None)
    parser.add_argument("--samples")
    parser.add_argument("--copies", type=int, default=5)
    parser.add_argument("--problems", type=int, default=None)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    counts = count_agents()
    show(run(arguments), counts["started"])


if __name__ == "__main__":
    main()
