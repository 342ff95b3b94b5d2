"""A list of problems and a list of samples in, verdicts and numbers out."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import wait
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from anyio.from_thread import start_blocking_portal

from assay.api.reading import sound
from assay.benchmarks import from_rows
from assay.counts import count_of
from assay.engine import Settings, Work, check_ranges, judge_work, judge_work_async
from assay.errors import SettingsError
from assay.metrics import Missing, Tally, score
from assay.records import Benchmark, Estimate, InvalidProblem, Isolation, Outcome, Problem, Sample, Verdict, digest
from assay.store import Samples, from_samples

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

LOOK_EVERY_S = 0.1
"""How often a call out of a running event loop looks whether it was cancelled."""


class Result(NamedTuple):
    """What `judge_samples` found.

    `verdicts` stand in the order of problems, then of samples. `invalid` problems could not be judged; their samples have
    no verdict. `expected` maps each judged problem to its number of samples. `isolation` is where samples ran, None where
    none did.
    """

    verdicts: tuple[Verdict, ...]
    invalid: tuple[InvalidProblem, ...]
    expected: Mapping[str, int]
    isolation: Isolation | None

    def __repr__(self) -> str:
        """A line, since all verdicts would flood a prompt."""
        counts = Counter(verdict.outcome for verdict in self.verdicts)
        words = [f"{outcome.value} {counts[outcome]:,}" for outcome in reversed(Outcome) if counts[outcome]]
        words += [f"invalid problems {len(self.invalid):,}"] if self.invalid else []
        told = f"{count_of(len(self.expected), 'problem')}, {count_of(len(self.verdicts), 'verdict')}"
        return f"<Result of {told}: {', '.join(words) or 'none'}>"

    def tally(self) -> Tally:
        """The verdicts, counted: outcomes, trust, and what `assay.metrics.score` needs."""
        tally = Tally(self.expected)
        for verdict in self.verdicts:
            tally.add(verdict)
        return tally

    def estimates(self, ks: Iterable[int] = (1,), *, missing: Missing | None = None) -> tuple[Estimate, ...]:
        """pass@k for each k and the mean fraction of cases, with intervals; see `assay.metrics.score`.

        Raises:
            SettingsError: A k is not a positive whole number.
        """
        return score(self.tally(), ks, missing=missing)

    def estimate(self, name: str, tests: str = "all", *, missing: Missing | None = None) -> Estimate:
        """One number with its interval, `pass@10` or `mean_fraction`.

        Args:
            name: `pass@k` with a number for k, or `mean_fraction`.
            tests: Which tests decide: `all` (base and plus), `base` or `challenge`.
            missing: What problems without samples mean: `fail`, `skip`, or None (the value is then None, with a reason).

        Raises:
            SettingsError: There is no such number.
        """
        ks = (int(name[5:]),) if name.startswith("pass@") and name[5:].isdecimal() else (1,)
        found = {(estimate.tests, estimate.name): estimate for estimate in self.estimates(ks, missing=missing)}
        kinds = {kind for kind, _ in found}
        kind = "all" if tests == "base" and "base" not in kinds else tests  # all tests are base tests there
        if (kind, name) not in found:
            known = ", ".join(f"{name} ({kind})" for kind, name in found)
            raise SettingsError(f"there is no estimate {name!r} over {tests!r} tests", hint=f"there are {known}")
        return found[kind, name]


class _Gathered:
    """The engine's events, kept in memory."""

    def __init__(self) -> None:
        self.verdicts: dict[tuple[str, int], Verdict] = {}
        self.invalid_problems: dict[str, InvalidProblem] = {}
        self.isolation: Isolation | None = None

    def started(self, isolation: Isolation) -> None:
        self.isolation = isolation

    def invalid(self, problem: InvalidProblem) -> None:
        self.invalid_problems[problem.id] = problem

    def verdict(self, verdict: Verdict) -> None:
        self.verdicts[verdict.problem_id, verdict.sample_index] = verdict

    def note(self, text: str) -> None:
        """Notes are for people at a terminal; outcomes and reasons stand in the verdicts."""

    def in_doubt(self, held: int, done: int = 0, again: int = 0) -> None:
        """Nobody watches."""


def plan_work(benchmark: Benchmark, samples: Samples) -> Iterator[Work]:
    """The engine's work: each problem that has samples, in the benchmark's order."""
    for problem in benchmark.problems:
        if count := len(samples.indices(problem.id)):
            yield Work(problem, partial(samples.read, problem.id), count)


