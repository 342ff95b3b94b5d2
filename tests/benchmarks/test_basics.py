"""The embedded set `basics` keeps its promises as data, and every recorded sample gets the verdict that its label says, in the sandbox."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections import Counter
from importlib.resources import files

import pytest

import assay
from assay.engine import Settings
from assay.records import Outcome, Trust

FOLDER = files("assay") / "benchmarks" / "basics"
CATEGORIES = ("text", "numbers", "collections", "dates", "algorithms")
FIELDS = ("text", "solution", "completion")
"""Where a sample's text stands; its name says what kind of text it is."""


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


def words_of(prompt):
    """What a prompt says: the docstring, where it is code."""
    try:
        (function,) = ast.parse(prompt).body
    except (SyntaxError, ValueError):
        return prompt
    return ast.get_docstring(function)


def sentences(prompt):
    unquoted = re.sub(r"(?<!\w)'[^']*'(?!\w)", "quoted", words_of(prompt))
    return [sentence for sentence in re.split(r"[.?!](?:\s+|$)", unquoted) if sentence]


def is_code(problem):
    return problem["prompt"].startswith("def ")


def samples_of(problem):
    return [sample for sample in SAMPLES if sample["problem_id"] == problem["id"]]


def expected(sample):
    return sample["expect"]["base"], sample["expect"]["plus"]


def field_of(sample):
    (field,) = (field for field in FIELDS if field in sample)
    return field


def test_there_are_60_problems_numbered_in_order_and_12_of_each_category():
    assert [problem["id"] for problem in PROBLEMS] == [f"basics/{number}" for number in range(1, 61)]
    assert Counter(tag for problem in PROBLEMS for tag in problem["tags"]) == dict.fromkeys(CATEGORIES, 12)
    assert all(len(problem["tags"]) == 1 for problem in PROBLEMS)


def test_no_two_problems_share_an_entry_point_or_a_prompt():
    assert len({problem["entry_point"] for problem in PROBLEMS}) == len(PROBLEMS)
    assert len({problem["prompt"] for problem in PROBLEMS}) == len(PROBLEMS)


@each_problem
def test_a_prompt_has_1_to_3_sentences(problem):
    assert 1 <= len(sentences(problem["prompt"])) <= 3


def test_a_prompt_of_each_category_is_code_and_the_others_are_words():
    assert [problem["tags"][0] for problem in PROBLEMS if is_code(problem)] == list(CATEGORIES)


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
def test_a_problem_has_5_samples_of_which_2_are_right_2_wrong_and_a_wrong_one_passes_the_base_tests(problem):
    outcomes = Counter(expected(sample) for sample in samples_of(problem))
    assert outcomes.total() >= 5
    assert outcomes[True, True] >= 2
    assert outcomes.total() - outcomes[True, True] >= 2
    assert outcomes[True, False] >= 1


def test_every_sample_belongs_to_a_known_problem_and_none_is_there_twice():
    assert {sample["problem_id"] for sample in SAMPLES} == {problem["id"] for problem in PROBLEMS}
    answers = Counter((sample["problem_id"], sample[field_of(sample)].strip()) for sample in SAMPLES)
    assert [answer for answer, times in answers.items() if times > 1] == []


def test_a_sample_says_why_it_is_wrong_and_is_called_right_only_if_it_should_pass_everything():
    for sample in SAMPLES:
        verdict, _, reason = sample["note"].partition(": ")
        assert (verdict == "right") == (expected(sample) == (True, True)), sample["note"]
        assert (verdict == "right") == (sample["expect"]["outcome"] == "passed"), sample["note"]
        assert verdict in {"right", "wrong"}
        assert reason, sample["note"]


def test_at_least_a_fifth_of_the_samples_are_hidden_by_weak_tests_in_every_category():
    category = {problem["id"]: problem["tags"][0] for problem in PROBLEMS}
    every = Counter(category[sample["problem_id"]] for sample in SAMPLES)
    hidden = Counter(category[sample["problem_id"]] for sample in SAMPLES if expected(sample) == (True, False))
    assert {name: hidden[name] * 5 >= every[name] for name in CATEGORIES} == dict.fromkeys(CATEGORIES, True)


def test_a_third_of_the_samples_are_chat_answers_most_with_one_fenced_block_and_some_with_none_or_several():
    fences = [sample["text"].count("```") for sample in SAMPLES if "text" in sample]
    assert len(fences) * 3 >= len(SAMPLES)
    assert fences.count(2) * 10 >= len(fences) * 9
    assert {0, 1, 4, 6} <= set(fences), "none, one that is not closed, two blocks, three blocks"


def test_code_prompts_are_continued_by_completions_right_and_wrong_and_no_others_are():
    code = {problem["id"] for problem in PROBLEMS if is_code(problem)}
    completions = [sample for sample in SAMPLES if field_of(sample) == "completion"]
    assert {(sample["problem_id"], all(expected(sample))) for sample in completions} == {
        (name, right) for name in code for right in (True, False)
    }


def test_samples_fail_in_every_way_but_by_force_and_at_most_two_wait_for_the_time_limit():
    outcomes = Counter(Outcome(sample["expect"]["outcome"]) for sample in SAMPLES)
    assert outcomes.keys() == set(Outcome) - {Outcome.FORBIDDEN, Outcome.SYSTEM_ERROR}
    assert outcomes[Outcome.TIME_LIMIT] in {1, 2}


@pytest.fixture(scope="module")
def result():
    """All samples, judged; 2 s are more than a hundred times what any right one needs."""
    return assay.judge_samples(assay.load("basics"), SAMPLES, settings=Settings(time_s=2))


def test_the_references_pass_their_own_tests(result):
    assert result.invalid == ()


def test_every_sample_is_judged_as_its_label_says_and_none_by_its_own_claims(result):
    judged = {(verdict.problem_id, verdict.sample_index): verdict for verdict in result.verdicts}
    seen: Counter[str] = Counter()
    differences = []
    for sample in SAMPLES:
        verdict = judged.pop((sample["problem_id"], seen[sample["problem_id"]]))
        seen[sample["problem_id"]] += 1
        passed = {group: verdict.groups[group][0] == verdict.groups[group][1] for group in ("base", "plus")}
        if {**passed, "outcome": verdict.outcome.value} != sample["expect"] or verdict.trust is not Trust.ANCHORED:
            differences.append((sample["problem_id"], sample["note"], verdict))
    assert differences == []
    assert judged == {}


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
