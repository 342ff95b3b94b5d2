"""The scenes of corpus/ids: how ids, splits and versions are read and judged, each line of its expected.md through the real command.

Left to `assay compare`: how two runs are set against each other (the last half of the line on old and new plus).
"""

from __future__ import annotations

import hashlib
import json

import pytest

from assay.benchmarks import load, select
from assay.cli.app import run

pytestmark = pytest.mark.shared

DOUBLES = {"task_id": 2, "solution": "def f(n):\n    return n * 2\n"}
HALVES = {"task_id": 10, "solution": "def g(n):\n    return n / 2\n"}


class Scene:
    """The corpus' files, a folder to work in, and the command line."""

    def __init__(self, corpus, path, capfd):
        self.corpus = corpus
        self.path = path
        self._capfd = capfd

    def samples(self, *rows):
        path = self.path / "samples.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return str(path)

    def judge(self, problems, samples, *words):
        """Exit status, the numbers, and what was said."""
        out = str(self.path / "run")
        command = ["judge", str(self.corpus / problems), samples, "-o", out, "--workers", "1", "--json", *words]
        status = run(command)
        printed, said = self._capfd.readouterr()
        return status, json.loads(printed) if printed else None, said

    def verdicts(self):
        rows = map(json.loads, (self.path / "run/verdicts.jsonl").read_text().splitlines())
        return {row["problem_id"]: row for row in rows}

    def manifest(self):
        return json.loads((self.path / "run/run.json").read_text())


@pytest.fixture
def scene(shared, tmp_path, capfd):
    return Scene(shared / "corpus/ids", tmp_path, capfd)


def value(numbers, name="pass@1", tests="all"):
    (estimate,) = (each for each in numbers["estimates"] if (each["name"], each["tests"]) == (name, tests))
    return estimate["value"]


def reason(numbers):
    return next(each["reason"] for each in numbers["estimates"] if each["name"] == "pass@1")


def test_an_id_as_text_matches_the_same_number_and_the_mixture_is_listed(scene):
    status, numbers, said = scene.judge("problems-int.jsonl", str(scene.corpus / "samples-a.jsonl"))
    assert (status, value(numbers)) == (0, 1.0)
    assert {id_: row["outcome"] for id_, row in scene.verdicts().items()} == {"2": "passed", "10": "passed"}
    assert "1 row name their problem by a number, others by text (both forms were matched), first in line 1" in said


def test_a_prefix_in_another_case_is_unknown_with_a_proposal(scene):
    rows = ({"task_id": "Mbpp/2", "solution": "x"}, {"task_id": "MBPP/10", "solution": "x"})
    status, numbers, said = scene.judge("problems-prefixed.jsonl", scene.samples(*rows))
    assert (status, numbers) == (2, None)
    assert "line 2: unknown task_id 'MBPP/10'; did you mean 'Mbpp/10'?" in said
    assert "line 1" not in said


def test_ids_without_their_prefix_give_neither_zero_per_cent_nor_a_match(scene):
    status, numbers, said = scene.judge("problems-prefixed.jsonl", str(scene.corpus / "samples-a.jsonl"))
    assert (status, numbers) == (2, None)
    assert "2 of 2 ids unknown; did you mean Mbpp/2?" in said


def test_ids_are_listed_in_the_order_of_their_numbers(scene):
    status, numbers, _ = scene.judge("problems-prefixed.jsonl", scene.samples({**DOUBLES, "task_id": "Mbpp/2"}))
    assert status == 0
    assert "no samples for Mbpp/10" in reason(numbers)
    rows = [{"id": f"Mbpp/{n}", "prompt": "p", "tests": ["assert f(1)"]} for n in (10, 9, 2)]
    problems = scene.path / "three.jsonl"
    problems.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (scene.path / "three").mkdir()
    scene.path = scene.path / "three"
    sample = scene.samples({"task_id": "Mbpp/9", "solution": "def f(n): return n"})
    assert "2 of 3 problems have no samples: Mbpp/2, Mbpp/10" in scene.judge(problems, sample)[2]


def test_setup_comes_before_the_candidate_and_the_tests(scene):
    uses_setup = {"task_id": 10, "solution": "def g(n, half=math.ldexp(1, -1)):\n    return n * half\n"}
    _, numbers, _ = scene.judge("problems-int.jsonl", scene.samples(DOUBLES, uses_setup))
    assert value(numbers) == 1.0


