"""Who calls the engine, and from where, changes no verdict: threads, worker processes, huge parents, scripts as people write them."""

from __future__ import annotations

import resource
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

ROW = {
    "id": "double",
    "prompt": "Double n.",
    "entry_point": "double",
    "reference": "def double(n):\n    return 2 * n\n",
    "tests": ["assert double(2) == 4", "assert double(-1) == -2"],
}
JUDGE = f"""
import assay
ROW = {ROW!r}
def judged(count=12):
    samples = [dict(problem_id="double", solution=f"def double(n):\\n    return n + n * {{n % 3}} # {{n}}\\n") for n in range(count)]
    found = assay.judge_samples([ROW], samples, settings=assay.Settings(workers=1))
    return [verdict.outcome.value for verdict in found.verdicts]
def right(outcomes):
    return outcomes == (["wrong_answer", "passed", "wrong_answer"] * len(outcomes))[:len(outcomes)]
"""

CALLERS = {
    "a thread": """
        import threading
        found = []
        thread = threading.Thread(target=lambda: found.append(judged()))
        thread.start(); thread.join()
        print(right(found[0]))
    """,
    "a daemonic worker that was forked": """
        import multiprocessing
        if __name__ == "__main__":
            context = multiprocessing.get_context("fork")
            queue = context.Queue()
            worker = context.Process(target=lambda: queue.put(judged()), daemon=True)
            worker.start(); print(right(queue.get())); worker.join()
    """,
    "a daemonic worker of a pool that was spawned": """
        import multiprocessing
        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                print(right(pool.apply(judged)))
    """,
    "a parent with 20 GiB that it never touched": """
        import mmap
        room = mmap.mmap(-1, 20 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)
        print(right(judged()))
    """,
    "a script without a main guard": """
        open("starts", "a").write("x")
        print(right(judged()) and open("starts").read() == "x")
    """,
    "a parent whose threads write to logs all the time": """
        import logging, sys, threading
        logging.basicConfig(stream=sys.stderr)
        end = threading.Event()
        def write(number):
            while not end.wait(0.002): logging.warning("thread %d", number); print(number, file=sys.stderr)
        threads = [threading.Thread(target=write, args=(n,)) for n in range(50)]
        for thread in threads: thread.start()
        outcomes = judged(60)
        end.set()
        print(right(outcomes))
    """,
}


def dedent(text: str) -> str:
    return "\n".join(line[8:] for line in text.splitlines())


def run_script(folder: Path, text: str, **options) -> subprocess.CompletedProcess[str]:
    (folder / "script.py").write_text(JUDGE + dedent(text))
    return subprocess.run(
        [sys.executable, "script.py"], cwd=folder, capture_output=True, text=True, check=False, **options
    )


@pytest.mark.parametrize("caller", CALLERS)
def test_the_verdicts_are_the_same_out_of(caller, tmp_path):
    done = run_script(tmp_path, CALLERS[caller])
    assert (done.returncode, done.stdout.strip()) == (0, "True"), done.stderr[-2000:]


MANY = """
    import os, sys, assay
    class Most:
        descriptors = verdicts = 0
        def started(self, *_): pass
        invalid = note = in_doubt = started
        def verdict(self, verdict):
            self.verdicts += verdict.outcome.value == "passed"
            if self.verdicts % 50 == 0: self.descriptors = max(self.descriptors, len(os.listdir("/proc/self/fd")))
    from assay.benchmarks import from_rows
    from assay.engine import Work, judge_work
    from assay.records import Mode, Sample
    (problem,) = from_rows([ROW]).problems
    count = int(sys.argv[1])
    samples = lambda: (Sample(problem_id="double", index=n, text=ROW["reference"] + f"# {n}", mode=Mode.SOLUTION) for n in range(count))
    seen = Most()
    judge_work([Work(problem, samples, count)], assay.Settings(workers=2), seen, lambda _id, _index: None)
    print(seen.verdicts, seen.descriptors)
"""


@pytest.mark.parametrize(
    "count",
    [
        pytest.param(400, id="four hundred"),
        pytest.param(10_000, id="ten thousand", marks=[pytest.mark.slow, pytest.mark.timeout(1200)]),
    ],
)
def test_a_run_of_any_length_needs_no_more_descriptors(count, tmp_path):
    def few_descriptors():
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))

    (tmp_path / "script.py").write_text(JUDGE + dedent(MANY.replace("\n    ", "\n        ")))
    done = subprocess.run(
        [sys.executable, "script.py", str(count)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=few_descriptors,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    verdicts, descriptors = map(int, done.stdout.split())
    assert verdicts == count
    assert 0 < descriptors < 128
