"""Judges small problems in the real sandbox, many in one run: starting the workers costs more than judging fifty samples.

A test says what it wants judged with `@trial(problem(...), honest=..., cheat=...)` and asks for the fixture `verdicts` (conftest.py);
all trials of a file that are selected are judged together, once. What needs settings of its own calls `judge` itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from assay.engine import Settings, Work, judge_work
from assay.records import AssertTests, Mode, Problem, Sample

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from assay.records import InvalidProblem, Isolation, Verdict


@dataclass
class Found:
    """The engine's events, kept: every verdict and invalid problem exactly once, or the test that looks fails."""

    verdicts: dict[tuple[str, int], Verdict] = field(default_factory=dict)
    invalids: dict[str, str] = field(default_factory=dict)
    isolation: Isolation | None = None
    repeated: list[tuple[str, int]] = field(default_factory=list)

    def started(self, isolation: Isolation) -> None:
        self.isolation = isolation

    def note(self, text: str) -> None:
        pass

    def in_doubt(self, held: int, done: int = 0, again: int = 0) -> None:
        pass

    def invalid(self, found: InvalidProblem) -> None:
        self.invalids[found.id] = found.reason

    def verdict(self, verdict: Verdict) -> None:
        key = verdict.problem_id, verdict.sample_index
        if key in self.verdicts:
            self.repeated.append(key)
        self.verdicts[key] = verdict


def problem(reference: str | None = None, *asserts: str, **fields) -> Problem:
    """A problem whose id the trial fills in; `asserts` are its base tests unless `tests` is given. The entry point is `f` by default."""
    given = {
        "id": "?",
        "prompt": "?",
        "entry_point": "f",
        "reference": reference,
        "tests": (AssertTests(cases=asserts),),
    }
    return Problem(**(given | fields))


def trial(asked: Problem, **sources: str):
    """Marks a test: the candidates, by name, are judged against the problem before it runs."""
    return pytest.mark.trial(asked, sources)


def judge(
    cases: Iterable[tuple[Problem, Iterable[str | Sample]]], settings: Settings | None = None, done=None
) -> Found:
    """Judges each problem's candidates in one run; a text is a whole program."""
    found = Found()
    work = [_work(asked, list(texts)) for asked, texts in cases]
    judge_work(work, settings or Settings(workers=2), found, done or (lambda _id, _index: None))
    assert found.repeated == []
    return found


def _work(asked: Problem, texts: list[str | Sample]) -> Work:
    def samples():
        for index, text in enumerate(texts):
            given = text if isinstance(text, Sample) else Sample(problem_id="", index=0, text=text, mode=Mode.SOLUTION)
            yield msgspec.structs.replace(given, problem_id=asked.id, index=index)

    return Work(asked, samples, len(texts))


def judge_trials(trials: Mapping[str, tuple[Problem, Mapping[str, str]]]) -> dict[str, dict[str, Verdict] | str]:
    """The verdicts of each trial by the candidates' names, or the reason why its problem is invalid."""
    named = {name: (msgspec.structs.replace(asked, id=name), texts) for name, (asked, texts) in trials.items()}
    found = judge((asked, texts.values()) for asked, texts in named.values())
    return {
        name: found.invalids[name]
        if name in found.invalids
        else {text: found.verdicts[name, index] for index, text in enumerate(texts)}
        for name, (_, texts) in named.items()
    }


def parents() -> dict[int, int]:
    """The parent of every living process, found by walking /proc."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                state, parent = (folder / "stat").read_text("utf-8", "replace").rpartition(") ")[2].split()[:2]
            except OSError:
                continue
            if state != "Z":
                found[int(folder.name)] = int(parent)
    return found


def processes_below(pid: int) -> set[int]:
    """All living descendants of a process."""
    known, below, fresh = parents(), set(), {pid}
    while fresh:
        fresh = {child for child, parent in known.items() if parent in fresh} - below
        below |= fresh
    return below
