"""The published references, written in each form that other projects write samples in, are read back and all pass."""

from __future__ import annotations

import io
import json
import zipfile
from typing import TYPE_CHECKING

import msgspec
import pytest

from assay import judge_samples
from assay.benchmarks import load
from assay.store import open_samples

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from assay.records import Benchmark, Problem


def bigcode(problems: list[Problem], path: Path) -> None:
    """The prompt comes first: stripped where it is code, as a docstring with a test where it is words."""
    path.write_text(json.dumps([[head(problem) + str(problem.reference)] for problem in problems]))


def head(problem: Problem) -> str:
    return "" if problem.prompt_is_code else f'"""\n{problem.prompt}\nassert {problem.entry_point}()\n"""\n'


def evalplus(problems: list[Problem], path: Path) -> None:
    for problem in problems:
        folder = path / problem.id.replace("/", "_")
        folder.mkdir(parents=True)
        (folder / "0.py").write_text(str(problem.reference))


def inspect(problems: list[Problem], path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for problem in problems:
            answer = f"Here it is:\n```python\n{problem.reference}\n```\n"
            row = {"id": problem.id, "epoch": 1, "output": {"completion": answer}}
            packed.writestr(f"samples/{problem.id}_epoch_1.json", json.dumps(row))
    path.write_bytes(out.getvalue())


def lm_eval(problems: list[Problem], path: Path) -> None:
    """A prompt that is code is continued, and the filter puts it before the response; otherwise the response is code."""
    rows = []
    for number, problem in enumerate(problems):
        response = str(problem.reference).removeprefix(problem.prompt) if problem.prompt_is_code else problem.reference
        made: object = [problem.prompt + response] if problem.prompt_is_code else response
        row = {"doc_id": number, "doc": {"task_id": problem.id, "prompt": problem.prompt}, "resps": [[response]]}
        rows.append(row | {"filtered_resps": [made]})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def chosen(name: str, shared: Path, every: int) -> Benchmark:
    """Some problems of the test split, in the order of the data."""
    whole = load(name, data=str(shared / "data" / "benchmarks" / name / "problems.jsonl.gz"), split="test")
    few = whole.problems[::every]
    return msgspec.structs.replace(whole, problems=few, order=tuple(problem.id for problem in few), deselected=())


@pytest.mark.shared
@pytest.mark.parametrize("name", ["humaneval", "mbpp"])
@pytest.mark.parametrize("write", [bigcode, evalplus, inspect, lm_eval])
def test_references_in_every_form_are_read_back_and_pass(name, write: Callable, shared, tmp_path):
    benchmark = chosen(name, shared, every=25)
    path = tmp_path / "written"
    write(list(benchmark.problems), path)
    with open_samples(str(path), benchmark) as samples:
        assert samples.missing == ()
        found = [sample for problem in benchmark.problems for sample in samples.read(problem.id)]
    verdicts = judge_samples(benchmark, found).verdicts
    assert len(verdicts) == len(benchmark.problems)
    assert [verdict.problem_id for verdict in verdicts if not verdict.passed] == []
