"""The embedded set `basics` keeps its promises as data; that its programs do so is shown through the judge."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections import Counter
from importlib.resources import files

import pytest

FOLDER = files("assay") / "benchmarks" / "basics"
CATEGORIES = {"text", "numbers", "collections", "dates", "algorithms"}


def rows(name):
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


PROBLEMS = rows("problems.jsonl")
SAMPLES = rows("samples.jsonl")
each_problem = pytest.mark.parametrize("problem", PROBLEMS, ids=[problem["id"] for problem in PROBLEMS])


def plus_inputs(problem):
    plus = problem["plus"]
    return ast.literal_eval(plus) if isinstance(plus, str) else plus


def calls_of(problem):
    """The literal argument lists of the base tests' calls; calls that pass a variable are left out."""
    for test in problem["tests"]:
        for node in ast.walk(ast.parse(test)):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == problem["entry_point"]
            ):
                try:
                    yield [ast.literal_eval(argument) for argument in node.args]
                except ValueError:
                    continue


def samples_of(problem):
    return [sample for sample in SAMPLES if sample["problem_id"] == problem["id"]]


def expected(sample):
    return sample["expect"]["base"], sample["expect"]["plus"]


def test_there_are_20_problems_numbered_in_order_and_4_of_each_category():
    assert [problem["id"] for problem in PROBLEMS] == [f"basics/{number}" for number in range(1, 21)]
    assert Counter(tag for problem in PROBLEMS for tag in problem["tags"]) == dict.fromkeys(CATEGORIES, 4)


def test_no_two_problems_share_an_entry_point_or_a_prompt():
    assert len({problem["entry_point"] for problem in PROBLEMS}) == len(PROBLEMS)
    assert len({problem["prompt"] for problem in PROBLEMS}) == len(PROBLEMS)


@each_problem
def test_a_prompt_names_its_function_with_the_parameters_of_the_reference(problem):
    (function,) = (
        node
        for node in ast.parse(problem["reference"], feature_version=(3, 9)).body
        if isinstance(node, ast.FunctionDef) and node.name == problem["entry_point"]
    )
    parameters = ", ".join(argument.arg for argument in function.args.args)
    assert f"{function.name}({parameters})" in problem["prompt"]


@each_problem
def test_a_problem_has_3_base_tests_and_each_calls_the_entry_point(problem):
    assert len(problem["tests"]) == 3
    assert all(f"{problem['entry_point']}(" in test and "assert " in test for test in problem["tests"])


@each_problem
def test_a_problem_has_20_plus_inputs_that_differ_from_each_other_and_from_the_base_inputs(problem):
    plus, base = plus_inputs(problem), list(calls_of(problem))
    assert len(plus) >= 20
    assert len(base) >= 2, "the base inputs could not be read, so the comparison would be empty"
    repeated = [arguments for number, arguments in enumerate(plus) if arguments in plus[:number] or arguments in base]
    assert repeated == []


@each_problem
def test_a_problem_has_2_right_and_2_wrong_samples_and_a_wrong_one_that_passes_the_base_tests(problem):
    outcomes = Counter(expected(sample) for sample in samples_of(problem))
    assert outcomes[True, True] >= 2
    assert outcomes.total() - outcomes[True, True] >= 2
    assert outcomes[True, False] >= 1


def test_every_sample_belongs_to_a_known_problem_and_none_is_there_twice():
    assert {sample["problem_id"] for sample in SAMPLES} == {problem["id"] for problem in PROBLEMS}
    answers = Counter((sample["problem_id"], sample.get("solution", sample.get("text"))) for sample in SAMPLES)
    assert [answer for answer, times in answers.items() if times > 1] == []


def test_a_sample_says_why_it_is_wrong_and_is_called_right_only_if_it_should_pass_everything():
    for sample in SAMPLES:
        verdict, _, reason = sample["note"].partition(": ")
        assert (verdict == "right") == (expected(sample) == (True, True)), sample["note"]
        assert verdict in {"right", "wrong"}
        assert reason, sample["note"]


def test_at_least_a_fifth_of_the_samples_are_hidden_by_weak_tests_in_every_category():
    category = {problem["id"]: problem["tags"][0] for problem in PROBLEMS}
    every = Counter(category[sample["problem_id"]] for sample in SAMPLES)
    hidden = Counter(category[sample["problem_id"]] for sample in SAMPLES if expected(sample) == (True, False))
    assert {name: hidden[name] * 5 >= every[name] for name in CATEGORIES} == dict.fromkeys(CATEGORIES, True)


def test_a_third_of_the_samples_are_chat_answers_with_one_fenced_block():
    chats = [sample["text"] for sample in SAMPLES if "text" in sample]
    assert len(chats) * 3 >= len(SAMPLES)
    assert [chat for chat in chats if chat.count("```") != 2] == []
    assert all(("text" in sample) != ("solution" in sample) for sample in SAMPLES)


def test_at_most_two_samples_wait_for_the_time_limit():
    assert sum("never ends" in sample["note"] for sample in SAMPLES) in {1, 2}


def test_the_digests_of_the_problems_do_not_depend_on_the_hash_seed():
    code = "from assay.benchmarks import load; print([p.digest() for p in load('basics').problems])"
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(digests) == 1
