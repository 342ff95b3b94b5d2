"""`assay generate` from the command line, against a server on the loopback that misbehaves by a script."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from stub_server import StubServer

from assay.cli.app import run

if TYPE_CHECKING:
    from pathlib import Path

KEY = "sk-not-to-be-seen-anywhere"


class Place:
    """A folder with a file of problems, and the command run in it."""

    def __init__(self, path: Path, capsys) -> None:
        self.path = path
        self._capsys = capsys

    def problems(self, *ids: str) -> None:
        rows = [
            {"id": id_, "prompt": f"<{id_}>: write f", "entry_point": "f", "tests": ["assert f(1) == 1"]} for id_ in ids
        ]
        (self.path / "p.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def generate(self, server: StubServer | None, *more: str, model: str = "openai:m") -> tuple[int, str, str]:
        where = [] if server is None else ["--base-url", server.url]
        status = run(["generate", "p.jsonl", "--model", model, *where, "-o", "s.jsonl", *more])
        said = self._capsys.readouterr()
        return status, said.out, said.err

    def rows(self, name: str = "s.jsonl") -> list[dict]:
        return [json.loads(line) for line in (self.path / name).read_text().splitlines()]

    def every_byte(self) -> str:
        return "".join(path.read_text() for path in self.path.rglob("*") if path.is_file())


@pytest.fixture
def place(tmp_path, monkeypatch, capsys) -> Place:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    made = Place(tmp_path, capsys)
    made.problems("a/1", "a/2")
    return made


def test_answers_lie_in_a_sample_file_with_what_decides_them_beside_it(place) -> None:
    with StubServer() as server:
        status, out, err = place.generate(server, "-n", "3", "--temperature", "0.6", "--max-tokens", "99")
    assert (status, out) == (0, "")
    rows = place.rows()
    assert sorted((row["problem_id"], row["draw"]) for row in rows) == [
        (id_, n) for id_ in ("a/1", "a/2") for n in range(3)
    ]
    assert rows[0]["text"].startswith("```python")
    assert (rows[0]["model"], rows[0]["temperature"], rows[0]["finish_reason"]) == ("m", 0.6, "stop")
    manifest = json.loads((place.path / "s.generation.json").read_text())
    assert (manifest["model"], manifest["per_problem"], manifest["server"]) == ("openai:m", 3, server.url)
    assert manifest["style"].startswith("evalplus-api@")
    assert manifest["sampling"] == {"temperature": 0.6, "top_p": None, "max_tokens": 99, "seed": None, "body": {}}
    assert "6 of 6 answers" in err
    assert "60 tokens in, 42 out" in err


def test_the_same_command_again_asks_only_for_what_is_missing(place) -> None:
    with StubServer({"<a/2>": [{"http": 400, "says": "no"}, {"text": "x"}]}) as server:
        assert place.generate(server)[0] == 1
        assert [row["problem_id"] for row in place.rows("s.errors.jsonl")] == ["a/2"]
        assert place.generate(server)[0] == 0
        assert server.asked() == {"": 1, "<a/2>": 2}
        status, _, err = place.generate(server)
        assert (status, len(server.requests)) == (0, 3)
    assert "nothing was left to ask" in err
    assert not (place.path / "s.errors.jsonl").exists()


@pytest.mark.slow
def test_a_larger_number_asks_for_more_and_keeps_what_is_there(place) -> None:
    with StubServer() as server:
        place.generate(server, "-n", "2")
        place.generate(server, "-n", "5")
        assert len(server.requests) == 10
        place.generate(server, "-n", "3")
    assert len(server.requests) == len(place.rows()) == 10


def test_other_conditions_are_refused_unless_it_begins_again(place) -> None:
    with StubServer() as server:
        place.generate(server, "-n", "2")
        status, _, err = place.generate(server, "-n", "2", "--temperature", "0.2")
        assert (status, len(server.requests)) == (2, 4)
        assert "sampling.temperature: 0.8 there, 0.2 now" in err
        assert place.generate(server, "-n", "2", "--temperature", "0.2", "--fresh")[0] == 0
    assert len(place.rows("s.previous.jsonl")) == 4


def test_shots_are_refused_by_a_style_that_shows_none(place) -> None:
    with StubServer() as server:
        status, _, err = place.generate(server, "--shots", "2")
        assert (status, len(server.requests)) == (2, 0)
        assert "'evalplus-api' has no place for solved problems (--shots 2)" in err
        assert "hint: styles that show them: mbpp-3-shot" in err
        assert place.generate(server, "--shots", "0")[0] == 0
    assert json.loads((place.path / "s.generation.json").read_text())["shots"] == []


def test_a_file_goes_on_at_its_own_temperature_where_none_is_given(place) -> None:
    with StubServer() as server:
        place.generate(server, "-n", "2", "--temperature", "0.6")
        status, _, err = place.generate(server, "-n", "3")
        assert (status, len(server.requests)) == (0, 6)
        assert "temperature 0.6, at which the answers in s.jsonl were drawn" in err
        status, _, err = place.generate(server, "-n", "1")
        assert (status, len(server.requests)) == (0, 6)
        assert "nothing was left to ask" in err
        assert place.generate(server, "-n", "3", "--temperature", "0.8")[0] == 2
    assert {row["temperature"] for row in place.rows()} == {0.6}


def test_several_answers_do_not_go_on_from_one_at_temperature_0_unless_it_is_named(place) -> None:
    with StubServer() as server:
        place.generate(server)
        status, _, err = place.generate(server, "-n", "3")
        assert (status, len(server.requests)) == (2, 2)
        assert "sampling.temperature: 0.0 there, 0.8 now" in err
        assert "hint: --temperature 0 goes on with them, but the 3 answers to a problem would be much alike" in err
        assert place.generate(server, "-n", "3", "--temperature", "0")[0] == 0
        status, _, err = place.generate(server, "-n", "3")
    assert (status, len(server.requests)) == (0, 6)
    assert {row["temperature"] for row in place.rows()} == {0}


def test_what_is_odd_about_a_prompt_is_told_only_where_something_is_asked(place) -> None:
    with StubServer() as server:
        assert "the prompt shows tests" in place.generate(server)[2]
        assert "the prompt shows tests" not in place.generate(server)[2]


def test_n_asked_is_n_stored_whatever_a_server_makes_of_the_number(place) -> None:
    for n_most, ignore in ((1000, False), (4, False), (1, False), (1000, True)):
        with StubServer(usual={"text": "x", "n_most": n_most, "ignore_n": ignore}) as server:
            assert place.generate(server, "-n", "7", "--draws", "7", "--fresh")[0] == 0
        counts = [sum(row["problem_id"] == id_ for row in place.rows()) for id_ in ("a/1", "a/2")]
        assert counts == [7, 7]


def test_the_key_is_in_no_file_and_no_message(place, monkeypatch) -> None:
    monkeypatch.setenv("ASSAY_DEBUG", "1")
    replies = {
        "<a/1>": [{"http": 401, "says": f"Incorrect API key provided: {KEY}"}],
        "<a/2>": [{"text": f"Authorization: Bearer {KEY}"}],
    }
    with StubServer(replies) as server:
        _, out, err = place.generate(server, "--tries", "1", "--concurrency", "1")
        place.problems("a/2")
        server_with_password = server.url.replace("http://", f"http://user:{KEY}@")
        more = run(
            [
                "generate",
                "p.jsonl",
                "--model",
                "openai:m",
                "--base-url",
                server_with_password,
                "-o",
                "t.jsonl",
                "--tries",
                "1",
            ]
        )
    assert more == 0
    assert place.rows("t.jsonl")[0]["text"] == "Authorization: Bearer ***"
    assert "Incorrect API key provided: ***" in err
    assert KEY not in out + err + place.every_byte()


def test_a_piece_of_the_key_is_in_no_file_and_no_message_whatever_its_letter_case(place) -> None:
    replies = {
        "<a/1>": [{"http": 400, "says": f"Incorrect API key provided: {KEY[:12]}****{KEY[9:20].upper()}"}],
        "<a/2>": [{"text": f"you are {KEY.title()}"}],
    }
    with StubServer(replies) as server:
        _, out, err = place.generate(server, "--concurrency", "1")
    assert "Incorrect API key provided: ***" in err
    seen = (out + err + place.every_byte()).lower()
    assert not [at for at in range(len(KEY) - 8) if KEY[at : at + 8] in seen]


def test_a_wrong_key_ends_it_at_once(place) -> None:
    with StubServer(usual={"http": 401, "says": "who are you"}) as server:
        status, _, err = place.generate(server, "-n", "50", "--concurrency", "2")
    assert status == 1
    assert len(server.requests) <= 2
    assert "error: the server refuses with 401: who are you" in err
    assert "the same command goes on" in err


def test_a_server_that_is_not_there_is_told_after_the_first_try(place) -> None:
    with StubServer() as server:
        pass
    status, _, err = place.generate(server, "--tries", "2")
    early, late = err.index("can't be reached, trying again, once more"), err.index("can't be reached: ")
    assert (status, err.count("trying again")) == (1, 1)
    assert early < late


def test_a_server_that_leads_elsewhere_is_left_with_one_line(place) -> None:
    with StubServer(usual={"http": 307, "headers": {"Location": "http://other.example/v1/chat/completions"}}) as server:
        status, _, err = place.generate(server, "-n", "9", "--concurrency", "1")
    assert (status, len(server.requests)) == (1, 1)
    assert "hint: if that is the server that you mean: --base-url http://other.example/v1" in err


def test_a_dead_server_is_given_up(place) -> None:
    with StubServer(usual={"http": 400, "says": "bad day"}) as server:
        status, _, err = place.generate(server, "-n", "50", "--give-up-after", "4", "--concurrency", "1")
    assert (status, len(server.requests)) == (1, 4)
    assert "failure 4 in a row" in err


def test_greedy_answers_of_one_problem_are_warned_about(place) -> None:
    with StubServer() as server:
        assert "much alike" in place.generate(server, "-n", "2", "--temperature", "0")[2]
        assert "much alike" not in place.generate(server, "-n", "1", "--temperature", "0", "--fresh")[2]


def test_cost_is_shown_by_the_users_own_table(place) -> None:
    (place.path / "prices.toml").write_text("[models.m]\ninput_per_million = 1e6\noutput_per_million = 1e7\n")
    with StubServer() as server:
        assert "90 tokens" not in place.generate(server, "--prices", "prices.toml")[2]
        status, _, err = place.generate(server, "--prices", "prices.toml", "--fresh")
        assert "160 USD" in err
        assert place.generate(server, "--prices", "none.toml", "--fresh")[0] == 2
    assert status == 0


def test_tokens_are_said_to_be_at_least_so_many_where_servers_count_one_answer_of_several(place) -> None:
    with StubServer() as server:
        assert "at least 20 tokens in" in place.generate(server, "-n", "2", "--draws", "2")[2]


@pytest.mark.parametrize(
    "flags",
    [
        ["--temperature", "-1"],
        ["--top-p", "0"],
        ["-n", "0"],
        ["--max-tokens", "0"],
        ["--body", "[]"],
        ["--concurrency", "0"],
        ["--rate", "0"],
        ["--tries", "0"],
        ["--draws", "2", "--seed", "1"],
        ["--prompt", "no-such-style"],
    ],
)
def test_a_flag_out_of_range_is_told_before_anything_is_asked(place, flags: list[str]) -> None:
    with StubServer() as server:
        status, _, err = place.generate(server, *flags)
    assert (status, len(server.requests)) == (2, 0)
    assert "hint:" in err


def test_samples_of_a_file_are_replayed_with_what_they_carry(place) -> None:
    given = [{"problem_id": "a/1", "completion": f"c{n}", "model": "gpt-x", "note": n} for n in range(3)]
    (place.path / "old.jsonl").write_text("".join(json.dumps(row) + "\n" for row in given))
    status, _, err = place.generate(None, "-n", "2", model="replay:old.jsonl")
    rows = place.rows()
    assert [(row["completion"], row["note"], row["written_by"]) for row in rows] == [
        ("c0", 0, "gpt-x"),
        ("c1", 1, "gpt-x"),
    ]
    assert status == 1
    assert "has 0 samples of problem a/2, and 1 are wanted" in err
    place.generate(None, "-n", "3", model="replay:old.jsonl")
    assert [row["completion"] for row in place.rows()] == ["c0", "c1", "c2"]


def test_replay_at_a_temperature_takes_the_rows_of_it(place) -> None:
    given = [{"problem_id": "a/1", "text": f"{heat}", "temperature": heat} for heat in (0.2, 0.8, 0.2)]
    (place.path / "old.jsonl").write_text("".join(json.dumps(row) + "\n" for row in given))
    place.generate(None, "-n", "2", "--temperature", "0.2", model="replay:old.jsonl")
    assert [row["text"] for row in place.rows()] == ["0.2", "0.2"]


def test_a_kill_costs_what_was_in_flight_and_the_rest_is_asked_once(place) -> None:
    place.problems(*(f"a/{n}" for n in range(30)))
    slow = {"text": "x", "hang_s": 0.05}
    with StubServer(usual=slow) as server:
        command = [
            sys.executable,
            "-m",
            "assay",
            "generate",
            "p.jsonl",
            "--model",
            "openai:m",
            "--base-url",
            server.url,
        ]
        command += ["-n", "4", "-o", "s.jsonl", "--concurrency", "3"]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as killed:
            while len(server.requests) < 20:
                time.sleep(0.01)
            killed.send_signal(signal.SIGKILL)
        stored = len((place.path / "s.jsonl").read_bytes().splitlines())
        assert len(server.requests) - stored <= 2 * 3
        asked = len(server.requests)
        server.usual = {"text": "x"}
        assert place.generate(server, "-n", "4")[0] == 0
        assert len(server.requests) - asked == 120 - stored
    assert len({(row["problem_id"], row["draw"]) for row in place.rows()}) == 120


@pytest.mark.slow
def test_ctrl_c_keeps_what_came_and_says_how_to_go_on(place) -> None:
    place.problems(*(f"a/{n}" for n in range(30)))
    with StubServer(usual={"text": "x", "hang_s": 0.05}) as server:
        command = [
            sys.executable,
            "-m",
            "assay",
            "generate",
            "p.jsonl",
            "--model",
            "openai:m",
            "--base-url",
            server.url,
            "-o",
            "s.jsonl",
        ]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=place.path) as stopped:
            while len(server.requests) < 12:
                time.sleep(0.01)
            stopped.send_signal(signal.SIGINT)
            err = stopped.stderr.read()
    assert stopped.returncode == 130
    assert "the same command goes on" in err
    assert "Traceback" not in err
    assert place.rows()


@pytest.mark.slow
@pytest.mark.shared
def test_odd_replies_have_the_outcomes_of_the_corpus(place, shared) -> None:
    script = json.loads((shared / "corpus" / "generation" / "server-script.json").read_text())["replies"]
    replies = {f"<{id_}>": said for id_, said in script.items()}
    replies["<g/2>"] = [{"text": "half of the code", "cut": True}, {"text": "whole"}]
    replies["<g/5>"] = [{"http": 400, "says": "bad request"}]
    place.problems(*(f"g/{n}" for n in range(8)))
    with StubServer(replies) as server:
        status, _, _ = place.generate(server, "--reply-timeout", "2.5", "--tries", "3")
    asked = {word.strip("<>"): count for word, count in server.asked().items()}
    assert asked == {"g/0": 2, "g/1": 3, "g/2": 2, "g/3": 1, "g/4": 3, "g/5": 1, "g/6": 3, "g/7": 1}
    rows = {row["problem_id"]: row for row in place.rows()}
    assert sorted(rows) == ["g/0", "g/1", "g/2", "g/3", "g/7"]
    assert rows["g/2"]["text"] == "whole"
    assert rows["g/3"]["finish_reason"] == "length"
    assert (rows["g/7"]["text"], rows["g/7"]["finish_reason"]) == ("", "content_filter")
    errors = {row["problem_id"]: row for row in place.rows("s.errors.jsonl")}
    assert sorted(errors) == ["g/4", "g/5", "g/6"]
    assert "bad request" in errors["g/5"]["error"]
    assert status == 1
