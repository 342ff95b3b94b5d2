"""Asking a model: which answers are wanted, so many questions at once, and when it is no use to go on.

What holds: of each problem just the answers are asked for that are not there; an answer is told the moment it comes; a question that fails
holds up no other one; who is told of everything has a row for each answer or an error for it. When too many questions in a row fail, or one
fails as all would, no new one is asked, and those that are under way may end: their answers may have cost something.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import anyio

from assay.engine.pipeline import first_error
from assay.errors import ModelError
from assay.models import Question, draw_seed, row_of
from assay.records import Record, Unanswered

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from assay.models import Model, Prompt, Reply
    from assay.records import Problem


class Asking(Record):
    """How a model is asked.

    `per_problem` answers are wanted of each problem, `draws` at most are asked for in one request (None: one of a server, all of others).
    `concurrency` requests are under way at most. After `give_up_after` failed questions in a row no more are asked.
    `seed` gives each answer a seed of its own; one request then asks for one answer.
    """

    per_problem: int = 1
    draws: int | None = None
    concurrency: int = 8
    give_up_after: int = 10
    seed: int | None = None


class AskEvents(Protocol):
    """What is told while a model is asked, always from one thread."""

    async def answered(self, question: Question, draw: int, row: Mapping[str, Any]) -> None:
        """An answer came. Who needs time for it holds up the next question, not those under way."""

    def replied(self, reply: Reply) -> None:
        """A reply came, with the tokens that the server counted."""

    def unanswered(self, row: Unanswered) -> None:
        """Answers did not come."""


class Asked(NamedTuple):
    """How asking ended: what made it end early, if anything did."""

    gave_up: ModelError | None


def questions(
    model: Model,
    problems: Iterable[Problem],
    asking: Asking,
    prompt_of: Callable[[Problem], Prompt],
    drawn: Callable[[str], Collection[int]],
) -> Iterator[Question]:
    """The questions that are still to be asked, problem by problem.

    Args:
        model: Who will answer.
        problems: What is asked.
        asking: How many answers of each, and how many at once.
        prompt_of: Makes a prompt; it is not called where no answer is wanted, or the model needs none.
        drawn: Which answers of a problem are there.
    """
    seed = asking.seed if model.needs_prompt else None
    at_once = asking.draws or (1 if model.needs_prompt else asking.per_problem)
    for problem in problems:
        there = drawn(problem.id)
        missing = [draw for draw in range(asking.per_problem) if draw not in there]
        if not missing:
            continue
        prompt = prompt_of(problem) if model.needs_prompt else None
        if seed is None:
            for start in range(0, len(missing), at_once):
                yield Question(problem, prompt, tuple(missing[start : start + at_once]))
        else:
            yield from (Question(problem, prompt, (draw,), draw_seed(seed, problem.id, draw)) for draw in missing)


async def ask_all(model: Model, asked: Iterable[Question], asking: Asking, events: AskEvents) -> Asked:
    """Asks all questions, so many at a time, and tells what comes of each.

    Raises:
        Whatever `asked` or `events` raise: everything that is under way is then broken off.
    """
    session = _Session(model, iter(asked), asking, events)
    try:
        async with anyio.create_task_group() as group:
            for _ in range(max(1, asking.concurrency)):
                group.start_soon(session.work)
    except BaseExceptionGroup as failures:
        raise first_error(failures) from None
    return Asked(session.gave_up)


class _Session:
    """What the workers of one call share."""

    def __init__(self, model: Model, asked: Iterator[Question], asking: Asking, events: AskEvents) -> None:
        self.gave_up: ModelError | None = None
        self._model = model
        self._asked = asked
        self._asking = asking
        self._events = events
        self._failed_in_a_row = 0

    async def work(self) -> None:
        """Takes one question after the other, as long as there are some."""
        while self.gave_up is None and (question := next(self._asked, None)) is not None:
            await self._ask(question)

    async def _ask(self, question: Question) -> None:
        """Asks until each draw has its answer: servers may give fewer at once than they are asked for."""
        while question.draws:
            try:
                reply = await self._model.ask(question)
            except ModelError as error:
                self._fail(question, error)
                return
            self._failed_in_a_row = 0
            self._events.replied(reply)
            await self._tell(question, reply)
            question = question._replace(draws=question.draws[len(reply.answers) :])

    async def _tell(self, question: Question, reply: Reply) -> None:
        first = question.draws[0]
        # A server that gives more than it was asked for has written them for nothing.
        for draw, answer in zip(question.draws, reply.answers, strict=False):
            row = dict(row_of(question, answer, self._model.label))
            if reply.tokens_in is not None and draw == first:
                row["tokens_in"] = reply.tokens_in
            if question.seed is not None:
                row["seed"] = question.seed
            await self._events.answered(question, draw, row)

    def _fail(self, question: Question, error: ModelError) -> None:
        self._failed_in_a_row += 1
        row = Unanswered(
            problem_id=question.problem.id,
            draws=question.draws,
            error=error.message,
            status=error.status,
            retryable=error.retryable,
        )
        self._events.unanswered(row)
        if self.gave_up is None and (error.fatal or self._failed_in_a_row >= self._asking.give_up_after):
            self.gave_up = self._last_straw(error)

    def _last_straw(self, error: ModelError) -> ModelError:
        """The error that says why no more is asked."""
        if error.fatal or self._asking.give_up_after == 1:
            return error
        text = f"{error.message}; that was failure {self._failed_in_a_row} in a row, so no more is asked"
        hint = f"{error.hint or 'see the file of errors'}; --give-up-after changes the number"
        return ModelError(text, status=error.status, retryable=error.retryable, hint=hint)
