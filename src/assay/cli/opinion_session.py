"""Asking a judge model: samples become questions, replies become opinions, and progress is seen.

An opinion is on disk before it is counted. Prompts are made as they are asked, so memory does not grow with the texts of samples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from assay.cli.asking_progress import AskProgress
from assay.cli.opinion_sources import AnswerSource, Shown, Tasks, shown_text
from assay.cli.terminal import say
from assay.counts import count_of
from assay.engine import ask_all
from assay.errors import SettingsError
from assay.metrics import in_one_message, pair_prompt, read_better, read_scores, scoring_prompt
from assay.models import Question, split_name
from assay.records import Opinion, Placing, Unheard
from assay.store import OpinionKey

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from assay.engine import Asking
    from assay.models import Model, Price, Prompt, Reply
    from assay.records import Problem, Rubric, Unanswered
    from assay.store import OpinionLog

_LISTED = 5


class OpinionPlan(NamedTuple):
    """What is asked: which answers, by which rubric, and what the judge sees."""

    tasks: Tasks
    sources: Sequence[AnswerSource]
    rubric: Rubric
    per_problem: int | None
    shown: Shown
    reference: bool
    one_message: bool

    def items(self) -> Iterator[Item]:
        """Everything that the judge is asked, problem by problem: each sample, or each pair in both orders."""
        for problem in self.tasks.chosen.problems:
            for item in self._pairs(problem) if len(self.sources) > 1 else self._singles(problem):
                yield item._replace(prompt=in_one_message(item.prompt)) if self.one_message else item

    def doubts(self, model: str) -> Iterator[str]:
        """What a user should know before a judge is paid for, a sentence each.

        Args:
            model: The judge as the user names it.
        """
        _, name = split_name(model)
        for source in self.sources:
            first = next(
                (sample for problem in self.tasks.chosen.problems for sample in source.samples.read(problem.id)), None
            )
            if first is not None and first.model == name:
                yield f"warning: {source.name} was written by the judge itself, and models prefer what is their own"
        if len(self.sources) > 1:
            alone = sum(self._unpaired(problem) for problem in self.tasks.chosen.problems)
            if alone:
                yield f"left out: {count_of(alone, 'sample')} without a partner in the other source"

    def _unpaired(self, problem: Problem) -> int:
        most = self.per_problem
        one, two = (len(source.samples.indices(problem.id)[:most]) for source in self.sources)
        return abs(one - two)

    def _singles(self, problem: Problem) -> Iterator[Item]:
        for index, text in self._texts(self.sources[0], problem):
            prompt = scoring_prompt(self.rubric, problem, text, reference=self.reference)
            yield Item(OpinionKey(problem.id, index, None, "alone"), problem, prompt)

    def _pairs(self, problem: Problem) -> Iterator[Item]:
        one, two = (self._texts(source, problem) for source in self.sources)
        for (index, first), (other, second) in zip(
            one, two, strict=False
        ):  # who has more samples has some without a partner
            orders: tuple[tuple[Placing, str, str], ...] = (("as_given", first, second), ("swapped", second, first))
            for placing, before, after in orders:
                prompt = pair_prompt(self.rubric, problem, before, after, reference=self.reference)
                yield Item(OpinionKey(problem.id, index, other, placing), problem, prompt)

    def _texts(self, source: AnswerSource, problem: Problem) -> Iterator[tuple[int, str]]:
        for sample in source.samples.read(problem.id):
            if self.per_problem is not None and sample.index >= self.per_problem:
                return
            yield sample.index, shown_text(problem, sample, self.shown)


class Item(NamedTuple):
    """One question to the judge."""

    key: OpinionKey
    problem: Problem
    prompt: Prompt


class OpinionSession:
    """A judge model that is being asked: its replies on their way to disk and to the person who waits; see `AskEvents`.

    Args:
        plan: What is asked.
        log: Where opinions go, and those that are there.
        price: What tokens cost, if the user says so.
    """

    def __init__(self, plan: OpinionPlan, log: OpinionLog, price: Price | None = None) -> None:
        self._plan = plan
        self._log = log
        self._price = price
        self._asked: dict[int, Item] = {}
        self.total = self.there = 0
        for item in plan.items():
            self.total += 1
            self.there += log.find(item.key, item.prompt.digest) is not None
        self.unheard = 0

    def opinions(self) -> list[Opinion]:
        """What the judge said to the plan's questions, without the texts."""
        found = (self._log.find(item.key, item.prompt.digest) for item in self._plan.items())
        return [opinion for opinion in found if opinion is not None]

    async def ask(self, model: Model, asking: Asking) -> None:
        """Asks everything that is missing.

        Raises:
            ModelError: It is no use to go on; what came is kept.
            StoreError: A row can't be written.
        """
        self._label = model.label
        self._progress = AskProgress(self.total, self.there, self._price)
        try:
            ended = await ask_all(model, self._questions(), asking, self)
        finally:
            self._progress.finish()
            await model.close()
            if self.unheard:
                say(f"{count_of(self.unheard, 'question')} had no reply, see {self._log.folder}/errors.jsonl")
        if ended.gave_up is not None:
            raise ended.gave_up

    def _questions(self) -> Iterator[Question]:
        """The questions that are missing; the number of the draw says which one is answered."""
        for number, item in enumerate(self._plan.items()):
            if self._log.find(item.key, item.prompt.digest) is None:
                self._asked[number] = item
                yield Question(item.problem, item.prompt, (number,))

    async def answered(self, question: Question, draw: int, row: Mapping[str, Any]) -> None:
        """Read a reply, keep it with all that was shown, and count it."""
        item = self._asked.pop(draw)
        assert question.prompt is item.prompt
        text, finish_reason = row["text"], row.get("finish_reason")
        alone = item.key.placing == "alone"
        reading = read_scores(text, self._plan.rubric, finish_reason) if alone else read_better(text, finish_reason)
        opinion = Opinion(
            **item.key._asdict(),
            **reading._asdict(),
            reply=text,
            seen=tuple(msgspec.structs.asdict(message) for message in item.prompt.messages),
            prompt_digest=item.prompt.digest,
            model=self._label,
            finish_reason=finish_reason,
            tokens_in=row.get("tokens_in"),
            tokens_out=row.get("tokens_out"),
        )
        self._log.append(opinion)
        self._progress.answer()

    def replied(self, reply: Reply) -> None:
        """Count tokens."""
        self._progress.reply(reply)

    def unanswered(self, row: Unanswered) -> None:
        """Keep and show that no reply came."""
        for draw in row.draws:
            item = self._asked.pop(draw)
            self._log.append_error(
                Unheard(**item.key._asdict(), error=row.error, status=row.status, retryable=row.retryable)
            )
        self.unheard += len(row.draws)
        self._progress.fail(len(row.draws))
        if self.unheard <= _LISTED:
            self._progress.note(f"no reply about {row.problem_id}: {row.error}")


def refuse_no_judge(model: Model, spec: str) -> None:
    """Does nothing where the model can be a judge.

    Raises:
        SettingsError: It reads no prompt, so it judges nothing.
    """
    if not model.needs_prompt:
        raise SettingsError(
            f"the model {spec} reads no prompt, so it can't judge", hint="for example --model openai:NAME"
        )
