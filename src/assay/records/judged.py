"""What comes of it: samples, programs, facts, judgements, numbers, and what is written down of a run."""

from __future__ import annotations

import enum
from itertools import groupby
from typing import Any

from assay.records.asked import InvalidProblem
from assay.records.base import JUDGE_VERSION, SCHEMA, Record


class Outcome(enum.StrEnum):
    """What became of a sample, worst first: the order in which one outcome speaks for several cases."""

    SYSTEM_ERROR = "system_error"
    """No verdict: our own failure. Retried and reported, never counted as failed."""
    FORBIDDEN = "forbidden"
    """The program attacked the channel or the judge."""
    TIME_LIMIT = "time_limit"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    NO_CODE = "no_code"
    """Nothing that could be run was found in the answer."""
    SYNTAX_ERROR = "syntax_error"
    RUNTIME_ERROR = "runtime_error"
    WRONG_ANSWER = "wrong_answer"
    PASSED = "passed"

    @property
    def severity(self) -> str | None:
        """`syntax`, `runtime`, `logic` or `limit`; None for passed and system_error."""
        return _SEVERITY.get(self)


_SEVERITY = {
    Outcome.NO_CODE: "syntax",
    Outcome.SYNTAX_ERROR: "syntax",
    Outcome.RUNTIME_ERROR: "runtime",
    Outcome.FORBIDDEN: "runtime",
    Outcome.WRONG_ANSWER: "logic",
    Outcome.TIME_LIMIT: "limit",
    Outcome.MEMORY_LIMIT: "limit",
    Outcome.OUTPUT_LIMIT: "limit",
}


class Trust(enum.StrEnum):
    """How far a verdict rests on claims of the code on trial, best first."""

    ANCHORED = "anchored"
    """Every outcome was computed from copied plain data."""
    DELEGATED = "delegated"
    """Some outcome needed a claim of candidate code (its own `==`, say), cross-probed against the reference."""
    CO_RESIDENT = "co_resident"
    """Tests shared the candidate's interpreter: can be forged."""
    EXIT_STATUS = "exit_status"
    """Only the exit status was looked at: easily forged."""


class Mode(enum.StrEnum):
    """What a sample's text is. In files the field's name says it: `solution`, `completion`, `text` (a chat answer)."""

    SOLUTION = "solution"
    COMPLETION = "completion"
    CHAT = "chat"


class Sample(Record):
    """One answer of a model. `index` is its order in the file among the samples of its problem; `extra` carries unknown fields through."""

    problem_id: str
    index: int
    text: str
    mode: Mode
    model: str | None = None
    prompt_digest: str | None = None
    finish_reason: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    seed: int | None = None
    extra: dict[str, Any] = {}


class Program(Record):
    """What is run: code taken from a sample. Where there is none, `no_code` says why and `source` is empty."""

    problem_id: str
    sample_index: int
    source: str
    language: str = "python"
    how_extracted: str = "solution"
    no_code: str | None = None


class Isolation(Record):
    """Where a sample really ran: level `L0` ... `L5`, the layers in force and those that are missing."""

    level: str
    layers: tuple[str, ...]
    missing: tuple[str, ...] = ()


class StoppedBy(enum.StrEnum):
    """Which limit ended a run."""

    TIME = "time"
    CPU = "cpu"
    WALL = "wall"
    MEMORY = "memory"
    OUTPUT = "output"
    PROCESSES = "processes"


class Execution(Record):
    """Facts about one run, without judgement: how it ended, what stopped it, what it used.

    `time_s` is effective time, `cpu_s` that of the process tree, `peak_mib` what the sample used above the interpreter's own memory.
    `killed` says that *we* ended it because it was no longer needed; then exit code and signal say nothing about the program.
    `bystander` says that memory ran out round it and the kernel ended it, or a process of it, for memory that it isn't known to have
    used: then nothing of the run says anything about the program.
    """

    exit_code: int | None = None
    signal: int | None = None
    stopped_by: StoppedBy | None = None
    killed: bool = False
    bystander: bool = False
    time_s: float = 0.0
    cpu_s: float = 0.0
    wall_s: float = 0.0
    peak_mib: float = 0.0
    stdout: str = ""
    stderr: str = ""


FRAMES, FIRST_FRAMES = 10, 3
"""Most frames of a traceback that a row holds, and how many of them are the outermost."""


class Failure(Record):
    """The first case that failed, as a person reads it: texts are cut to a length and safe to print.

    `frames` are where the program raised: `(line, function)` of its own frames, outermost first; of more than ten, which a recursion
    has, the first three and the last seven. They are the program's own word, like its message.
    """

    case: int
    group: str
    outcome: Outcome
    call: str = ""
    expected: str = ""
    got: str = ""
    message: str = ""
    frames: tuple[tuple[int, str], ...] = ()

    @property
    def traceback(self) -> str:
        """The frames in a line, alike ones in a row counted; `...` stands where some of them may have been left out.

        >>> Failure(case=0, group="base", outcome=Outcome.RUNTIME_ERROR, frames=((9, "f"), (4, "g"), (4, "g"))).traceback
        'line 9 in f, line 4 in g (2 times)'
        """
        if len(self.frames) < FRAMES:
            return _in_a_line(self.frames)
        return f"{_in_a_line(self.frames[:FIRST_FRAMES])}, ..., {_in_a_line(self.frames[FIRST_FRAMES:])}"


