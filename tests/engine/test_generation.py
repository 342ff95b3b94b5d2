from __future__ import annotations

import anyio
import pytest

from assay.engine import Asking, ask_all, questions
from assay.errors import ModelError, StoreError
from assay.models import Answer, Prompt, Reply, draw_seed
from assay.records import AssertTests, Mode, Problem


def problem(name: str) -> Problem:
    return Problem(id=name, prompt=name, tests=(AssertTests(cases=("assert f",)),))


def prompt_of(asked: Problem) -> Prompt:
    return Prompt(problem_id=asked.id, mode=Mode.CHAT, text=asked.prompt)


class Told:
    """Events, kept."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, int], dict] = {}
        self.errors: list = []

    async def answered(self, question, draw, row) -> None:
        assert (question.problem.id, draw) not in self.rows
        self.rows[question.problem.id, draw] = row

    def replied(self, reply) -> None:
        assert reply.answers

    def unanswered(self, row) -> None:
        self.errors.append(row)


class Talker:
    """A model that gives at most `most` answers at once, and fails on the problems named."""

    label, server, needs_prompt = "talker", None, True

    def __init__(self, most: int = 1000, fails: dict[str, ModelError] | None = None, wait_s: float = 0.0) -> None:
        self.most = most
        self.fails = fails or {}
        self.wait_s = wait_s
        self.asked: list[tuple[str, tuple[int, ...]]] = []
        self.under_way = self.most_under_way = 0

    async def ask(self, question) -> Reply:
        self.asked.append((question.problem.id, question.draws))
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        await anyio.sleep(self.wait_s)
        self.under_way -= 1
        if question.problem.id in self.fails:
            raise self.fails[question.problem.id]
        count = min(self.most, len(question.draws))
        return Reply(answers=tuple(Answer(text=f"t{n}") for n in range(count)), tokens_in=10, tokens_out=count)


def ask(model, names, asking, drawn=()) -> tuple[Told, object]:
    told = Told()
    asked = questions(model, map(problem, names), asking, prompt_of, lambda name: dict(drawn).get(name, ()))
    return told, anyio.run(ask_all, model, asked, asking, told)


def test_each_draw_of_each_problem_gets_one_answer() -> None:
    told, ended = ask(Talker(), "ab", Asking(per_problem=3))
    assert sorted(told.rows) == [(name, draw) for name in "ab" for draw in range(3)]
    assert ended.gave_up is None


def test_only_what_is_missing_is_asked_for() -> None:
    model = Talker()
    told, _ = ask(model, "abc", Asking(per_problem=3, draws=8), {"a": {0, 1, 2}, "b": {1}}.items())
    assert model.asked == [("b", (0, 2)), ("c", (0, 1, 2))]
    assert ("b", 1) not in told.rows


def test_a_model_that_gives_fewer_at_once_is_asked_for_the_rest() -> None:
    model = Talker(most=2)
    told, _ = ask(model, "a", Asking(per_problem=5, draws=5))
    assert model.asked == [("a", (0, 1, 2, 3, 4)), ("a", (2, 3, 4)), ("a", (4,))]
    assert len(told.rows) == 5


def test_answers_beyond_those_asked_for_are_dropped() -> None:
    class Chatty(Talker):
        async def ask(self, question) -> Reply:
            assert question.draws
            return Reply(answers=(Answer(text="t"),) * 9)

    told, _ = ask(Chatty(), "a", Asking(per_problem=2))
    assert sorted(told.rows) == [("a", 0), ("a", 1)]


def test_tokens_of_a_prompt_stand_in_one_row_of_a_reply() -> None:
    told, _ = ask(Talker(), "a", Asking(per_problem=3, draws=3))
    assert [row.get("tokens_in") for row in told.rows.values()] == [10, None, None]


def test_no_more_requests_are_under_way_than_the_user_wants() -> None:
    model = Talker(wait_s=0.01)
    ask(model, "abcdefgh", Asking(concurrency=3))
    assert model.most_under_way == 3


def test_with_a_seed_each_answer_has_its_own_whatever_is_there_already() -> None:
    told, _ = ask(Talker(), "a", Asking(per_problem=3, seed=7))
    rest, _ = ask(Talker(), "a", Asking(per_problem=3, seed=7), {"a": {0, 2}}.items())
    assert [told.rows["a", draw]["seed"] for draw in range(3)] == [draw_seed(7, "a", draw) for draw in range(3)]
    assert rest.rows["a", 1]["seed"] == told.rows["a", 1]["seed"]
    assert len({row["seed"] for row in told.rows.values()}) == 3


def test_a_failed_question_is_told_with_its_draws_and_holds_up_no_other() -> None:
    model = Talker(fails={"b": ModelError("too long", status=400)})
    told, ended = ask(model, "abc", Asking(per_problem=2, draws=2))
    assert sorted(told.rows) == [("a", 0), ("a", 1), ("c", 0), ("c", 1)]
    (row,) = told.errors
    assert (row.problem_id, row.draws, row.error, row.status, row.retryable) == ("b", (0, 1), "too long", 400, False)
    assert ended.gave_up is None


def test_so_many_failures_in_a_row_end_it() -> None:
    names = "abcdefghij"
    model = Talker(fails={name: ModelError("down", retryable=True) for name in names})
    told, ended = ask(model, names, Asking(concurrency=1, give_up_after=3))
    assert len(model.asked) == len(told.errors) == 3
    assert "failure 3 in a row" in ended.gave_up.message


def test_failures_between_answers_end_nothing() -> None:
    fails = {name: ModelError("no") for name in "bdfh"}
    told, ended = ask(Talker(fails=fails), "abcdefgh", Asking(concurrency=1, give_up_after=2))
    assert (len(told.errors), ended.gave_up) == (4, None)


def test_what_would_fail_for_all_ends_it_at_once_and_those_under_way_may_end() -> None:
    class Late(Talker):
        async def ask(self, question) -> Reply:
            if question.problem.id != "b":
                await anyio.sleep(0.02)
            return await super().ask(question)

    model = Late(fails={"b": ModelError("wrong key", fatal=True)})
    told, ended = ask(model, "abcdefgh", Asking(concurrency=2))
    assert ended.gave_up.message == "wrong key"
    assert list(told.rows) == [("a", 0)]


def test_an_error_of_who_is_told_ends_everything_and_comes_out_as_it_is() -> None:
    class Full(Told):
        async def answered(self, question, draw, row) -> None:
            raise StoreError(f"the disk is full: {question.problem.id} {draw} {row}")

    model = Talker()
    asked = questions(model, map(problem, "abcdef"), Asking(), prompt_of, lambda _: ())
    with pytest.raises(StoreError, match="full"):
        anyio.run(ask_all, model, asked, Asking(concurrency=1), Full())


def test_a_prompt_is_made_only_where_an_answer_is_wanted() -> None:
    made = []

    def note(asked: Problem) -> Prompt:
        made.append(asked.id)
        return prompt_of(asked)

    list(questions(Talker(), map(problem, "ab"), Asking(), note, lambda name: {0} if name == "a" else ()))
    assert made == ["b"]