def expected_samples(benchmark: Benchmark, samples: Samples) -> dict[str, int]:
    """How many samples each problem has, 0 where there are none."""
    return {problem.id: len(samples.indices(problem.id)) for problem in benchmark.problems}


def judge_samples(
    problems: Benchmark | Iterable[Problem | Mapping[str, Any]],
    samples: Iterable[Sample | Mapping[str, Any]],
    *,
    settings: Settings | None = None,
) -> Result:
    """Judges samples in the sandbox and gives their verdicts; blocks until the last one.

    It may be called where an event loop of asyncio runs (in a notebook): the engine then runs in a thread of its own, and the
    loop stands still all the same. For a server there is `assay.AsyncJudge`. Without samples there are no verdicts.

    Args:
        problems: What `assay.load` gave, some of its problems, or rows in published columns or assay's own form (a
            `datasets.Dataset` is such an iterable).
        samples: `Sample` records, or rows with `task_id` and `completion` or `solution`, or with `problem_id` and
            `solution`, `completion` or `text`.
        settings: Workers, limits, isolation; the defaults use every processor and refuse weak isolation.

    Raises:
        DataError: Rows of problems or samples are unusable, all of which are listed; or a field of a record is.
        SettingsError: A setting can't be used, or a limit of a `Problem` record is out of its range.
        SandboxUnavailable: This machine can't give the isolation that is asked for.
        SandboxError: The machinery round the candidates broke.
        KeyboardInterrupt: On Ctrl-C, after everything that was started has been ended.
    """
    _refuse_single(problems, samples)
    benchmark = problems if isinstance(problems, Benchmark) else _benchmark(problems)
    rows = from_samples((sound(each) if isinstance(each, Sample) else each for each in samples), benchmark)
    chosen, found = settings or Settings(), _Gathered()
    check_ranges(chosen)
    for problem in benchmark.problems:
        chosen.limits(problem)  # a limit out of range is told before anything runs, not when its turn comes
    (_judge_beside_loop if _is_loop_running() else judge_work)(
        plan_work(benchmark, rows), chosen, found, lambda _id, _index: None
    )
    places = {problem.id: place for place, problem in enumerate(benchmark.problems)}
    verdicts = sorted(found.verdicts.values(), key=lambda row: (places[row.problem_id], row.sample_index))
    expected = {id_: n for id_, n in expected_samples(benchmark, rows).items() if id_ not in found.invalid_problems}
    return Result(tuple(verdicts), (*benchmark.invalid, *found.invalid_problems.values()), expected, found.isolation)


def _refuse_single(problems: object, samples: object) -> None:
    """Lets lists pass. A text would be taken for a list of letters, a row for a list of column names."""
    if isinstance(problems, (str, os.PathLike)):
        name = os.fspath(problems)
        raise SettingsError(
            f"problems are wanted, not the name {name!r}", hint=f"judge_samples(assay.load({name!r}), samples)"
        )
    if isinstance(samples, (str, os.PathLike)):
        hint = "give the file's rows: [json.loads(line) for line in open(path)]"
        raise SettingsError(f"samples are wanted, not the name {os.fspath(samples)!r}", hint=hint)
    for what, given in (("problem", problems), ("sample", samples)):
        if isinstance(given, (Mapping, Problem, Sample)):
            raise SettingsError(f"a list of {what}s is wanted, not a single one", hint=f"give [{what}]")


def _is_loop_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _judge_beside_loop(
    work: Iterator[Work], settings: Settings, events: _Gathered, done: Callable[[str, int], str | None]
) -> None:
    """`judge_work` in a thread of its own, since a thread can't run two event loops."""
    with start_blocking_portal() as portal:  # an error that leaves this block cancels the engine and waits for its end
        _await_end(portal.start_task_soon(judge_work_async, work, settings, events, done))


def _await_end(running: Future[None]) -> None:
    # Under asyncio.run Ctrl-C raises nothing: it cancels the main task, which can't notice while its loop stands still. Only this mark
    # says that it is to be told so: `cancelling` also counts what it was told long ago, and Ctrl-C may have come before this line.
    task = asyncio.current_task()
    while not wait((running,), LOOK_EVERY_S).done:
        if getattr(task, "_must_cancel", False):
            raise asyncio.CancelledError
    running.result()


def _benchmark(problems: Iterable[Problem | Mapping[str, Any]]) -> Benchmark:
    given = list(problems)
    records = tuple(sound(problem) for problem in given if isinstance(problem, Problem))
    if len(records) < len(given) or not given:
        return from_rows(cast("list[Mapping[str, Any]]", given))  # it lists what is neither
    return Benchmark(name="problems", version=None, digest=digest(*(p.digest() for p in records)), problems=records)
