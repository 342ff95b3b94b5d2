"""`assay run` and `assay sweep`, in the real sandbox, with models that need no network or a server on the loopback."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from stub_server import StubServer

from assay.cli.app import run
from assay.store import read_run

if TYPE_CHECKING:
    from pathlib import Path

RIGHT, WRONG = "def f(x):\n    return x\n", "def f(x):\n    return 0\n"
FAST = ("--workers", "1", "--no-cache", "--hidden", "off")


class Place:
    """A folder with a file of problems, and commands run in it."""

    def __init__(self, path: Path, capsys) -> None:
        self.path = path
        self._capsys = capsys

    def problems(self, *ids: str) -> None:
        rows = [{"id": id_, "prompt": f"<{id_}>", "entry_point": "f", "tests": ["assert f(1) == 1"]} for id_ in ids]
        (self.path / "p.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def samples(self, *rows: tuple[str, str, float]) -> None:
        given = [{"problem_id": id_, "solution": text, "temperature": heat} for id_, text, heat in rows]
        (self.path / "old.jsonl").write_text("".join(json.dumps(row) + "\n" for row in given))

    def assay(self, *words: str) -> tuple[int, str, str]:
        status = run(list(words))
        said = self._capsys.readouterr()
        return status, said.out, said.err

    def run(self, *more: str, model: str = "replay:old.jsonl") -> tuple[int, str, str]:
        return self.assay("run", "p.jsonl", "--model", model, "-o", "r", *FAST, "--json", *more)

    def verdicts(self) -> dict[tuple[str, int], str]:
        return {
            (each.problem_id, each.sample_index): each.outcome.value for each in read_run(self.path / "r").verdicts()
        }


@pytest.fixture
def place(tmp_path, monkeypatch, capsys) -> Place:
    monkeypatch.chdir(tmp_path)
    made = Place(tmp_path, capsys)
    made.problems("a", "b")
    return made


def number(out: str, name: str) -> dict:
    return next(each for each in json.loads(out)["estimates"] if (each["name"], each["tests"]) == (name, "all"))


def test_answers_are_judged_and_the_run_is_as_generate_and_judge_would_leave_it(place) -> None:
    place.samples(("a", RIGHT, 1), ("a", WRONG, 1), ("b", WRONG, 1), ("b", WRONG, 1))
    status, out, err = place.run("-n", "2")
    assert (status, number(out, "pass@1")["value"]) == (0, 0.25)
    assert "4 of 4 answers" in err
    assert "4 judged, 1 passed" in err
    manifest = json.loads((place.path / "r" / "run.json").read_text())
    assert (manifest["expected"], manifest["samples_changed"]) == ({"a": 2, "b": 2}, False)
    status, again, err = place.assay("judge", "p.jsonl", "r/samples.jsonl", "-o", "r", *FAST, "--json")
    assert (status, again) == (0, out)
    assert "nothing was left to judge" in err


def test_the_same_command_again_asks_and_judges_only_what_is_missing(place) -> None:
    place.samples(*[("a", RIGHT, 1)] * 3, ("b", WRONG, 1))
    status, out, err = place.run("-n", "3")
    assert status == 1
    assert number(out, "pass@1")["value"] == 0.5
    assert "2 answers did not come" in err
    before = (place.path / "r" / "verdicts.jsonl").read_bytes()
    place.samples(*[("a", WRONG, 1)] * 3, ("b", WRONG, 1), ("b", RIGHT, 1), ("b", RIGHT, 1))
    status, out, _ = place.run("-n", "3")
    assert (status, number(out, "pass@1")["value"]) == (0, (1 + 2 / 3) / 2)
    assert (place.path / "r" / "verdicts.jsonl").read_bytes().startswith(before)
    assert len(place.verdicts()) == 6


@pytest.mark.slow
def test_a_problem_without_any_answer_leaves_the_number_open_until_the_user_decides(place) -> None:
    place.samples(("a", RIGHT, 1))
    status, out, _ = place.run()
    assert (status, number(out, "pass@1")["value"]) == (1, None)
    assert number(place.run("--missing", "fail")[1], "pass@1")["value"] == 0.5


def test_verdicts_come_while_the_model_still_writes(place) -> None:
    class Watching(StubServer):
        """Gives the second answer only when the first has its verdict."""

        def answer(self, handler) -> None:
            if self.requests:
                while not (path := place.path / "r" / "verdicts.jsonl").exists() or not path.stat().st_size:
                    if self._over.wait(0.02):
                        return
            super().answer(handler)

    with Watching(usual={"text": f"```python\n{RIGHT}```"}) as server:
        status, out, _ = place.run("--base-url", server.url, "--concurrency", "1", model="openai:m")
    assert (status, number(out, "pass@1")["value"]) == (0, 1.0)


def test_no_answer_is_asked_for_where_nothing_could_judge_it(place) -> None:
    with StubServer() as server:
        status, _, err = place.run("--base-url", server.url, "--python", "/nowhere/python", model="openai:m")
    assert (status, len(server.requests)) == (2, 0)
    assert "/nowhere/python" in err


@pytest.mark.slow
def test_what_came_before_a_server_was_given_up_is_judged(place) -> None:
    with StubServer({"<b>": [{"http": 401, "says": "expired"}]}, usual={"text": RIGHT}) as server:
        status, _, err = place.run("--base-url", server.url, "--concurrency", "1", model="openai:m")
    assert status == 1
    assert "401: expired" in err
    assert place.verdicts() == {("a", 0): "passed"}


def test_a_sweep_has_a_run_a_temperature_and_says_which_is_best_for_which_k(place) -> None:
    other = "def f(x):\n    y = x\n    return y\n"
    cold = [(id_, text, 0.2) for id_, text in (*[("a", RIGHT)] * 4, *[("b", WRONG)] * 4)]
    hot = [(id_, text, 0.9) for id_ in "ab" for text in (other, WRONG, RIGHT + "# a comment\n", WRONG)]
    place.samples(*cold, *hot)
    words = (
        "sweep",
        "p.jsonl",
        "--model",
        "replay:old.jsonl",
        "-o",
        "s",
        "-n",
        "4",
        "--temperatures",
        "0.9,0.2",
        "-k",
        "1,4",
        *FAST,
    )
    status, out, err = place.assay(*words, "--json")
    assert "heeds no temperature" not in err
    found = json.loads(out)
    values = {(p["temperature"], p["name"]): p["value"] for p in found["points"] if p["tests"] == "all"}
    assert status == 0
    assert (values[0.2, "pass@1"], values[0.9, "pass@1"]) == (0.5, 0.5)
    assert (values[0.2, "pass@4"], values[0.9, "pass@4"]) == (0.5, 1.0)
    assert [(best["k"], best["temperature"]) for best in found["best"]] == [(1, 0.2), (4, 0.9)]
    assert [each["per_problem"] for each in found["distinct"]] == [1.0, 3.0]
    assert json.loads((place.path / "s" / "sweep.json").read_text()) == found
    assert read_run(place.path / "s" / "t0.9").manifest.expected == {"a": 4, "b": 4}
    status, out, _ = place.assay(*words)
    assert "best for pass@4: temperature 0.9 (1.0000); not shown to be worse: 0.2" in out


@pytest.mark.parametrize("model", ["reference", "replay:old.jsonl"])
def test_a_sweep_of_a_model_that_heeds_no_temperature_says_so_and_names_none_as_best(place, model: str) -> None:
    given = {"id": "a", "prompt": "<a>", "entry_point": "f", "tests": ["assert f(1) == 1"], "reference": RIGHT}
    (place.path / "p.jsonl").write_text(json.dumps(given) + "\n")
    (place.path / "old.jsonl").write_text(json.dumps({"problem_id": "a", "solution": RIGHT}) + "\n")
    status, out, err = place.assay(
        "sweep", "p.jsonl", "--model", model, "-o", "s", "--temperatures", "0,1", *FAST, "--json"
    )
    assert (status, json.loads(out)["best"], json.loads(out)["heeded"]) == (0, [], False)
    assert err.count(f"{model} heeds no temperature") == 1


@pytest.mark.slow
def test_a_sweep_tells_once_what_is_odd_about_the_prompt(place) -> None:
    with StubServer(usual={"text": RIGHT}) as server:
        words = ("sweep", "p.jsonl", "--model", "openai:m", "--base-url", server.url, "-o", "s", *FAST)
        assert place.assay(*words, "--temperatures", "0")[2].count("the prompt shows tests") == 1
        assert place.assay(*words, "--temperatures", "0,0.5,1")[2].count("the prompt shows tests") == 1
        assert place.assay(*words, "--temperatures", "0,0.5,1")[2].count("the prompt shows tests") == 0


@pytest.mark.parametrize("more", [["--temperatures", "0,x"], ["--temperatures", "-1"], ["--temperature", "0.2"]])
def test_a_sweep_takes_a_list_of_temperatures_and_no_other(place, more: list[str]) -> None:
    place.samples(("a", RIGHT, 1))
    status, _, err = place.assay("sweep", "p.jsonl", "--model", "replay:old.jsonl", "-o", "s", *more)
    assert status == 2
    assert "--temperatures" in err
