"""What `generate`, `run` and `sweep` share: a benchmark and a model go in, answers go into a sample file, and progress is seen.

An answer is on disk before it is counted, shown or judged.
"""

from __future__ import annotations

import contextlib
import datetime as dt
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

import msgspec
from cyclopts import Parameter

from assay.benchmarks import load
from assay.cli.asking_flags import USUAL_PROMPTING, USUAL_TRAFFIC, Drawing, Prompting, Traffic
from assay.cli.asking_progress import AskProgress
from assay.cli.going_on import sampling_to_go_on
from assay.cli.terminal import notes_of, say
from assay.counts import count_of
from assay.engine import Asking, ask_all, questions
from assay.errors import ModelError
from assay.models import (
    REPLAY,
    Model,
    Price,
    Prompt,
    PromptStyle,
    Question,
    Replay,
    Reply,
    choose_shots,
    open_model,
    read_price,
    render,
    split_name,
    warnings_about,
)
from assay.records import Benchmark, Generation, Problem, Sample, Sampling, Unanswered
from assay.store import SampleLog, open_sample_log, open_samples

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import TracebackType

    from assay.cli.flags import Selection

_LISTED = 5


class Shown(NamedTuple):
    """What a model is shown: a style, solved problems, and the prompt of each problem."""

    style: PromptStyle | None
    shots: tuple[Problem, ...]
    prompts: Mapping[str, Prompt]


class AskPlan(NamedTuple):
    """What is asked, whom, and where answers go; `warned` where an earlier plan of the command has told what is odd about it."""

    name: str
    benchmark: Benchmark
    selection: Selection
    drawing: Drawing
    prompting: Prompting
    traffic: Traffic
    output: str
    sampling: Sampling
    fresh: bool = False
    warned: bool = False

    @property
    def asking(self) -> Asking:
        """How the engine asks."""
        return self.traffic.asking(self.drawing.samples, self.drawing.seed)

    def price(self) -> Price | None:
        """What tokens cost, if the user says so.

        Raises:
            SettingsError: The table can't be read, or lacks the model.
            DataError: It is no price table.
        """
        kind, name = split_name(self.drawing.model)
        return None if self.traffic.prices is None else read_price(self.traffic.prices, name or kind)

    def generation(self, model: Model, shown: Shown) -> Generation:
        """All that decides the answers."""
        benchmark, style = self.benchmark, shown.style
        return Generation(
            created=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
            benchmark=benchmark.name,
            benchmark_version=benchmark.version,
            benchmark_digest=benchmark.digest,
            split=self.selection.split,
            limit=self.selection.limit,
            per_problem=self.drawing.samples,
            model=self.drawing.model,
            server=model.server,
            style=None if style is None else f"{style.name}@{style.version}",
            style_digest=None if style is None else style.digest,
            shots=tuple(shot.id for shot in shown.shots),
            sampling=self.sampling,
            versions={"assay": version("assay")},
        )


@Parameter(name="*")
@dataclass(frozen=True)
class AskingFlags:
    """Which model, what it is shown, and how hard its server is pressed."""

    drawing: Drawing
    prompting: Prompting = USUAL_PROMPTING
    traffic: Traffic = USUAL_TRAFFIC

    def plan(self, name: str, benchmark: Benchmark, selection: Selection) -> AskPlan:
        """What these flags say is asked; its answers have no place yet.

        Raises:
            SettingsError: A flag can't be used.
        """
        self.traffic.check(self.drawing)
        sampling = self.drawing.sampling()
        return AskPlan(name, benchmark, selection, self.drawing, self.prompting, self.traffic, "", sampling)


class _Speaker:
    """What a model tells the person who waits; `to` is the line of progress as soon as there is one."""

    def __init__(self) -> None:
        self.to: Callable[[str], None] = say

    def tell(self, text: str) -> None:
        self.to(text)


@contextlib.contextmanager
def opened_model(plan: AskPlan, tell: Callable[[str], None] = say) -> Iterator[Model]:
    """The plan's model; what it reads from is closed at the end.

    Args:
        plan: Says which.
        tell: Is given what the model says to the person who waits.

    Raises:
        SettingsError: There is no such model, or what it needs is not there.
        DataError: The file to replay is no sample file of these problems.
    """
    kind, name = split_name(plan.drawing.model)
    if kind != REPLAY:
        settings = plan.traffic.settings(plan.drawing, plan.sampling)
        yield open_model(plan.drawing.model, msgspec.structs.replace(settings, tell=tell))
        return
    with open_samples(name, plan.benchmark) as samples:
        for text in samples.warnings:
            say(text)
        yield Replay(name, samples, plan.sampling.temperature)


def what_is_shown(plan: AskPlan, model: Model) -> Shown:
    """The prompts of all problems: a style that does not suit one of them is told before anything is asked.

    Raises:
        SettingsError: The style does not suit a problem, or there are not so many shots.
    """
    if not model.needs_prompt:
        return Shown(None, (), {})
    how = plan.prompting
    style = how.style(plan.benchmark)
    shots: tuple[Problem, ...] = ()
    if style.shots or how.shots:
        every = load(plan.name, data=plan.selection.data).problems
        shots = choose_shots(style, every, count=how.shots, split=how.shot_split, seed=how.shot_seed)
    prompts = {problem.id: render(style, problem, shots) for problem in plan.benchmark.problems}
    return Shown(style, shots, prompts)


