"""EvalPlus's side of `plus.py`: run by an interpreter that has `evalplus` installed, in a process group of its own.

Reads `{"dataset", "ids", "copies", "workers"}` from standard input; the release file is named by MBPP_OVERRIDE_PATH or
HUMANEVAL_OVERRIDE_PATH. Expected outputs are computed before the clock starts, as EvalPlus takes them from its cache. What is timed is what
`evalplus.evaluate` does with a sample: `check_correctness`, base and plus, fast check, in a pool of processes.
"""

import json
import os
import resource
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

from evalplus import evaluate
from evalplus.data import get_human_eval_plus, get_mbpp_plus
from evalplus.eval._special_oracle import MBPP_OUTPUT_NOT_NONE_TASKS


def cpu() -> float:
    """CPU seconds of this process and its ended children."""
    return sum(
        u.ru_utime + u.ru_stime for u in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def main() -> None:
    """Writes `{"seconds", "cpu", "passed", "failed"}`, and what the expected outputs took."""
    work = json.load(sys.stdin)
    out = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)
    mbpp = work["dataset"] == "mbpp"
    known = get_mbpp_plus() if mbpp else get_human_eval_plus()
    problems = {name: known[name] for name in work["ids"]}
    began, used = time.perf_counter(), cpu()
    with tempfile.TemporaryDirectory() as folder:
        evaluate.CACHE_DIR = folder
        expected = evaluate.get_groundtruth(problems, "expected", MBPP_OUTPUT_NOT_NONE_TASKS if mbpp else [])
    expecting = {"expected_seconds": time.perf_counter() - began, "expected_cpu": cpu() - used}
    sources = {name: p["prompt"] + p["canonical_solution"] for name, p in problems.items()}
    failed, start, before = [], time.perf_counter(), cpu()
    with ProcessPoolExecutor(work["workers"]) as pool:
        futures = [
            pool.submit(
                evaluate.check_correctness,
                work["dataset"],
                n,
                p,
                f"# copy {n}\n{sources[name]}",
                expected[name],
                False,
                True,
            )
            for name, p in problems.items()
            for n in range(work["copies"])
        ]
        for future in as_completed(futures):
            found = future.result()
            if not found["base"][0] == found["plus"][0] == "pass":
                failed.append(found["task_id"])
    answer = {"seconds": time.perf_counter() - start, "cpu": cpu() - before, "passed": len(futures) - len(failed)}
    os.write(out, json.dumps(answer | expecting | {"failed": sorted(set(failed))}).encode())


if __name__ == "__main__":
    main()
