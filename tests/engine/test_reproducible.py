"""The same run twice gives the same rows: on one worker and on eight, on an idle machine and on a busy one.

What may differ is what was measured, and addresses that a program printed.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import re
import subprocess
import sys
from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from court import Found

from assay.api import plan_work
from assay.benchmarks import from_rows, load, recorded_samples, select
from assay.engine import Settings, Work, judge_work
from assay.records import Mode, Sample
from assay.store import open_samples

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MEASURED = ("time_s", "cpu_s", "wall_s", "peak_mib")
ADDRESS = re.compile(r"0x[0-9a-f]{6,}")


def row_of(verdict: Any) -> str:
    """A verdict without what may differ."""
    told = msgspec.to_builtins(verdict)
    return ADDRESS.sub(
        "0x", json.dumps({key: value for key, value in told.items() if key not in MEASURED}, sort_keys=True)
    )


def rows(work: list[Work], settings: Settings) -> list[str]:
    """The rows of a run, sorted."""
    found = Found()
    judge_work(work, settings, found, lambda _id, _index: None)
    assert found.repeated == []
    invalid = [f"invalid {id_}: {reason}" for id_, reason in found.invalids.items()]
    return sorted(map(row_of, found.verdicts.values())) + sorted(invalid)


@contextlib.contextmanager
def burners(number: int) -> Iterator[None]:
    """Processes that do nothing but keep processors busy, for a while."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for each in running:
            each.kill()
            each.wait()


@pytest.mark.timeout(600)
def test_the_recorded_samples_get_the_same_rows_on_one_worker_and_on_eight():
    problems = select(load("basics"), limit=12)
    with open_samples(recorded_samples("basics") or "", problems) as samples:
        work = list(plan_work(problems, samples))
        first = rows(work, Settings(workers=1))
        assert rows(work, Settings(workers=8)) == first
    assert len(first) > 70


PROGRAMS = {
    "order of a set": "def f(x):\n    return list({'a', 'b', 'c', 'd', 'e'})\n",
    "chance": "import random\ndef f(x):\n    return random.random()\n",
    "address": "def f(x):\n    return repr(object())\n",
    "address in an error": "def f(x):\n    raise ValueError(object())\n",
    "object": "def f(x):\n    return object()\n",
    "hash": "def f(x):\n    return hash('spam')\n",
    "id": "def f(x):\n    return id(f) % 7 < 0\n",
    "death": "import os\ndef f(x):\n    os._exit(3)\n",
    "frames": "def f(x):\n    return g(x)\ndef g(x):\n    return {}[x]\n",
    "frames beyond ten": "def f(x, n=30):\n    return f(x, n - 1) if n else 1 / 0\n",
    "depth": "def f(x):\n    return f(x)\n",
    "names": "def f(x):\n    return sorted(globals()), __name__\n",
    "environment": "import os\ndef f(x):\n    return dict(os.environ), os.getcwd(), os.getuid() > 0\n",
    "no end": "def f(x):\n    while True:\n        pass\n",
}


def test_programs_that_rest_on_what_differs_elsewhere_get_the_same_rows():
    row = {
        "id": "odd",
        "prompt": "Write f(x).",
        "reference": "def f(x):\n    return x\n",
        "inputs": [[1], [2]],
        "limits": {"time_s": 0.5},
    }
    (problem,) = from_rows([row]).problems
    samples = [
        Sample(problem_id="odd", index=n, text=text, mode=Mode.SOLUTION) for n, text in enumerate(PROGRAMS.values())
    ]
    work = [Work(problem, partial(iter, samples), len(samples))]
    first = rows(work, Settings(workers=1))
    assert len(first) == len(PROGRAMS)
    assert [rows(work, Settings(workers=n)) for n in (4, 1)] == [first, first]


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_thousand_real_samples_get_the_same_rows_on_one_worker_on_eight_and_beside_burners(shared):
    work = real_work(shared, 100)
    first = rows(work, Settings(workers=1))
    assert len(first) == 1000
    assert rows(work, Settings(workers=8)) == first
    with burners(2):
        assert rows(work, Settings(workers=2)) == first


def real_work(shared: Path, problems: int) -> list[Work]:
    """The ten answers of a model to each of some problems of MBPP, spread over the whole."""
    known = {
        p.id: p for p in load("mbpp", data=str(shared / "data" / "benchmarks" / "mbpp" / "problems.jsonl.gz")).problems
    }
    samples: dict[str, list[Sample]] = defaultdict(list)
    with gzip.open(shared / "data" / "qwen3_mbpp" / "samples-qwen3-base.jsonl.gz", "rt", encoding="utf-8") as lines:
        for answer in map(json.loads, filter(str.strip, lines)):
            id_ = answer["task_id"].removeprefix("MBPP/")
            sample = Sample(problem_id=id_, index=len(samples[id_]), text=answer["text"], mode=Mode.SOLUTION)
            samples[id_].append(sample)
    chosen = list(samples)[:: len(samples) // problems][:problems]
    return [Work(known[id_], partial(iter, samples[id_]), len(samples[id_])) for id_ in chosen]