class Taker(Protocol):
    """Takes samples on their way: who judges while the model still writes."""

    async def take(self, sample: Sample) -> None:
        """A sample is on disk."""

    def words(self) -> tuple[str, ...]:
        """What to add to the line of progress."""


class AskSession:
    """A model that is being asked: its answers on their way to disk and to the person who waits.

    Made by `ask_session`; `ask` may be called once. `left` is how many answers were missing when it began.
    """

    def __init__(self, plan: AskPlan, model: Model, shown: Shown, log: SampleLog, taker: Taker | None) -> None:
        self.log = log
        self._plan = plan
        self._model = model
        self._shown = shown
        self._taker = taker
        wanted = plan.drawing.samples
        problems = plan.benchmark.problems
        there = sum(sum(draw < wanted for draw in log.drawn(problem.id)) for problem in problems)
        more = tuple if taker is None else taker.words
        self.left = wanted * len(problems) - there
        self.progress = AskProgress(wanted * len(problems), there, plan.price(), more=more)

    @property
    def failed(self) -> int:
        """How many answers did not come."""
        return self.progress.failed

    async def ask(self) -> None:
        """Asks for everything that is missing.

        Raises:
            ModelError: It is no use to go on; what came is kept.
            StoreError: The file can't be written.
        """
        plan, model = self._plan, self._model
        self.progress.begin()
        asked = questions(model, plan.benchmark.problems, plan.asking, self._prompt_of, self.log.drawn)
        try:
            ended = await ask_all(model, asked, plan.asking, self)
        finally:
            await model.close()
        if ended.gave_up is not None:
            raise ended.gave_up

    def _prompt_of(self, problem: Problem) -> Prompt:
        return self._shown.prompts[problem.id]

    async def answered(self, question: Question, draw: int, row: Mapping[str, Any]) -> None:
        """Keep an answer, then count and show it, and hand it on."""
        heat = self._plan.sampling.temperature
        marks = {"temperature": heat} if heat is not None and self._model.needs_prompt else {}
        sample = self.log.append(question.problem.id, draw, {**row, **marks})
        self.progress.answer()
        if self._taker is not None:
            await self._taker.take(sample)

    def replied(self, reply: Reply) -> None:
        """Count tokens."""
        self.progress.reply(reply)

    def unanswered(self, row: Unanswered) -> None:
        """Keep and show that answers did not come."""
        self.log.append_error(row)
        self.progress.fail(len(row.draws))
        if self.progress.failed <= _LISTED:
            self.progress.note(f"no answer to {row.problem_id}: {row.error}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.progress.finish()
        if self.failed:
            told = f"{count_of(self.failed, 'answer')} did not come, see {self.log.paths.errors}"
            say(f"{told}; the same command asks for them again")
        kept = f"{self.log.paths.samples} keeps what came, the same command goes on"
        if isinstance(error, KeyboardInterrupt) and not any("goes on" in note for note in notes_of(error)):
            error.add_note(kept)
        if isinstance(error, ModelError) and self._taker is None:
            say(kept)


@contextlib.contextmanager
def ask_session(plan: AskPlan, taker: Taker | None = None) -> Iterator[AskSession]:
    """Opens the model and the sample file of a plan, and says what a user should know beforehand.

    Raises:
        SettingsError: A flag can't be used.
        StoreError: The sample file can't be used.
        DataError: The sample file, or the file to replay, has unusable rows.
    """
    speaker = _Speaker()
    if not plan.fresh:
        plan = plan._replace(sampling=sampling_to_go_on(plan.output, plan.drawing, plan.sampling))
    with opened_model(plan, speaker.tell) as model:
        shown = what_is_shown(plan, model)
        generation = plan.generation(model, shown)
        log = open_sample_log(plan.output, generation, plan.benchmark, fresh=plan.fresh)
        with log, AskSession(plan, model, shown, log, taker) as session:
            for text in _doubts(plan, model, shown) if session.left else ():
                say(f"warning: {text}")
            speaker.to = session.progress.note
            yield session


def _doubts(plan: AskPlan, model: Model, shown: Shown) -> Iterator[str]:
    wanted = plan.drawing.samples
    if plan.sampling.temperature == 0 and wanted > 1 and model.needs_prompt:
        yield f"at temperature 0 the {wanted} answers to a problem are much alike: pass@k says no more than pass@1"
    if plan.warned:
        return
    given = [flag.partition(" ")[0] for flag in plan.prompting.given()]
    if given and not model.needs_prompt:
        yield f"the model {model.label} sees no prompt, so {', '.join(given)} changes nothing"
    if shown.style is not None:
        yield from warnings_about(shown.style, plan.benchmark.problems, shown.shots)
