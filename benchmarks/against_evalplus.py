"""Judges the same samples with EvalPlus and with assay, and compares the base and the plus verdict of each.

EvalPlus runs candidates as its own user with its own rights, so it is started apart, as nobody and without a network; `theirs` needs
nothing of assay and imports only what EvalPlus needs itself::

    python3 -m venv /tmp/evalplus && /tmp/evalplus/bin/pip install evalplus==0.3.1
    unshare --net --pid --fork --mount-proc setpriv --reuid 65534 --regid 65534 --clear-groups \
        /tmp/evalplus/bin/python benchmarks/against_evalplus.py theirs MbppPlus.jsonl.gz samples.jsonl theirs.jsonl

    assay judge mbppplus samples.jsonl --data MbppPlus.jsonl.gz --missing skip -o RUN
    python benchmarks/against_evalplus.py compare theirs.jsonl RUN

Samples are rows of EvalPlus: `task_id` and `solution` or `completion`. Its time limits are on the clock, so on a busy machine
`--seconds` should be well above its default of 1, or it fails programs that assay rightly passes.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Key = tuple[str, int]
"""A problem and the index of one of its samples."""


class Pair(NamedTuple):
    """Whether a sample passes its base tests, and those and its plus tests."""

    base: bool
    both: bool


def main() -> int:
    """Runs one of the two commands."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command")
    theirs = commands.add_parser("theirs", help="judge with EvalPlus")
    for name in ("data", "samples", "output"):
        theirs.add_argument(name)
    theirs.add_argument("--seconds", type=float, default=5.0, help="EvalPlus's least time limit of one input")
    compare = commands.add_parser("compare", help="compare with a run of assay")
    compare.add_argument("theirs")
    compare.add_argument("run")
    given = parser.parse_args()
    if given.command == "theirs":
        return judge_with_evalplus(given.data, given.samples, given.output, given.seconds)
    if given.command == "compare":
        return compare_verdicts(given.theirs, given.run)
    parser.print_usage()  # `make bench` starts every file here, and EvalPlus must be started apart
    return 0


def judge_with_evalplus(data: str, samples: str, output: str, seconds: float) -> int:
    """Writes a row of EvalPlus's verdicts for each sample; goes on after the rows that are there already."""
    os.environ["MBPP_OVERRIDE_PATH"] = os.environ["HUMANEVAL_OVERRIDE_PATH"] = data
    from evalplus.data import get_human_eval_plus, get_mbpp_plus  # noqa: PLC0415 (not a package of ours)

    rows = list(indexed(read_rows(samples)))
    is_mbpp = rows[0][0][0].startswith("Mbpp/")
    problems = get_mbpp_plus() if is_mbpp else get_human_eval_plus()
    done = {(row["task_id"], row["index"]) for row in read_rows(output)} if Path(output).exists() else set()
    truths: dict[str, dict[str, Any]] = {}
    with Path(output).open("a", encoding="utf-8") as file:
        for (task, index), row in rows:
            if task not in problems or (task, index) in done:
                continue
            if task not in truths:
                truths[task] = ground_truth(problems[task], is_mbpp=is_mbpp)
            verdict = judge_one(problems[task], row, truths[task], seconds, is_mbpp=is_mbpp)
            file.write(json.dumps({"task_id": task, "index": index, **verdict}) + "\n")
            file.flush()
    return 0


def ground_truth(problem: dict[str, Any], *, is_mbpp: bool) -> dict[str, Any]:
    """The reference's answers and times, as `evalplus.evaluate.get_groundtruth` computes them."""
    from evalplus.eval._special_oracle import MBPP_OUTPUT_NOT_NONE_TASKS  # noqa: PLC0415 (not a package of ours)
    from evalplus.gen.util import trusted_exec  # noqa: PLC0415 (not a package of ours)

    found = {}
    for group in ("base", "plus"):
        with contextlib.redirect_stdout(io.StringIO()):
            found[group] = trusted_exec(
                problem["prompt"] + problem["canonical_solution"],
                problem[f"{group}_input"],
                problem["entry_point"],
                record_time=True,
                output_not_none=is_mbpp and problem["entry_point"] in MBPP_OUTPUT_NOT_NONE_TASKS,
            )
    return found


def judge_one(
    problem: dict[str, Any], row: dict[str, Any], truth: dict[str, Any], seconds: float, *, is_mbpp: bool
) -> dict[str, str]:
    """EvalPlus's status of the base and of the plus tests, as `evalplus.evaluate.check_correctness` asks for them."""
    from evalplus.eval import untrusted_check  # noqa: PLC0415 (not a package of ours)

    program = row["solution"] if "solution" in row else problem["prompt"] + row["completion"]
    found = {}
    for group in ("base", "plus"):
        expected, times = truth[group]
        found[group], _ = untrusted_check(
            "mbpp" if is_mbpp else "humaneval",
            program,
            problem[f"{group}_input"],
            problem["entry_point"],
            expected=expected,
            atol=problem["atol"],
            ref_time=times,
            fast_check=True,
            min_time_limit=seconds,
        )
    return found


def compare_verdicts(theirs: str, run: str) -> int:
    """Prints every sample whose base or plus verdict differs, and how many were compared; 1 if any differs."""
    known = {(row["task_id"], row["index"]): row for row in read_rows(theirs)}
    counts: Counter[str] = Counter()
    for verdict in read_rows(str(Path(run) / "verdicts.jsonl")):
        row = known.pop((verdict["problem_id"], verdict["sample_index"]), None)
        if row is None:
            counts["only assay"] += 1
            continue
        mine, other = pair_of_assay(verdict), Pair(row["base"] == "pass", row["base"] == row["plus"] == "pass")
        counts["compared"] += 1
        counts["base differs"] += mine.base != other.base
        counts["plus differs"] += mine.both != other.both
        if mine != other:
            print(
                json.dumps(
                    {
                        "task": row["task_id"],
                        "index": row["index"],
                        "theirs": [row["base"], row["plus"]],
                        **told(verdict),
                    }
                )
            )
    counts["only EvalPlus"] = len(known)
    print(dict(counts), file=sys.stderr)
    return 1 if counts["base differs"] or counts["plus differs"] else 0


def pair_of_assay(verdict: dict[str, Any]) -> Pair:
    """What a row of `verdicts.jsonl` says in EvalPlus's terms."""
    passed, total = verdict["groups"].get("base", (0, 0))
    return Pair(bool(total) and passed == total, verdict["outcome"] == "passed")


def told(verdict: dict[str, Any]) -> dict[str, Any]:
    """What a reader needs to see why a sample did not pass."""
    return {"ours": verdict["groups"], "outcome": verdict["outcome"], "message": verdict["message"]}


def indexed(rows: Iterable[dict[str, Any]]) -> Iterator[tuple[Key, dict[str, Any]]]:
    """The rows with their keys: the index is the order among the samples of a problem."""
    seen: Counter[str] = Counter()
    for row in rows:
        task = row["task_id"]
        yield (task, seen[task]), row
        seen[task] += 1


def read_rows(path: str) -> list[dict[str, Any]]:
    """The rows of a JSONL file."""
    return [json.loads(line) for line in Path(path).read_text("utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    sys.exit(main())
