"""Which problems of a run belong together, for `assay score --by`: labels come from the benchmark, the rest from the verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from assay.cli.run_problems import problems_of
from assay.metrics import Group, by_difficulty, by_label, outcome_shares, score

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.metrics import Answers, By, Metric, Missing, Tally
    from assay.records import Estimate, Manifest, Problem


@dataclass(frozen=True)
class Asked:
    """The numbers that were asked for, to be computed of a run and of each of its parts."""

    ks: Sequence[int]
    missing: Missing | None
    metrics: Sequence[Metric]

    def of(self, tally: Tally, answers: Answers) -> tuple[Estimate, ...]:
        """The estimates of a tally."""
        return score(tally, self.ks, missing=self.missing, metrics=self.metrics, answers=answers)


@dataclass(frozen=True)
class Judged:
    """A run as it was judged: what it is, its verdicts counted, and their answers."""

    manifest: Manifest
    tally: Tally
    answers: Answers


def group_run(run: Judged, by: By, asked: Asked, data: str | None = None) -> tuple[Group, ...]:
    """The groups of a run with their numbers.

    Args:
        run: The run.
        by: What groups are made by.
        asked: Which numbers.
        data: The problems' file, where the benchmark's name does not lead to it.

    Raises:
        SettingsError: The groups need the problems, and these are not at hand.
        DataError: The problems' file is not that of the run.
    """
    match by:
        case "outcome":
            return (Group(by=by, name="samples", estimates=outcome_shares(run.answers)),)
        case "difficulty":
            parts: Mapping[str, Sequence[str]] = by_difficulty(run.tally)
        case "split" | "tag":
            problems = {
                problem.id: problem for problem in problems_of(run.manifest, data, f"the {by} of its problems").problems
            }
            parts = by_label({id_: _labels(problems.get(id_), by) for id_ in run.tally.ids()})
        case _:
            assert_never(by)
    return tuple(
        Group(by=by, name=name, estimates=asked.of(run.tally.among(ids), run.answers)) for name, ids in parts.items()
    )


def _labels(problem: Problem | None, by: By) -> Sequence[str]:
    if problem is None:
        return ()
    return problem.tags if by == "tag" else tuple(filter(None, (problem.split,)))