def _in_a_line(frames: tuple[tuple[int, str], ...]) -> str:
    alike = ((line, name, len(tuple(same))) for (line, name), same in groupby(frames))
    return ", ".join(
        f"line {line} in {name}" + (f" ({times} times)" if times > 1 else "") for line, name, times in alike
    )


class Verdict(Record):
    """The judgement of one sample. `cases` has a `1` for each case passed, in the order of the problem's tests.

    `groups` maps a group to `(passed, total)`. Cases after a limit or a death were not run and count as not passed.
    `time_s` is effective time, `cpu_s` processor time, `wall_s` time on the clock (these two None in rows of earlier releases).
    `trials` says how often the sample was judged, each time under other seeds, and `passed_trials` how many of them passed (None where
    there was but one); `flaky` says that they had not all the same outcome. The row is then that of the first trial with the worst outcome,
    so that a sample passes only if it passed in all of them.
    `confirmed` is about a time limit that was hit so near that other work on the machine may be to blame: True where the row is of a run
    in which the sample was judged alone, once more if need be; False where it was not; None where there is no such doubt.
    `hidden` is on how many hidden inputs a program that passed its tests agrees with the reference, and how many it was asked; None where
    it was asked none. `special_cased` says that it agrees on too few to know more than the answers that the tests ask for.
    `how_extracted` is how the program was found in the sample's text, with each step that changed something: `fence + reasoning`.
    """

    problem_id: str
    sample_index: int
    outcome: Outcome
    passed_cases: int
    total_cases: int
    groups: dict[str, tuple[int, int]]
    cases: str
    trust: Trust
    time_s: float
    peak_mib: float
    message: str
    job_digest: str
    cpu_s: float | None = None
    wall_s: float | None = None
    first_failure: Failure | None = None
    flaky: bool = False
    trials: int = 1
    passed_trials: int | None = None
    confirmed: bool | None = None
    special_cased: bool = False
    hidden: tuple[int, int] | None = None
    judge_version: str = JUDGE_VERSION
    isolation: str = ""
    how_extracted: str = ""
    schema: int = SCHEMA

    @property
    def score(self) -> float:
        """Fraction of the cases that passed, 0.0 where there are none."""
        return self.passed_cases / self.total_cases if self.total_cases else 0.0

    @property
    def passed(self) -> bool:
        """Whether the sample solves its problem."""
        return self.outcome is Outcome.PASSED

    @property
    def told_in_full(self) -> str:
        """The message, with the traceback where it says more than the line that the message names."""
        failure = self.first_failure
        if failure is None or len(failure.frames) < 2:
            return self.message
        return f"{self.message}; Traceback: {failure.traceback}"


class Estimate(Record):
    """A number with its interval: over which problems and samples, by which method, or null with the reason why it is undefined.

    `at_least` and `at_most` bound it where something is not known: what it would be if every sample without a verdict had failed, and if
    every one had passed. They are None where nothing is missing, and where nothing can be said.
    """

    name: str
    tests: str
    value: float | None
    low: float | None
    high: float | None
    level: float
    problems: int
    samples: int
    method: str
    reason: str | None = None
    at_least: float | None = None
    at_most: float | None = None


class Manifest(Record):
    """All that decides a run's numbers: `run.json`.

    `problems` counts all that were chosen; those of `invalid` are among them, whether reading or judging found them so.
    `expected` maps each problem to its number of samples in the file, 0 where it has none (empty: not known).
    `limits` maps problems to their declared limits, as far as these are other than usual; `settings` may override them.
    `samples_changed` says that the run was taken up again with another sample file and has not finished since.
    `samples` and `data` (the problems' file, None where the benchmark's name leads to them) are the words of the user; `samples_path` and
    `data_path` are the same files by their absolute paths, None where there is no such file: what came through a pipe, and runs of earlier
    releases. No path decides a number.
    """

    created: str
    benchmark: str
    benchmark_version: str | None
    benchmark_digest: str
    split: str | None
    limit: int | None
    problems: int
    invalid: tuple[InvalidProblem, ...]
    samples: str
    samples_digest: str
    settings: dict[str, Any]
    isolation: Isolation
    interpreter: str
    versions: dict[str, str]
    seed: int
    expected: dict[str, int] = {}
    samples_changed: bool = False
    limits: dict[str, dict[str, Any]] = {}
    data: str | None = None
    data_path: str | None = None
    samples_path: str | None = None
    judge_version: str = JUDGE_VERSION
    schema: int = SCHEMA
