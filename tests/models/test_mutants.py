from __future__ import annotations

import ast
import random

import anyio
import msgspec
import pytest

from assay.errors import ModelError, SettingsError
from assay.models import ModelSettings, Question, open_model
from assay.models.mutants import mutants
from assay.records import AssertTests, Mode, Problem, Sampling

SOURCE = (
    "def f(items, limit):\n    if len(items) > limit and items[0] != 1:\n        return items[1:]\n    return items\n"
)


def problem(reference: str | None = SOURCE) -> Problem:
    return Problem(id="a", prompt="p", tests=(AssertTests(cases=("assert f",)),), reference=reference)


def answers(spec: str, count: int, seed: int = 0, asked: Problem | None = None) -> list:
    model = open_model(spec, ModelSettings(sampling=Sampling(seed=seed)))
    question = Question(asked or problem(), None, tuple(range(count)))
    return list(anyio.run(model.ask, question).answers)


def test_a_mutant_is_another_program_that_python_can_read() -> None:
    found = list(mutants(SOURCE, random.Random(0)))
    assert len(set(found)) == len(found) >= 8
    assert ast.unparse(ast.parse(SOURCE)) + "\n" not in found
    for source in found:
        ast.parse(source)


@pytest.mark.parametrize("source", ["", "def f():\n    pass\n", "def f(:\n"])
def test_where_nothing_can_be_changed_there_is_no_mutant(source: str) -> None:
    assert list(mutants(source, random.Random(0))) == []
    assert {answer.text for answer in answers("mutants:1", 3, asked=problem(source))} == {source}


@pytest.mark.parametrize("seed", range(5))
def test_changed_answers_to_a_problem_differ_as_long_as_there_are_ways_to_change_it(seed: int) -> None:
    ways = len(list(mutants(SOURCE, random.Random(0))))
    for spec in ("mutants:1", "mutants:0.5"):
        changed = [answer.text for answer in answers(spec, 3 * ways, seed) if answer.fields["changed"]]
        assert len(set(changed)) == min(ways, len(changed))
        assert len(set(changed[:ways])) == len(changed[:ways])


def test_another_seed_or_problem_gives_the_mutants_in_another_order() -> None:
    orders = {tuple(answer.text for answer in answers("mutants:1", 4, seed)) for seed in range(9)}
    assert len(orders) > 5


def test_problems_that_are_asked_by_turns_have_the_answers_that_they_have_alone() -> None:
    other = msgspec.structs.replace(problem(), id="b")
    model = open_model("mutants", ModelSettings(sampling=Sampling(seed=5)))
    found = [
        anyio.run(model.ask, Question(each, None, (draw,))).answers[0]
        for draw in reversed(range(4))
        for each in (problem(), other)
    ]
    assert found[6::-2] == answers("mutants", 4, seed=5)
    assert found[7::-2] == answers("mutants", 4, seed=5, asked=other)


def test_the_rate_is_the_share_of_changed_answers() -> None:
    changed = [answer.fields["changed"] for answer in answers("mutants:0.3", 2000)]
    assert abs(sum(changed) / 2000 - 0.3) < 0.04
    assert not any(answer.fields["changed"] for answer in answers("mutants:0", 50))
    assert all(answer.text != SOURCE for answer in answers("mutants:1", 50))


def test_a_seed_gives_the_same_answers_whatever_else_is_asked() -> None:
    whole = answers("mutants", 20, seed=5)
    assert answers("mutants", 20, seed=5) == whole
    assert answers("mutants", 20, seed=6) != whole
    model = open_model("mutants", ModelSettings(sampling=Sampling(seed=5)))
    assert anyio.run(model.ask, Question(problem(), None, (7,))).answers == (whole[7],)


@pytest.mark.parametrize("spec", ["mutants:x", "mutants:1.5", "mutants:-1", "mutants:nan"])
def test_a_rate_that_is_none_is_refused(spec: str) -> None:
    with pytest.raises(SettingsError, match="no share"):
        answers(spec, 1)


@pytest.mark.parametrize("spec", ["mutants", "reference"])
def test_a_problem_without_reference_has_no_answer(spec: str) -> None:
    with pytest.raises(ModelError, match="problem a has no reference"):
        answers(spec, 1, asked=problem(None))


def test_the_reference_is_a_whole_program() -> None:
    (answer,) = answers("reference", 1)
    assert (answer.text, answer.mode) == (SOURCE, Mode.SOLUTION)
