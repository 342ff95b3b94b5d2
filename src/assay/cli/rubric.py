"""`assay rubric`: a judge model's opinion of answers, and how far it can be trusted."""

from __future__ import annotations

import contextlib
import datetime as dt
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Literal

import anyio
from cyclopts import Parameter

from assay.cli.asking_flags import USUAL_TRAFFIC, Drawing, Traffic
from assay.cli.flags import ALL_PROBLEMS, Selection, Switch
from assay.cli.opinion_session import OpinionPlan, OpinionSession, refuse_no_judge
from assay.cli.opinion_sources import Shown, Tasks, open_answers, read_tasks
from assay.cli.opinion_summary import Found
from assay.cli.terminal import put, put_json, say
from assay.errors import ModelError, SettingsError
from assay.metrics import find_rubric
from assay.models import CANNED, open_model, read_price, split_name
from assay.models.secret import bare_url
from assay.records import Inquiry, Sampling
from assay.store import open_opinions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.cli.opinion_sources import AnswerSource
    from assay.models import Price

_LISTED = 3


@Parameter(name="*")
@dataclass(frozen=True)
class JudgeModel:
    """Who judges."""

    model: str
    """The judge: openai:NAME, any-llm:PROVIDER/NAME or local:NAME (see `assay list`). Not one that wrote the answers, if you can."""
    base_url: str | None = None
    """The address of an OpenAI-compatible server, such as http://localhost:8000/v1."""
    api_key_env: str | None = None
    """The environment variable that holds the key, in place of the usual one. The key itself is written nowhere."""
    temperature: float | Literal["default"] = 0.0
    """0, so that the same question has the same answer as far as the server allows. `default` leaves it to the server."""
    max_tokens: int = 1024
    """No reply is longer; one that would be is cut, and counts as not readable."""
    body: str | None = None
    """Further fields of each request as a JSON object, for what only this server knows: '{"top_k": 20}'."""

    def drawing(self) -> Drawing:
        """The same as flags of who answers: one answer to each question."""
        return Drawing(
            model=self.model,
            base_url=self.base_url,
            api_key_env=self.api_key_env,
            temperature=self.temperature,
            max_tokens=self.max_tokens,
            body=self.body,
        )

    def price(self, traffic: Traffic) -> Price | None:
        """What tokens cost, if the user says so.

        Raises:
            SettingsError: The table can't be read, or lacks the model.
            DataError: It is no price table.
        """
        kind, name = split_name(self.model)
        return None if traffic.prices is None else read_price(traffic.prices, name or kind)


@Parameter(name="*")
@dataclass(frozen=True)
class Judgement:
    """By what is judged, what the judge sees, and where opinions go."""

    output: Annotated[str, Parameter(name=["--output", "-o"])]
    """The folder of opinions, made if need be."""
    rubric: str | None = None
    """By what is judged: code, answer, or a TOML file of your own. Left out: code where tasks have tests, otherwise answer."""
    samples: Annotated[int | None, Parameter(name=["--samples", "-n"])] = None
    """Only the first so many samples of each problem."""
    show: Shown = "answer"
    """What the judge sees: the whole answer as it was written, or only the program in it, without the words round it."""
    reference: Annotated[bool, Switch] = False
    """Show the judge the problem's reference too, where it has one."""
    one_message: Annotated[bool, Switch] = False
    """Tell the judge everything in one message, for models whose template knows no system message."""
    fresh: Annotated[bool, Switch] = False
    """Begin again what is there; the old opinions are kept beside it."""
    json: Annotated[bool, Switch] = False
    """Print one JSON object in place of tables."""

    def plan(self, tasks: Tasks, sources: Sequence[AnswerSource]) -> OpinionPlan:
        """What is asked.

        Raises:
            SettingsError: There is no rubric of that name, or a flag does not fit the tasks.
            DataError: The file is no rubric.
        """
        if self.samples is not None and self.samples < 1:
            raise SettingsError(f"-n {self.samples} is out of range", hint="give a whole number from 1")
        if self.show == "program" and not tasks.have_tests:
            raise SettingsError("--show program is for tasks that programs solve", hint="leave it out")
        rubric = find_rubric(self.rubric or ("code" if tasks.have_tests else "answer"))
        return OpinionPlan(tasks, sources, rubric, self.samples, self.show, self.reference, self.one_message)


