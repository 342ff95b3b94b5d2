"""assay as one of the drivers of a side-by-side benchmark: judges a file of work, prints one line of figures.

    python benchmarks/yardsticks/assay_side.py --work W1.jsonl --timeout 3 --workers 2

`peers.py` starts it. How time, processor time and memory are taken is the business of the benchmark's own `common.py`, which all
drivers share (ASSAY_BENCH names its folder); the MBPP file is named by ASSAY_BENCH_DATA. Verdicts are strict, isolation and settings
are as they are by default, nothing is kept from an earlier run. The start of the workers lies within the time that is measured.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from functools import partial
from typing import TYPE_CHECKING, Any

from assay.benchmarks import load
from assay.engine import Settings, Work, judge_work
from assay.records import Mode, Sample

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.records import Problem

Rows = list[dict[str, Any]]

END = None
"""What the queue holds after the last verdict."""


class Told:
    """Listens to the engine and passes each verdict on at once, as the drivers of others do."""

    def __init__(self) -> None:
        self.queue: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def started(self, isolation: Any) -> None:
        """Says under what isolation this was measured."""
        print(f"isolation: {isolation.level}, missing: {', '.join(isolation.missing) or 'nothing'}", file=sys.stderr)

    def invalid(self, problem: Any) -> None:
        """Samples of this problem get no verdict: say so, since fewer rows are then judged than were offered."""
        print(f"invalid: {problem.id}: {problem.reason}", file=sys.stderr)

    def verdict(self, verdict: Any) -> None:
        """Passes a verdict on."""
        self.queue.put(verdict)

    def in_doubt(self, held: int, done: int = 0, again: int = 0) -> None:
        """Those verdicts come later."""

    def note(self, text: str) -> None:
        """Passes a note on."""
        print(text, file=sys.stderr)


def as_work(rows: Rows, problems: dict[str, Problem]) -> tuple[list[Work], dict[tuple[str, int], str]]:
    """The engine's work, and the row's id for each (problem, index)."""
    found: dict[str, list[Sample]] = {}
    ids = {}
    for row in rows:
        name = str(row["task_id"])
        of_problem = found.setdefault(name, [])
        ids[name, len(of_problem)] = row["id"]
        of_problem.append(Sample(problem_id=name, index=len(of_problem), text=row["code"], mode=Mode.SOLUTION))
    return [Work(problems[name], partial(iter, given), len(given)) for name, given in found.items()], ids


def make(timeout: float, workers: int, _: Any) -> Any:
    """What `common.main` wants: a function from rows to `(id, passed, detail)`."""
    problems = {problem.id: problem for problem in load("mbpp", data=os.environ["ASSAY_BENCH_DATA"]).problems}
    settings = Settings(workers=workers, time_s=timeout)

    def run(rows: Rows) -> Iterator[tuple[str, bool, str]]:
        work, ids = as_work(rows, problems)
        told = Told()

        def judge() -> None:
            try:
                judge_work(work, settings, told, lambda _id, _index: None)
            finally:
                told.queue.put(END)

        thread = threading.Thread(target=judge)
        thread.start()
        while (verdict := told.queue.get()) is not END:
            detail = f"{verdict.outcome.value} {verdict.message or ''}"
            yield ids[verdict.problem_id, verdict.sample_index], verdict.passed, detail
        thread.join()

    return run


if __name__ == "__main__":
    sys.path.insert(0, os.environ["ASSAY_BENCH"])
    from common import main

    main("assay", make)
