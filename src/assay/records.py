"""The nouns of the line: every value that crosses a package border or reaches a file.

    Problem -> Sample -> Program -> Job -> Execution -> Verdict -> Estimate

All records are frozen. Facts and judgements are different types: the sandbox writes an `Execution` (what happened), only the judge's
trusted side writes a `Verdict` (what it means). Units stand in the names (`time_s`, `memory_mib`). Files hold one JSON object a line
(or one object) and a `schema` number, `SCHEMA`, that changes when a field changes its meaning.
"""

from __future__ import annotations

import enum
import hashlib
from typing import Any, dataclass_transform

import msgspec

SCHEMA = 1
"""Version of every file format written by this release."""

JUDGE_VERSION = "1"
"""Changes when the judge may give another verdict for the same job; part of every job's digest."""

DEFAULT_GROUPS = ("base", "plus")
"""Groups of cases that decide `passed`; `challenge` joins only when it is asked for."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=False):
    """Base of all records: immutable, keyword-only, strict about unknown fields when read from a file."""


def digest(*parts: bytes | str) -> str:
    """32 hexadecimal digits of BLAKE2b over the parts, each with its length, so that no two lists of parts collide by joining.

    >>> digest("ab", "c") == digest("a", "bc")
    False
    """
    h = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        h.update(len(data).to_bytes(8, "big"))
        h.update(data)
    return h.hexdigest()


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


class Limits(Record):
    """What one sample may use. `time_s` is effective time: wall time minus the time spent waiting for a processor.

    `cpu_s` (whole process tree) defaults to `time_s`, `wall_s` (a far backstop) to 10 x `time_s`.
    """

    time_s: float = 5.0
    cpu_s: float | None = None
    wall_s: float | None = None
    memory_mib: int = 1024
    processes: int = 32
    output_kib: int = 1024
    disk_mib: int = 64
    open_files: int = 64
    network: bool = False


class Oracle(Record):
    """How an answer is compared with the expected one, as data: a name in the registry of `judge.oracles` and what that needs.

    `rtol` and `atol` are the tolerances of floats. `alternatives` are Python literals of answers that are right too (`any_of`);
    `formula` is the text of a lambda that makes another right answer of the call's arguments (`formula`).
    """

    name: str = "exact"
    rtol: float = 1e-7
    atol: float = 0.0
    alternatives: tuple[str, ...] = ()
    formula: str = ""


class AssertTests(Record, tag="assert"):
    """Assert statements in the style of MBPP; each string is one case and all share one namespace."""

    cases: tuple[str, ...]
    group: str = "base"


class CheckTests(Record, tag="check"):
    """HumanEval's form: `source` defines `check(candidate)`; each assert that it evaluates is a case."""

    source: str
    group: str = "base"


class CallTests(Record, tag="calls"):
    """Calls of the entry point whose expected values come from the reference.

    Each input is the Python literal of a list of arguments, `"[[1, 2], 3]"` for `f([1, 2], 3)`.
    """

    inputs: tuple[str, ...]
    group: str = "base"
    oracle: Oracle = Oracle()


class Checker(Record):
    """How a program's output is compared with the expected one, as data: a name in the registry of `judge.checkers` and what that needs.

    `rtol` and `atol` are the tolerance of `numbers`: the larger of `atol` and `rtol` times the expected number. `ignore_case` takes
    upper and lower case of ASCII letters as the same. `source` is the code of `custom`: it defines `check(stdin, expected, got)`.
    """

    name: str = "whitespace"
    rtol: float = 1e-6
    atol: float = 1e-6
    ignore_case: bool = False
    source: str = ""


class StdioCase(Record):
    """One run of a whole program: what it reads and what it should print."""

    stdin: str
    stdout: str


class StdioTests(Record, tag="stdio"):
    """Whole programs that read standard input; a fresh process a case, each under the problem's limits."""

    cases: tuple[StdioCase, ...]
    group: str = "base"
    checker: Checker = Checker()


class UnittestTests(Record, tag="unittest"):
    """`unittest.TestCase` classes as text."""

    source: str
    group: str = "base"


class PropertyTests(Record, tag="property"):
    """Property-based tests as text; `max_examples` inputs are tried."""

    source: str
    max_examples: int = 100
    group: str = "base"


Tests = AssertTests | CheckTests | CallTests | StdioTests | UnittestTests | PropertyTests