def test_challenge_tests_are_optional_and_counted_apart(scene):
    only_base = {"task_id": 10, "solution": "def g(n):\n    return n / 2 or 1\n"}
    _, numbers, _ = scene.judge("problems-int.jsonl", scene.samples(DOUBLES, only_base))
    assert value(numbers) == 1.0
    assert scene.verdicts()["10"]["groups"] == {"base": [1, 1]}
    _, numbers, _ = scene.judge("problems-int.jsonl", scene.samples(DOUBLES, only_base), "--challenge", "--fresh")
    assert (value(numbers), value(numbers, tests="challenge")) == (1.0, 0.0)
    judged = scene.verdicts()["10"]
    assert (judged["outcome"], judged["groups"]) == ("wrong_answer", {"base": [1, 1], "challenge": [0, 1]})


def test_a_problem_without_plus_inputs_has_its_base_result_and_is_marked(scene):
    wrong_below_zero = {"task_id": "Mbpp/2", "solution": "def f(n):\n    return abs(n) * 2\n"}
    rows = (wrong_below_zero, {**HALVES, "task_id": "Mbpp/10"})
    _, numbers, said = scene.judge("problems-prefixed.jsonl", scene.samples(*rows))
    found = {id_: (row["outcome"], row["groups"]) for id_, row in scene.verdicts().items()}
    assert found == {
        "Mbpp/2": ("wrong_answer", {"base": [1, 1], "plus": [1, 2]}),
        "Mbpp/10": ("passed", {"base": [1, 1]}),
    }
    assert (value(numbers), value(numbers, tests="base")) == (0.5, 1.0)
    assert "no extra tests (base tests alone decide): Mbpp/10" in said


def test_a_run_records_name_version_and_digest_of_its_data(scene):
    sample = scene.samples({"task_id": "Mbpp/7", "solution": "def f(n):\n    return n\n"})
    digests = []
    for name in ("old-plus", "new-plus"):
        rows = [json.loads(line) for line in (scene.corpus / f"{name}.jsonl").read_text().splitlines()]
        whole = [
            {**row, "prompt": "", "entry_point": "f", "canonical_solution": "def f(n):\n    return n\n"} for row in rows
        ]
        path = scene.path / f"{name}.jsonl"
        path.write_text("".join(json.dumps({**row, "base_input": [[1]]}) + "\n" for row in whole))
        scene.judge(path, sample, "--fresh")
        manifest = scene.manifest()
        assert (manifest["benchmark"], manifest["benchmark_version"]) == (f"{name}.jsonl", None)
        assert len(bytes.fromhex(manifest["benchmark_digest"])) == hashlib.sha256().digest_size
        digests.append(manifest["benchmark_digest"])
    assert digests[0] != digests[1]


def test_a_run_is_not_taken_up_again_with_other_data(scene):
    sample = scene.samples(DOUBLES)
    problems = scene.path / "problems.jsonl"
    text = (scene.corpus / "problems-int.jsonl").read_text()
    problems.write_text(text)
    assert scene.judge(problems, sample)[0] == 0
    problems.write_text(text.replace("f(2) == 4", "f(3) == 6"))
    status, _, said = scene.judge(problems, sample)
    assert status == 2
    assert "holds a run under other conditions:\n  benchmark_digest: " in said


def test_tasks_without_samples_are_listed_and_the_user_says_what_they_mean(scene):
    sample = scene.samples(DOUBLES)
    status, numbers, said = scene.judge("problems-int.jsonl", sample)
    assert (status, value(numbers)) == (0, None)
    assert "1 of 2 problems has no samples: 10" in said
    assert "no samples for 10" in reason(numbers)
    assert scene.verdicts()["2"]["outcome"] == "passed"
    assert value(scene.judge("problems-int.jsonl", sample, "--missing", "fail")[1]) == 0.5
    assert value(scene.judge("problems-int.jsonl", sample, "--missing", "skip")[1]) == 1.0


def test_a_named_split_is_the_whole_that_is_asked_for(scene, shared):
    named = load("mbpp", data=str(scene.corpus / "problems-int.jsonl"))
    assert [(problem.id, problem.split) for problem in named.problems] == [("2", "prompt"), ("10", "prompt")]
    whole = load("mbpp", data=str(shared / "data/benchmarks/mbpp/problems.jsonl.gz"))
    assert [len(select(whole, split=split).problems) for split in ("prompt", "test", "validation", "train")] == [
        10,
        500,
        90,
        374,
    ]
