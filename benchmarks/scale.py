"""What a sample costs, and what the engine holds, for few samples and for many, on few workers and on many: both must stay flat.

    python benchmarks/scale.py --samples 200 1000 10000 100000
    python benchmarks/scale.py --samples 10000 --workers 1 2 4

Judges references of the embedded problems, each copy made different by a comment, with the command line as a user has it. The cost is the
processor time of all processes; the start and the references (a run of one sample for each problem) stand apart, in the first row.
The engine's own share and the high-water mark of its memory are read from /proc as long as it lives.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from assay.benchmarks import load

_TICKS_S = os.sysconf("SC_CLK_TCK")


class Cost(NamedTuple):
    """Of one run: seconds on the clock, processor seconds of all processes and of the engine's own, the engine's peak in MiB."""

    seconds: float
    cpu_s: float
    engine_s: float
    peak_mib: float


def write_samples(path: Path, count: int) -> None:
    """Reference solutions of all problems in turn, each with a comment of its own."""
    problems = [each for each in load("basics").problems if each.reference]
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            problem = problems[number % len(problems)]
            row = {"problem_id": problem.id, "solution": f"# {number}\n{problem.reference}"}
            file.write(json.dumps(row) + "\n")


def look_at(pid: int) -> tuple[float, float] | None:
    """`(processor seconds, peak MiB)` of a process by itself so far; None once it has gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text().splitlines()
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    peaks = [int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM")]
    return ((int(fields[11]) + int(fields[12])) / _TICKS_S, peaks[0]) if peaks else None


def measure(count: int, workers: int) -> Cost:
    """Judges so many samples with so many workers."""
    with tempfile.TemporaryDirectory() as folder:
        samples, run = Path(folder) / "samples.jsonl", Path(folder) / "run"
        write_samples(samples, count)
        command = [sys.executable, "-m", "assay", "judge", "basics", str(samples), "-o", str(run), "--missing", "skip"]
        command += ["--workers", str(workers)]
        before, began, seen = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter(), (0.0, 0.0)
        environment = os.environ | {"XDG_CACHE_HOME": folder}  # nothing that an earlier run kept
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment) as engine:
            while engine.poll() is None:
                seen = look_at(engine.pid) or seen
                time.sleep(0.02)
        seconds, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        with (run / "verdicts.jsonl").open() as rows:
            verdicts = sum('"passed"' in row for row in rows)
        if engine.returncode != 0 or verdicts != count:
            raise SystemExit(f"status {engine.returncode}, {verdicts} right verdicts for {count} samples")
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(seconds, cpu_s, *seen)


def main() -> None:
    """Parses the command line and measures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, nargs="+", default=[200, 1000, 10_000])
    parser.add_argument("--workers", type=int, nargs="+", default=[2])
    arguments = parser.parse_args()
    least = len(load("basics").problems)
    if min(arguments.samples) <= least:
        parser.error(f"more than {least} samples are needed: so many have the first row")
    print(
        "| workers | samples | samples/s | CPU ms a sample | the engine's own | its peak, MiB |\n|---|---|---|---|---|---|"
    )
    for workers in arguments.workers:
        start = measure(least, workers)
        print(
            f"| {workers} | start | | {start.cpu_s:.1f} s | {start.engine_s:.1f} s | {start.peak_mib:.1f} |", flush=True
        )
        for count in arguments.samples:
            cost, more = measure(count, workers), count - least
            each, own = (1000 * spent / more for spent in (cost.cpu_s - start.cpu_s, cost.engine_s - start.engine_s))
            rate = f"{more / (cost.seconds - start.seconds):.0f} | {each:.2f} | {own / each:.0%}"
            print(f"| {workers} | {count} | {rate} | {cost.peak_mib:.1f} |", flush=True)


if __name__ == "__main__":
    main()
