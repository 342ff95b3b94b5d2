"""One pass over a run's verdicts: all that tables and figures need, in memory that grows with problems and not with samples."""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from assay.metrics import Tally
from assay.records import Outcome
from assay.visible import on_one_line

if TYPE_CHECKING:
    from assay.records import Verdict
    from assay.store import StoredRun

LISTED = 12
"""Rows of a list of slowest or largest samples."""
NAMED = 200
"""Samples that a list of doubtful ones names; the rest is counted."""
MOST_MESSAGES = 4_000
"""Different messages that are counted; what comes later is left to `other`."""

_LINE = re.compile(r" \(line \d+\)\s*$")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(\.\d+)?(?![\w.])")


class Spread:
    """Counts of values by their size, `PER_DECADE` bins for each power of ten."""

    PER_DECADE = 8

    def __init__(self) -> None:
        self.bins: Counter[int] = Counter()
        self.total = 0.0
        self.most = 0.0

    def add(self, value: float) -> None:
        """Counts one value; what is not above 0.001 counts as that."""
        self.bins[math.floor(math.log10(max(value, 1e-3)) * self.PER_DECADE)] += 1
        self.total += value
        self.most = max(self.most, value)

    @property
    def values(self) -> int:
        """How many values were counted."""
        return self.bins.total()

    def quantile(self, share: float) -> float:
        """The upper end of the bin that holds this share of the values, at most the greatest value."""
        seen = 0
        for step in sorted(self.bins):
            seen += self.bins[step]
            if seen >= share * self.values:
                return min(10 ** ((step + 1) / self.PER_DECADE), self.most)
        return 0.0


class Doubtful(NamedTuple):
    """A sample in a list: whose it is, and the figure or words for which it is listed."""

    problem_id: str
    sample_index: int
    outcome: Outcome
    figure: float
    words: str = ""


class Ranking:
    """The samples with the greatest figures."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Doubtful]] = []
        self._order = count()

    def add(self, verdict: Verdict, figure: float) -> None:
        """Keeps the sample if it belongs to the greatest."""
        row = Doubtful(verdict.problem_id, verdict.sample_index, verdict.outcome, figure)
        heapq.heappush(self._heap, (figure, -next(self._order), row))
        if len(self._heap) > LISTED:
            heapq.heappop(self._heap)

    def rows(self) -> list[Doubtful]:
        """Greatest first."""
        return [row for _, _, row in sorted(self._heap, reverse=True)]


class ProblemFacts:
    """What a problem's samples did. `weak` counts those that pass all base tests and are wrong by all."""

    __slots__ = ("doubtful", "most_mib", "most_s", "outcomes", "seconds", "weak")

    def __init__(self) -> None:
        self.outcomes: Counter[Outcome] = Counter()
        self.seconds = self.most_s = self.most_mib = 0.0
        self.weak = 0
        self.doubtful: set[str] = set()

    def add(self, verdict: Verdict) -> None:
        """Counts one sample."""
        self.outcomes[verdict.outcome] += 1
        self.seconds += verdict.time_s
        self.most_s = max(self.most_s, verdict.time_s)
        self.most_mib = max(self.most_mib, verdict.peak_mib)
        passed, total = verdict.groups.get("base", (0, 0))
        self.weak += not verdict.passed and 0 < total == passed
        marks = (
            ("flaky", verdict.flaky),
            ("special", verdict.special_cased),
            ("unconfirmed", verdict.confirmed is False),
        )
        self.doubtful |= {name for name, holds in marks if holds}

    @property
    def samples(self) -> int:
        """Samples that were judged, those without a verdict among them."""
        return self.outcomes.total()


class Message(NamedTuple):
    """An error as many samples had it: the text without what is peculiar to one of them."""

    outcome: Outcome
    text: str


class Survey:
    """A run, counted."""

    def __init__(self, run: StoredRun, *, strict: bool = False) -> None:
        self.tally = Tally.of_run(run.manifest)
        self.problems: dict[str, ProblemFacts] = {id_: ProblemFacts() for id_ in self.tally.problems}
        self.messages: Counter[Message] = Counter()
        self.other_messages = 0
        self.times, self.memory = Spread(), Spread()
        self.slowest = Ranking()
        self.doubtful: dict[str, list[Doubtful]] = {"flaky": [], "special": [], "unconfirmed": []}
        self.isolation: Counter[str] = Counter()
        if strict and run.manifest.invalid:
            self.tally.doubt = f"invalid problems: {', '.join(each.id for each in run.manifest.invalid)}"
        for verdict in run.verdicts():
            self._add(verdict)

    def _add(self, verdict: Verdict) -> None:
        orphans = self.tally.orphans
        self.tally.add(verdict)
        if self.tally.orphans > orphans:
            return
        self.problems.setdefault(verdict.problem_id, ProblemFacts()).add(verdict)
        self.times.add(verdict.time_s)
        self.memory.add(verdict.peak_mib)
        self.slowest.add(verdict, verdict.time_s)
        self.isolation[verdict.isolation] += 1
        self._add_message(verdict)
        self._add_doubts(verdict)

    def _add_message(self, verdict: Verdict) -> None:
        message = common_text(verdict)
        if message is None:
            return
        if message in self.messages or len(self.messages) < MOST_MESSAGES:
            self.messages[message] += 1
        else:
            self.other_messages += 1

    def _add_doubts(self, verdict: Verdict) -> None:
        told = {
            "flaky": (verdict.flaky, f"passed in {verdict.passed_trials or 0} of {verdict.trials} trials"),
            "special": (verdict.special_cased, "agrees on {} of {} hidden inputs".format(*(verdict.hidden or (0, 0)))),
            "unconfirmed": (verdict.confirmed is False, "over the time limit while other work ran"),
        }
        for name, (holds, words) in told.items():
            if holds and len(self.doubtful[name]) < NAMED:
                row = Doubtful(verdict.problem_id, verdict.sample_index, verdict.outcome, verdict.time_s, words)
                self.doubtful[name].append(row)

    @property
    def samples(self) -> int:
        """Samples that were judged, those without a verdict among them."""
        return self.tally.outcomes.total()

    @property
    def unjudged(self) -> int:
        """Samples that have no verdict."""
        return sum(counts.lacking for counts in self.tally.problems.values())


def common_text(verdict: Verdict) -> Message | None:
    """The error of a sample without its line and numbers, so that equal errors count as one; None for plain wrong answers."""
    failure = verdict.first_failure
    if verdict.passed or verdict.outcome is Outcome.WRONG_ANSWER:
        return None
    told = verdict.message
    if failure and failure.call and told.startswith(failure.call):  # it tells of the first failing case, not of the end
        told = failure.message if failure.outcome is verdict.outcome else ""
    return Message(verdict.outcome, on_one_line(_NUMBER.sub("N", _LINE.sub("", told))[:160])) if told else None
