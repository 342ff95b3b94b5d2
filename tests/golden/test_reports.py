"""Reports of three real runs: recorded answers of `basics`, a model's ten answers to MBPP problems, two models on HumanEval+."""

from __future__ import annotations

import gzip
import json
import re

import pytest

from assay.benchmarks import recorded_samples
from assay.cli.app import run

pytestmark = [pytest.mark.shared, pytest.mark.slow, pytest.mark.timeout(1200)]


def sample_file(path, source, field, ids) -> str:
    """A sample file of some problems, out of a collection of recorded answers."""
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    kept = [{"task_id": row["task_id"], field: row["text"]} for row in rows if int(row["task_id"].split("/")[1]) in ids]
    path.write_text("".join(json.dumps(row) + "\n" for row in kept), "utf-8")
    return str(path)


def judged(folder, *words) -> str:
    assert run(["judge", *words, "-o", str(folder), "--workers", "1", "--no-cache"]) in (0, 1)
    return str(folder)


def reported(tmp_path, *words) -> str:
    path = tmp_path / "report.html"
    assert run(["report", *words, "-o", str(path)]) in (0, 1)
    html = path.read_text("utf-8")
    assert len(html.encode()) < 2_000_000
    assert "not at hand" not in html
    return html


def pages(html) -> int:
    """How many problems have a page, plain or packed."""
    packed = re.findall(r'class="block" data-keys="([^"]*)"', html)
    return html.count('<article class="problem"') + sum(len(keys.split()) for keys in packed)


def test_recorded_answers_of_basics(tmp_path) -> None:
    html = reported(tmp_path, judged(tmp_path / "run", "basics", recorded_samples("basics")))
    assert pages(html) == 60
    assert "Of 247 wrong samples, 164 pass every base test." in html
    assert "IllegalMonthError" in html


def test_ten_answers_to_each_of_some_problems_of_mbpp(tmp_path, shared) -> None:
    source = shared / "data/qwen3_mbpp/samples-qwen3-base.jsonl.gz"
    data = str(shared / "data/benchmarks/mbpp/problems.jsonl.gz")
    samples = sample_file(tmp_path / "s.jsonl", source, "solution", range(11, 31))
    folder = judged(tmp_path / "run", "mbpp", samples, "--data", data, "--split", "test", "--limit", "20")
    html = reported(tmp_path, folder, "--data", data)
    assert pages(html) == 20
    assert "pass@k against k" in html
    assert re.search(r"of 10 right, \d different", html)


def test_two_models_on_problems_with_weak_and_strong_tests(tmp_path, shared) -> None:
    data = str(shared / "data/benchmarks/humanevalplus-v0.1.10/problems.jsonl.gz")
    folders = []
    for name in ("inferenced.meta-llama--Meta-Llama-3-8B-Instruct", "phi_1"):
        source = shared / f"data/evalplus_runs/samples-humaneval.{name}.jsonl.gz"
        samples = sample_file(tmp_path / f"{name}.jsonl", source, "completion", range(16))
        folders.append(judged(tmp_path / name, "humanevalplus", samples, "--data", data, "--limit", "16"))
    html = reported(tmp_path, *folders, "--data", data)
    assert "2 runs compared" in html
    assert "16 problems in common" in html
    assert "What weak tests hide" in html