def ask_judge(
    benchmark: str,
    /,
    *sources: str,
    judgement: Judgement,
    judge: JudgeModel,
    selection: Selection = ALL_PROBLEMS,
    traffic: Traffic = USUAL_TRAFFIC,
) -> int:
    """Ask a judge model for its opinion of answers: scores of one source by a rubric, or which of two sources is better.

    An opinion is no verdict: run what can be run (docs/rubric.md). Pairs are shown in both orders; where the order decides, it is a tie
    and told as position bias. Where a source is a run that was judged by tests, the judge's agreement with them is shown. Replies that
    can't be read are counted, never guessed. The same command again asks only for what is missing. Exit status 1 if replies did not come.

    Args:
        benchmark: A name of `assay list`, the path of a problem file, or a JSONL file of tasks without tests (id, prompt, reference).
        sources: The answers, one source or two: a sample file, or the folder of assay judge -o RUN. Of two the second is held against the
            first, sample by sample.
        judgement: By what is judged, and where opinions go.
        judge: Who judges.
        selection: Which problems.
        traffic: How hard its server is pressed.
    """
    drawing = judge.drawing()
    _refuse_odd(sources, judge, traffic)
    sampling = drawing.sampling()
    with contextlib.ExitStack() as stack:
        tasks = read_tasks(benchmark, selection)
        opened = [open_answers(name, tasks, stack) for name in sources]
        plan = judgement.plan(tasks, opened)
        inquiry = _inquiry(plan, judge, selection, sampling)
        log = stack.enter_context(open_opinions(judgement.output, inquiry, fresh=judgement.fresh))
        session = OpinionSession(plan, log, judge.price(traffic))
        if not session.total:
            hint = "do --split and --limit leave any? Pairs need samples of the same problem on both sides"
            raise SettingsError(f"there is nothing to judge in {' and '.join(sources)}", hint=hint)
        if session.there < session.total:
            for text in plan.doubts(judge.model):
                say(text)
            model = open_model(judge.model, traffic.settings(drawing, sampling))
            refuse_no_judge(model, judge.model)
            try:
                anyio.run(session.ask, model, traffic.asking(1, None))
            except (KeyboardInterrupt, ModelError) as error:
                kept = f"{log.folder} keeps what came, the same command goes on"
                error.add_note(kept) if isinstance(error, KeyboardInterrupt) else say(kept)
                raise
        found = Found(plan, judge.model, session.total, session.opinions())
    return _show(found, as_json=judgement.json)


def _refuse_odd(sources: Sequence[str], judge: JudgeModel, traffic: Traffic) -> None:
    """Does nothing where the flags fit each other.

    Raises:
        SettingsError: They don't.
    """
    traffic.check(judge.drawing())
    if traffic.draws not in (None, 1):
        raise SettingsError("--draws has no sense here", hint="leave it out: each question has one reply")
    if not 1 <= len(sources) <= 2 or len(set(sources)) < len(sources):
        told = f"{len(sources)} sources" if len(set(sources)) == len(sources) else f"{sources[0]} twice"
        hint = "name one sample file or run to have it scored, or two different ones to have them compared"
        raise SettingsError(f"{told} can't be judged", hint=hint)
    if split_name(judge.model)[0] in CANNED:
        raise SettingsError(f"the model {judge.model} reads no prompt, so it can't judge", hint="try openai:NAME")


def _inquiry(plan: OpinionPlan, judge: JudgeModel, selection: Selection, sampling: Sampling) -> Inquiry:
    whole = plan.tasks.whole
    return Inquiry(
        created=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        benchmark=whole.name,
        benchmark_version=whole.version,
        benchmark_digest=whole.digest,
        split=selection.split,
        limit=selection.limit,
        per_problem=plan.per_problem,
        sources=tuple(each.name for each in plan.sources),
        samples_digests=tuple(each.samples.digest for each in plan.sources),
        rubric=plan.rubric,
        model=judge.model,
        server=judge.base_url and bare_url(judge.base_url),
        sampling=sampling,
        shown=plan.shown,
        reference=plan.reference,
        versions={"assay": version("assay")},
    )


def _show(found: Found, *, as_json: bool) -> int:
    """Prints the numbers, and gives the exit status."""
    for reason, count in found.unread.most_common(_LISTED):
        say(f"not readable ({count:,}): {reason}")
    if as_json:
        put_json(found.as_json())
    else:
        put(found.as_text())
    return 1 if len(found.opinions) < found.asked else 0
