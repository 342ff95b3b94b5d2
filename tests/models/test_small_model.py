"""The whole line with a real language model on a real server: slow, and needs the packages of requirements/model.txt."""

from __future__ import annotations

import json
from collections import Counter

from real_server import NEEDS_MODEL, rows, serve

pytestmark = NEEDS_MODEL

ASK = "assay generate basics --model openai:smollm2 --base-url {url} --limit 2 --max-tokens 40 --concurrency 2"


def test_a_real_model_answers_and_is_judged(tmp_path) -> None:
    commands = [
        f"{ASK} -n 2 --seed 1 -o one.jsonl",
        f"{ASK} -n 2 --seed 1 -o two.jsonl --stream",
        f"{ASK} -n 3 --seed 1 -o one.jsonl",
        f"{ASK} -n 5 --draws 5 -o many.jsonl",
        "assay judge basics one.jsonl --limit 2 -o run --workers 1 --json",
    ]
    done = serve(tmp_path, " ; ".join(commands))
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


def test_a_sweep_has_a_run_for_each_temperature_and_asks_for_nothing_twice(tmp_path) -> None:
    sweep = (
        "assay sweep basics --model openai:smollm2 --base-url {url} --limit 2 --max-tokens 40 --concurrency 2 -n 3 "
        "--seed 1 --temperatures 0.2,1.0 -o swept --json --workers 1"
    )
    done = serve(tmp_path, f"{sweep} > first.json && {sweep} > second.json")
    assert done.returncode == 0, done.stderr
    first, second = (json.loads((tmp_path / name).read_text()) for name in ("first.json", "second.json"))
    assert first == second == json.loads((tmp_path / "swept" / "sweep.json").read_text())
    runs = [tmp_path / "swept" / name for name in ("t0.2", "t1")]
    for run in runs:
        answers, verdicts = rows(run / "samples.jsonl"), rows(run / "verdicts.jsonl")
        assert len(answers) == 6
        assert {(row["problem_id"], row["sample_index"]) for row in verdicts if "problem_id" in row} == {
            (f"basics/{n}", draw) for n in (1, 2) for draw in range(3)
        }