class Problem(Record):
    """One task of a benchmark: what is asked and how an answer is judged. Carries all that anything downstream needs to know.

    `reference` is a whole program. `setup` is test-side code that runs before the tests, and whose definitions the candidate sees too.
    `prompt_is_code` says that the prompt is the beginning of the program (HumanEval), not a text about it (MBPP).
    `contract` are asserts about the arguments, as the body of the entry point would begin with them: for who makes new inputs, not for
    judging.
    """

    id: str
    prompt: str
    tests: tuple[Tests, ...]
    entry_point: str | None = None
    reference: str | None = None
    setup: str = ""
    language: str = "python"
    prompt_is_code: bool = False
    limits: Limits = Limits()
    split: str | None = None
    tags: tuple[str, ...] = ()
    contract: str = ""

    def digest(self) -> str:
        """Digest of all that decides a verdict: everything but limits (they are keyed on their own), split, tags and contract."""
        bare = msgspec.structs.replace(self, limits=Limits(), split=None, tags=(), contract="")
        return digest(msgspec.json.encode(bare))


class Fault(enum.StrEnum):
    """What is at fault where a problem can't be judged."""

    TESTS = "tests"
    """Its tests, or their form."""
    REFERENCE = "reference"
    """Its reference, which does not pass them."""
    TIME = "time"
    """Its reference, which takes longer than the problem's limit."""


class InvalidProblem(Record):
    """A problem that can't be judged, and why. Its samples get no row; every number says over how many problems it is."""

    id: str
    reason: str
    split: str | None = None
    fault: Fault = Fault.TESTS


class Benchmark(Record):
    """A data set, read: `digest` is SHA-256 over the published rows, `version` the publisher's, where there is one.

    `id_prefixes` are written before the ids in published sample files (`MBPP/11` for `11`); `deselected` are the ids that
    a split or limit left out: samples of theirs are known, but not judged. `order` are the ids of the chosen split as the
    data set has them, invalid ones and those beyond a limit among them: sample files without ids count by it. `few_shot`
    are the ids whose solutions the customary few-shot prompt of the data set shows. `note` tells what a reader should know of this
    copy of the data.
    """

    name: str
    version: str | None
    digest: str
    problems: tuple[Problem, ...]
    invalid: tuple[InvalidProblem, ...] = ()
    id_prefixes: tuple[str, ...] = ()
    deselected: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    few_shot: tuple[str, ...] = ()
    note: str = ""


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
    """

    exit_code: int | None = None
    signal: int | None = None
    stopped_by: StoppedBy | None = None
    killed: bool = False
    time_s: float = 0.0
    cpu_s: float = 0.0
    wall_s: float = 0.0
    peak_mib: float = 0.0
    stdout: str = ""
    stderr: str = ""


class Failure(Record):
    """The first case that failed, as a person reads it: texts are cut to a length and safe to print."""

    case: int
    group: str
    outcome: Outcome
    call: str = ""
    expected: str = ""
    got: str = ""
    message: str = ""


class Verdict(Record):
    """The judgement of one sample. `cases` has a `1` for each case passed, in the order of the problem's tests.

    `groups` maps a group to `(passed, total)`. Cases after a limit or a death were not run and count as not passed.
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
    first_failure: Failure | None = None
    flaky: bool = False
    trials: int = 1
    judge_version: str = JUDGE_VERSION
    isolation: str = ""
    schema: int = SCHEMA

    @property
    def score(self) -> float:
        """Fraction of the cases that passed, 0.0 where there are none."""
        return self.passed_cases / self.total_cases if self.total_cases else 0.0

    @property
    def passed(self) -> bool:
        """Whether the sample solves its problem."""
        return self.outcome is Outcome.PASSED


class Estimate(Record):
    """A number with its interval: over which problems and samples, by which method, or null with the reason why it is undefined."""

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


class Manifest(Record):
    """All that decides a run's numbers: `run.json`.

    `problems` counts all that were chosen; those of `invalid` are among them, whether reading or judging found them so.
    `expected` maps each problem to its number of samples in the file, 0 where it has none (empty: not known).
    `limits` maps problems to their declared limits, as far as these are other than usual; `settings` may override them.
    `samples_changed` says that the run was taken up again with another sample file and has not finished since.
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
    judge_version: str = JUDGE_VERSION
    schema: int = SCHEMA
