"""Peak memory of the engine, for few samples and for many: it must not grow with their number.

    python benchmarks/memory.py --samples 1000 100000

Judges samples of one embedded problem, each made different by a comment, with the command line as a user has it, and reads the high-water
mark of the engine's own process (not of its workers) from /proc as long as it lives.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from assay.benchmarks import load


def write_samples(path: Path, count: int) -> None:
    """Reference solutions of one problem, each with a comment of its own."""
    problem = next(each for each in load("basics").problems if each.reference)
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            row = {"problem_id": problem.id, "solution": f"# {number}\n{problem.reference}"}
            file.write(json.dumps(row) + "\n")


def high_water_mib(pid: int) -> float:
    """The most memory that a process has had resident so far, in MiB; 0 if it has gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except FileNotFoundError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


def measure(count: int) -> tuple[float, float]:
    """`(peak MiB, samples a second)` of one run."""
    with tempfile.TemporaryDirectory() as folder:
        samples = Path(folder) / "samples.jsonl"
        write_samples(samples, count)
        command = [
            sys.executable,
            "-m",
            "assay",
            "judge",
            "basics",
            str(samples),
            "-o",
            f"{folder}/run",
            "--missing",
            "skip",
            "--workers",
            "2",
        ]
        began, peak = time.perf_counter(), 0.0
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as engine:
            while engine.poll() is None:
                peak = max(peak, high_water_mib(engine.pid))
                time.sleep(0.05)
        seconds = time.perf_counter() - began
        verdicts = sum(1 for _ in (Path(folder) / "run" / "verdicts.jsonl").open())
        if engine.returncode != 0 or verdicts != count:
            raise SystemExit(f"status {engine.returncode}, {verdicts} verdicts for {count} samples")
    return peak, count / seconds


def main() -> None:
    """Parses the command line and measures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, nargs="+", default=[1000, 10_000])
    print("| samples | engine's peak, MiB | samples/s |\n|---|---|---|")
    for count in parser.parse_args().samples:
        peak, rate = measure(count)
        print(f"| {count} | {peak:.1f} | {rate:.0f} |", flush=True)


if __name__ == "__main__":
    main()
