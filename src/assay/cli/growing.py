"""A sample file that a model still writes while it is judged, as the run that judges it sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.cli.progress import doubt_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assay.records import Benchmark, Sample
    from assay.store import SampleFile


class GrowingSamples:
    """The samples that are there, and the places of those that are wanted; see `assay.store.Samples`.

    Args:
        there: The file as it was when the run began.
        benchmark: The problems that are asked.
        wanted: How many samples each problem will have.
    """

    def __init__(self, there: SampleFile, benchmark: Benchmark, wanted: int) -> None:
        self.path = there.path
        self.digest = there.digest
        self.bad_rows = there.bad_rows
        self.warnings: tuple[str, ...] = ()
        self.missing: tuple[str, ...] = ()
        self.there = there
        self._wanted = wanted
        self.count = sum(len(self.indices(problem.id)) for problem in benchmark.problems)

    def problem_ids(self, *, natural: bool = False) -> tuple[str, ...]:
        """Ids of the problems that have samples already."""
        return self.there.problem_ids(natural=natural)

    def indices(self, problem_id: str) -> range:
        """The indices that a problem's samples have, or will have."""
        return range(max(self._wanted, len(self.there.indices(problem_id))))

    def read(self, problem_id: str) -> Iterator[Sample]:
        """The samples of a problem that are there."""
        return self.there.read(problem_id)


class JudgeCount:
    """What is judged while a model writes, counted for its line of progress: stands in the place of `Progress`.

    `draw` and `say` are those of the model's line.
    """

    def __init__(self) -> None:
        self.draw: Callable[[], None] = lambda: None
        self.say: Callable[[str], None] = lambda _: None
        self._judged = self._passed = 0
        self._doubt: tuple[str, ...] = ()

    def words(self) -> tuple[str, ...]:
        """For the line: how many are judged, how many of them passed, and how many wait to be judged again."""
        return (f"{self._judged:,} judged, {self._passed:,} passed", *self._doubt)

    def in_doubt(self, held: int, done: int, again: int) -> None:
        """Take note of samples that hit a time limit and have no verdict yet; see `Progress.in_doubt`."""
        self._doubt = doubt_words(held, done, again)
        self.draw()

    def begin(self) -> None:
        """Nothing is drawn for its own sake."""

    def reuse(self, passed: bool) -> None:
        """Count a sample whose verdict was there before."""
        self._judged += 1
        self._passed += passed

    def again(self, passed: bool) -> None:
        """Take back one `reuse` of such a verdict."""
        self._judged -= 1
        self._passed -= passed

    def leave_out(self, number: int) -> None:
        """The line tells no total of verdicts."""

    def count(self, passed: bool) -> None:
        """Count a sample that was judged just now."""
        self._judged += 1
        self._passed += passed
        self.draw()

    def note(self, text: str) -> None:
        """Say something between two drawings."""
        self.say(text)

    def finish(self) -> None:
        """The line is the model's, which draws it at the end."""
