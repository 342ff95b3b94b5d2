"""The numbers of a sweep over temperatures: pass@k at each, the best for each k, and how many different programs were written."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from assay.cli.table import draw_table, wrap_text
from assay.counts import count_of
from assay.metrics import Question, compare, holm
from assay.programs import assemble
from assay.syntax import parse_python

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.cli.summary import Summary
    from assay.records import Benchmark, Estimate, Sample
    from assay.store import SampleFile

LEVEL = 0.95


class Heat(NamedTuple):
    """One temperature: its run's folder and numbers, and how many different programs a problem got, on average.

    `distinct` is None where nothing was written.
    """

    temperature: float
    folder: str
    summary: Summary
    distinct: float | None

    def number(self, name: str) -> Estimate | None:
        """An estimate over all tests."""
        found = (each for each in self.summary.estimates if (each.name, each.tests) == (name, "all"))
        return next(found, None)


class Best(NamedTuple):
    """The best temperature for one k, and those that are not shown to be worse (paired test, corrected for their number)."""

    k: int
    temperature: float
    value: float
    not_worse: tuple[float, ...]


class Sweep(NamedTuple):
    """What a sweep found; `heeded` is false where the model draws nothing by a temperature, and then none is best."""

    benchmark: str
    model: str
    per_problem: int
    ks: tuple[int, ...]
    heats: tuple[Heat, ...]
    heeded: bool = True

    def best(self) -> tuple[Best, ...]:
        """The best temperature for each k that has numbers; the lowest of equals."""
        if not self.heeded:
            return ()
        return tuple(found for k in self.ks if (found := self._best(k)) is not None)

    def _best(self, k: int) -> Best | None:
        values = [(heat, estimate.value) for heat in self.heats if (estimate := heat.number(f"pass@{k}"))]
        known = [(heat, value) for heat, value in values if value is not None]
        if not known:
            return None
        winner, value = max(known, key=lambda pair: (pair[1], -pair[0].temperature))
        others = [heat for heat, _ in known if heat is not winner]
        found = [compare(winner.summary.tally, heat.summary.tally, Question(k=k)) for heat in others]
        tested = [(heat, each.p) for heat, each in zip(others, found, strict=True) if each.p is not None]
        corrected = holm([p for _, p in tested])
        not_worse = [heat.temperature for (heat, _), p in zip(tested, corrected, strict=True) if p >= 1 - LEVEL]
        return Best(k, winner.temperature, value, tuple(not_worse))

    def as_json(self) -> dict[str, Any]:
        """What `assay sweep --json` prints and `sweep.json` holds: enough to draw pass@k against the temperature."""
        return {
            "benchmark": self.benchmark,
            "model": self.model,
            "per_problem": self.per_problem,
            "heeded": self.heeded,
            "points": list(self._points()),
            "distinct": [{"temperature": heat.temperature, "per_problem": heat.distinct} for heat in self.heats],
            "best": [found._asdict() for found in self.best()],
            "folders": {f"{heat.temperature:g}": heat.folder for heat in self.heats},
        }

    def _points(self) -> Iterator[dict[str, Any]]:
        for heat in self.heats:
            for estimate in heat.summary.estimates:
                yield {"temperature": heat.temperature} | msgspec.to_builtins(estimate)

    def as_text(self) -> str:
        """The table, a column for each k, and what is best."""
        names = [f"pass@{k}" for k in self.ks]
        heads = ("temperature", "distinct", *names)
        rows = [
            (f"{heat.temperature:g}", _short(heat.distinct, 1), *(_cell(heat.number(name)) for name in names))
            for heat in self.heats
        ]
        title = (
            f"{self.benchmark}, {self.model}, {count_of(self.per_problem, 'answer')} a problem at each temperature\n"
        )
        return "\n".join((title, draw_table(heads, rows, right=heads), "".join(self._words())))

    def _words(self) -> Iterator[str]:
        for found in self.best():
            words = f"best for pass@{found.k}: temperature {found.temperature:g} ({found.value:.4f})"
            if found.not_worse:
                words += f"; not shown to be worse: {', '.join(f'{heat:g}' for heat in found.not_worse)}"
            yield f"{wrap_text(words)}\n"
        yield "distinct: different programs among the answers to one problem, on average\n"


def _short(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _cell(estimate: Estimate | None) -> str:
    if estimate is None or estimate.value is None:
        return "-"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.4f}"
    return f"{estimate.value:.4f} ({estimate.low:.3f} to {estimate.high:.3f})"


def distinct_programs(benchmark: Benchmark, samples: SampleFile) -> float | None:
    """How many different programs a problem got, averaged over problems with samples; layout and comments make no difference."""
    counts = [
        len({_shape(problem_source) for problem_source in _sources(benchmark, samples, place)})
        for place, problem in enumerate(benchmark.problems)
        if len(samples.indices(problem.id))
    ]
    return sum(counts) / len(counts) if counts else None


def _sources(benchmark: Benchmark, samples: SampleFile, place: int) -> Iterator[str]:
    problem = benchmark.problems[place]
    sample: Sample
    for sample in samples.read(problem.id):
        yield assemble(problem, sample).source


def _shape(source: str) -> str:
    tree = parse_python(source)
    return source if tree is None else ast.dump(tree)


def shared_ks(wanted: Sequence[int] | None, per_problem: int) -> tuple[int, ...]:
    """The k of the table's columns: those that were asked for, else the usual ones that so many answers allow.

    >>> shared_ks(None, 50), shared_ks((1, 5), 50)
    ((1, 10), (1, 5))
    """
    return tuple(wanted) if wanted is not None else tuple(k for k in (1, 10, 100) if k <= per_problem)
