"""How long one verdict takes: through a judge that stays, and through a subprocess for each sample, in one interleaved run.

    python benchmarks/latency.py
    python benchmarks/latency.py --rounds 10 --callers 8 --workers 2

The work are the references of the embedded set, each made different by a comment, so that no result is used twice. Each round asks about
every problem for the first time (its reference has to be run too), then about problems that the judge knows: in turn, which opens each
anew, and the same several times in a row; by one caller and by several at once. Beside it a subprocess runs each program with its tests
appended, which looks at the exit status and nothing else. Last comes what a script waits for from its start to its first verdict, part by
part.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from statistics import median
from typing import TYPE_CHECKING

from throughput import clean_python, program_with_tests

import assay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Ask = Callable[[assay.Problem], bool]

COLD = """
import json, time
at = [("interpreter", time.monotonic())]
def mark(name): at.append((name, time.monotonic()))
import assay
judge = assay.Judge(settings=assay.Settings(workers={workers}))
mark("import")
problem = assay.load("basics").problems[{place}]
mark("problems read")
judge.__enter__()
mark("workers up")
assert judge.verdict(problem, problem.reference).passed
mark("first verdict, with its reference")
assert judge.verdict(problem, problem.reference + "#").passed
mark("second verdict")
print(json.dumps(at), flush=True)
judge.close()
"""

_numbers = count()


def warm(judge: assay.Judge) -> Ask:
    """Asks the judge about a problem's own reference."""
    return lambda problem: judge.verdict(problem, f"{problem.reference}\n# {next(_numbers)}\n").passed


def alone(problem: assay.Problem) -> bool:
    """What a user would otherwise do."""
    program = program_with_tests(problem, f"{problem.reference}\n# {next(_numbers)}\n")
    done = subprocess.run(
        [clean_python(), "-I", "-"], input=program, text=True, capture_output=True, check=False
    )  # the embedded set's own code
    return done.returncode == 0


def timed(ask: Ask, problem: assay.Problem) -> float:
    """Milliseconds for one verdict, which has to be a pass."""
    before = time.perf_counter()
    passed = ask(problem)
    took_ms = 1e3 * (time.perf_counter() - before)
    if not passed:
        raise SystemExit(f"the reference of {problem.id} does not pass")
    return took_ms


def asked(ask: Ask, problems: Iterable[assay.Problem], callers: int) -> list[float]:
    """Milliseconds for each, asked about by so many callers at once."""
    with ThreadPoolExecutor(callers) as threads:
        return list(threads.map(lambda problem: timed(ask, problem), problems))


def one_round(found: dict[str, list[float]], problems: list[assay.Problem], workers: int, callers: int) -> None:
    """Adds what one round took."""
    settings = assay.Settings(workers=workers)
    ways: dict[str, list[float]] = {}
    with assay.Judge(settings=settings) as judge:
        ask = warm(judge)
        ways["assay, each problem for the first time, 1 caller"] = asked(ask, problems, 1)
        ways["assay, problems that it knows, in turn, 1 caller"] = asked(ask, problems, 1)
        in_a_row = asked(ask, [problem for problem in problems for _ in range(4)], 1)
        ways["assay, the same problem as before, 1 caller"] = [t for n, t in enumerate(in_a_row) if n % 4]
    ways["a subprocess a sample, 1 caller"] = asked(alone, problems, 1)
    with assay.Judge(settings=settings) as judge:
        ask = warm(judge)
        ways[f"assay, each problem for the first time, {callers} callers at once"] = asked(ask, problems, callers)
        ways[f"assay, problems that it knows, in turn, {callers} callers at once"] = asked(ask, problems * 2, callers)
    ways[f"a subprocess a sample, {callers} callers at once"] = asked(alone, problems, callers)
    for way, took in ways.items():
        found.setdefault(way, []).extend(took)


def cold(place: int, workers: int) -> dict[str, float]:
    """Milliseconds of each part of a cold start, and `all` to the first verdict."""
    script = COLD.format(workers=workers, place=place)
    before = time.monotonic()
    done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, check=True)
    parts: dict[str, float] = {}
    start = before
    for name, at in json.loads(done.stdout):
        parts[name] = 1e3 * (at - before)
        if name.startswith("first"):
            parts["from `python -c` to the first verdict"] = 1e3 * (at - start)
        before = at
    return parts


def share(values: list[float], part: float) -> float:
    """The value below which that part of them lies."""
    return sorted(values)[min(int(part * len(values)), len(values) - 1)]


def main() -> None:
    """Runs all rounds and prints both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--callers", type=int, default=8)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    problems = list(assay.load("basics").problems)
    found: dict[str, list[float]] = {}
    starts: list[dict[str, float]] = []
    for number in range(given.rounds):
        one_round(found, problems, given.workers, given.callers)
        starts.append(cold(number % len(problems), given.workers))
        print(f"round {number + 1} of {given.rounds}, load {os.getloadavg()[0]:.0f}", file=sys.stderr)
    print("| way | verdicts | p50, ms | p99, ms | least, ms |\n|---|---|---|---|---|")
    for way, took in found.items():
        print(f"| {way} | {len(took):,} | {median(took):.1f} | {share(took, 0.99):.1f} | {min(took):.1f} |")
    print("\n| cold start | median, ms | least, ms |\n|---|---|---|")
    for name in starts[0]:
        took = [parts[name] for parts in starts]
        print(f"| {name} | {median(took):.0f} | {min(took):.0f} |")


if __name__ == "__main__":
    main()
