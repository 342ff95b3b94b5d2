"""What is asked: problems with their tests, oracles and limits, and the benchmark that holds them."""

from __future__ import annotations

import enum
from typing import Literal

import msgspec

from assay.records.base import Record, digest

BACKSTOP = 30
"""On a machine that is so busy that a sample gets a thirtieth of a processor, it gets no verdict."""


class Limits(Record):
    """What one sample may use. `time_s` is effective time: wall time minus the time spent waiting for a processor.

    `cpu_s` (whole process tree) defaults to `time_s`. `wall_s`, a limit on the clock, is for who wants one: without it a sample is given up
    after `clock_s`, and that is no verdict.
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

    @property
    def clock_s(self) -> float:
        """How long a sample may last on the clock, in seconds: `wall_s`, or else 30 times `time_s`, a far backstop.

        >>> Limits(time_s=2.0).clock_s, Limits(wall_s=3.0).clock_s
        (60.0, 3.0)
        """
        return self.wall_s or BACKSTOP * self.time_s


Equality = Literal["strict", "types", "lenient"]
"""What "equal" may mean: Python's `==`; that and the same types; or the same but for the kind of sequence and a little in numbers."""


class Oracle(Record):
    """How an answer is compared with the expected one, as data: a name in the registry of `judge.oracles` and what that needs.

    `rtol` and `atol` are the tolerances of floats. `alternatives` are Python literals of answers that are right too (`any_of`);
    `formula` is the text of a lambda that makes another right answer of the call's arguments (`formula`). `equality` is what "equal" means
    to the oracle, None what its name says.
    """

    name: str = "exact"
    rtol: float = 1e-7
    atol: float = 0.0
    alternatives: tuple[str, ...] = ()
    formula: str = ""
    equality: Equality | None = None


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

    def __repr__(self) -> str:
        """A line, since all problems with their tests would flood a prompt."""
        invalid = f", {len(self.invalid):,} invalid" if self.invalid else ""
        return f"<Benchmark {self.name!r}: problems {len(self.problems):,}{invalid}, digest {self.digest[:12]}>"
