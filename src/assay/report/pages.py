"""The pages of problems: what was asked, what the tests say, and what samples did with it, run beside run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from assay.report.answers import Answers, group_answers
from assay.report.cases import Case, Source, count_cases, hardest, is_listed, sources_of_tests
from assay.visible import on_one_line, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from assay.records import Problem, Sample, Verdict
    from assay.report.numbers import View

MOST_SAMPLES = 60_000
"""Samples over all pages that are read."""
A_PROBLEM, LEAST_A_PROBLEM = 200, 20
"""Samples of a problem and a run that its page is made of: as many of the first ones as let every problem have its page."""
CHARACTERS = 8_000
"""How much of a prompt, of a reference and of tests is shown."""


class RunPart(NamedTuple):
    """One run's samples of the problem. `left_out` of them were not looked at; `missing` says that it has none."""

    letter: str
    name: str
    answers: Answers
    left_out: int
    unjudged: int


class Page(NamedTuple):
    """All that a problem's page shows; texts are visible, and escaped by the template."""

    key: str
    id: str
    facts: tuple[str, ...]
    prompt: str
    is_code: bool
    setup: str
    reference: str
    sources: tuple[Source, ...]
    cases: tuple[Case, ...]
    all_cases: int
    runs: tuple[RunPart, ...]


def samples_a_problem(problems: int, runs: int) -> int:
    """How many samples of each problem and run are read.

    >>> samples_a_problem(164, 1), samples_a_problem(1000, 2), samples_a_problem(10**6, 1)
    (200, 30, 20)
    """
    return max(LEAST_A_PROBLEM, min(A_PROBLEM, MOST_SAMPLES // max(problems * runs, 1)))


def read_verdicts(view: View, wanted: frozenset[str], most: int) -> dict[str, dict[int, Verdict]]:
    """The verdicts of some problems by sample, those of the first `most` samples of each."""
    found: dict[str, dict[int, Verdict]] = {id_: {} for id_ in wanted}
    for verdict in view.source.run.verdicts():
        of_problem = found.get(verdict.problem_id)
        if of_problem is not None and verdict.sample_index < most:
            of_problem[verdict.sample_index] = verdict
    return found


def within_reach(ordered: Sequence[str], views: Sequence[View]) -> list[str]:
    """The first problems, in this order, whose samples together are few enough to be read."""
    most = samples_a_problem(len(ordered), len(views))
    kept: list[str] = []
    total = 0
    for id_ in ordered:
        facts = [view.survey.problems[id_] for view in views if id_ in view.survey.problems]
        total += sum(min(each.samples, most) for each in facts)
        if total > MOST_SAMPLES and kept:
            break
        kept.append(id_)
    return kept


class PageMaker:
    """Makes the pages of some problems, one at a time; their verdicts are read when it is made.

    Args:
        ids: The problems.
        keys: Problem to the name of its page.
        views: The runs.

    Raises:
        StoreError: A run can't be read.
    """

    def __init__(self, ids: Sequence[str], keys: Mapping[str, str], views: Sequence[View]) -> None:
        self._keys, self._views = keys, views
        self._problems = problems_by_id(views)
        self._most = samples_a_problem(len(ids), len(views))
        self._verdicts = [read_verdicts(view, frozenset(ids), self._most) for view in views]

    def page(self, id_: str, programs: int) -> Page:
        """The page of a problem, with up to so many different programs of each run."""
        problem = self._problems.get(id_)
        told = [each.get(id_, {}) for each in self._verdicts]
        runs = [
            _part(view, id_, group_answers(problem, _samples(view, id_, self._most), found, programs))
            for view, found in zip(self._views, told, strict=True)
        ]
        verdicts = [verdict for each in told for verdict in each.values()]
        return _page(self._keys[id_], id_, problem, tuple(filter(None, runs)), verdicts)


def problems_by_id(views: Sequence[View]) -> dict[str, Problem]:
    """The problems of all runs; where two have one of the same id, that of the earlier run."""
    found: dict[str, Problem] = {}
    for view in reversed(views):
        if view.source.benchmark is not None:
            found |= {each.id: each for each in view.source.benchmark.problems}
    return found


def _part(view: View, id_: str, answers: Answers) -> RunPart | None:
    facts = view.survey.problems.get(id_)
    if facts is None:
        return None
    counts = view.survey.tally.problems.get(id_)
    left_out = max(facts.samples - answers.samples, 0)
    return RunPart(view.letter, on_one_line(view.source.name), answers, left_out, counts.lacking if counts else 0)


def _samples(view: View, id_: str, most: int) -> Iterator[Sample]:
    if view.source.samples is None:
        return
    for sample in view.source.samples.read(id_):
        if sample.index >= most:
            return
        yield sample


def _page(key: str, id_: str, problem: Problem | None, runs: tuple[RunPart, ...], verdicts: Sequence[Verdict]) -> Page:
    cases = count_cases(problem, verdicts)
    sources = sources_of_tests(problem, listed=is_listed(problem, cases)) if problem else []
    return Page(
        key=key,
        id=on_one_line(id_),
        facts=_facts(problem),
        prompt=_cut(problem.prompt) if problem else "",
        is_code=bool(problem and problem.prompt_is_code),
        setup=_cut(problem.setup) if problem else "",
        reference=_cut(problem.reference or "") if problem else "",
        sources=tuple(each._replace(text=_cut(each.text)) for each in sources),
        cases=tuple(hardest(cases)),
        all_cases=len(cases),
        runs=runs,
    )


def _facts(problem: Problem | None) -> tuple[str, ...]:
    if problem is None:
        return ()
    found = [f"entry point {problem.entry_point}"] if problem.entry_point else []
    found += [f"split {problem.split}"] if problem.split else []
    found += [f"limits: {problem.limits.time_s:g} s, {problem.limits.memory_mib:,} MiB"]
    return tuple(on_one_line(each) for each in (*problem.tags, *found))


def _cut(text: str) -> str:
    shown = visible(text[:CHARACTERS]).strip("\n")
    more = len(text) - CHARACTERS
    return f"{shown}\n… {more:,} more characters" if more > 0 else shown
