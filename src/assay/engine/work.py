"""What flows through the engine: problems with their samples, cut into chunks that one lane takes at a time."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from assay.judge import Ruling, is_plain, is_plain_program, is_repeatable, is_whole_program, unit_groups
from assay.records import Fault
from assay.sandbox import MOST_LINES_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from assay.engine.settings import Settings
    from assay.judge import HiddenQuestions, Report, Script
    from assay.records import InvalidProblem, Isolation, Problem, Program, Sample, Verdict

CHUNK = 32
"""Samples of one problem that a lane takes at a time: many share the cost of one judge fork, few keep all lanes at work."""

_NUMPY = re.compile(r"\bnumpy\b")


class Unusable(Exception):
    """The problem can't be judged; the text says why."""

    def __init__(self, reason: str, fault: Fault = Fault.TESTS) -> None:
        self.fault = fault
        super().__init__(reason)


@dataclass(frozen=True)
class Work:
    """A problem and its samples, which are read only when their turn comes. `count` is how many there are."""

    problem: Problem
    samples: Callable[[], Iterator[Sample]]
    count: int


class Events(Protocol):
    """What the engine tells while it works, always from one thread."""

    def started(self, isolation: Isolation) -> None:
        """The sandbox is up, at this isolation."""

    def invalid(self, problem: InvalidProblem) -> None:
        """A problem can't be judged; its samples get no verdict."""

    def verdict(self, verdict: Verdict) -> None:
        """A sample was judged."""

    def note(self, text: str) -> None:
        """Something that a person may want to know."""

    def in_doubt(self, held: int, done: int = 0, again: int = 0) -> None:
        """So many samples that hit a time limit have no verdict until all others have; of `again` that are then judged again `done` are."""


class Keeper(Protocol):
    """Keeps what references told for later runs (`shelf.py`)."""

    def recall(self, task: Task) -> tuple[Any, ...] | None:
        """What an earlier run has kept of a problem, as `answers.take_kept` reads it."""

    def keep(self, task: Task) -> None:
        """Keeps what is known of a problem now."""


class Recital(NamedTuple):
    """What a program says that passes by heart, what the judge says of one that says so, and the screen that was in force."""

    script: Script
    report: Report
    screen: HiddenQuestions | None


class Task:
    """A problem on its way: what all lanes that work on it share. `calibration` is made once, by the first of them; `reference_s` and
    `reference_mib` are what the reference took and used in that run, 0 where that is not known. `unusable` says why it can't be
    judged, `fault` what is to blame. `place` is its number in the work; `further` are the same problem in the trials after the first.
    """

    def __init__(self, problem: Problem, settings: Settings, key: str, place: int = 0) -> None:
        self.place = place
        self.further = tuple(Task(problem, settings.in_trial(n), key) for n in range(1, settings.trials))
        self.problem = problem = settings.posed(problem)
        self.groups = tuple(g for g in settings.groups)
        self.limits = settings.limits(problem)
        self.ruling = Ruling(problem, unit_groups(problem.tests, self.groups), self.limits)
        self.key = key
        self.runs_whole = is_whole_program(problem.tests, self.groups)
        self.plain_tests = is_plain(problem, self.groups)
        self.plain_reference = self.plain_tests and is_plain_program(f"{problem.setup}\n{problem.reference or ''}")
        self.is_repeatable = self.plain_reference and is_repeatable(f"{problem.setup}\n{problem.reference or ''}")
        self.seeds = f"{settings.seed} {settings.hash_seed}"
        self.shelf: Keeper | None = None
        self.plain: dict[str, Any] = msgspec.to_builtins(problem)
        self.calibration: bytes | None = None
        self.reference_s = self.reference_mib = 0.0
        self.totals: Sequence[int] = ()
        self.unusable: str | None = None
        self.fault = Fault.TESTS
        self.asks_hidden = settings.asks_hidden(problem) and not self.runs_whole
        self.screen: HiddenQuestions | None = None
        self.questions: HiddenQuestions | None = None
        self._known: Recital | None = None
        self.hidden_lock = asyncio.Lock()
        self.ready = False
        self.lock = asyncio.Lock()
        self._numpy = _mentions_numpy(problem)

    def know(self, script: Script, report: Report) -> None:
        """Notes what a program says that passes by heart and agrees on all of the screen as it is now, and what the judge says of it. What
        is too long to be held beside an agent's words is not kept.
        """
        if bool(script.questions) == bool(self.screen) and script.size_bytes <= MOST_LINES_BYTES:
            self._known = Recital(script, report, self.screen)

    def forget_known(self) -> None:
        """Leaves it as if no program had passed by heart."""
        self._known = None

    def known(self) -> Recital | None:
        """What was noted last, if programs are still asked the same."""
        return self._known if self._known is not None and self._known.screen is self.screen else None

    def keep_in(self, shelf: Keeper | None) -> None:
        """Has what is found out about the problem, in all trials, kept there."""
        for each in (self, *self.further):
            each.shelf = shelf

    def flavour(self, program: Program) -> tuple[str, ...]:
        """Packages that are loaded beforehand for this program: numpy where the program or the problem names it."""
        return ("numpy",) if self._numpy or _NUMPY.search(program.source) else ()

    @property
    def own_flavour(self) -> tuple[str, ...]:
        """Packages for the reference."""
        return ("numpy",) if self._numpy else ()


class Job(NamedTuple):
    """One program to judge, with the digest of all that decides its verdict."""

    program: Program
    digest: str


class Chunk(NamedTuple):
    """Some programs of one problem and one flavour."""

    task: Task
    jobs: list[Job]
    flavour: tuple[str, ...]


def _mentions_numpy(problem: Problem) -> bool:
    texts = [problem.reference or "", problem.setup, problem.prompt if problem.prompt_is_code else ""]
    for t in problem.tests:
        texts += [getattr(t, "source", ""), *(c for c in getattr(t, "cases", ()) if isinstance(c, str))]
    return any(_NUMPY.search(text) for text in texts)
