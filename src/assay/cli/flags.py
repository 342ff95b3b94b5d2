"""Flags that several commands share, each explained once: which problems, and how they are judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import msgspec
from cyclopts import Parameter

from assay.benchmarks import load, select
from assay.benchmarks.catalogue import NAMED
from assay.cli.streams import say
from assay.cli.waiting import Waiting
from assay.engine import HiddenMode, Settings, check_ranges
from assay.errors import SettingsError
from assay.metrics import USUAL_METRICS, By, Metric, Missing, metric_list
from assay.records import Benchmark, Equality

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cyclopts import Token

STREAM = "\0"
"""Stands for a bare `-` while cyclopts reads the words: it takes every word with a hyphen for an option. No argument of
a process can hold a NUL, so nothing else is ever mistaken for it."""


def _path_or_stream(_: object, tokens: Sequence[Token]) -> str:
    return "-" if tokens[0].value == STREAM else tokens[0].value


PathOrStream = Annotated[str, Parameter(converter=_path_or_stream)]
"""A path, or `-` for standard input or output."""

Switch = Parameter(negative=(), show_default=False)
"""A flag that is off unless it is given."""


@Parameter(name="*")
@dataclass(frozen=True)
class Selection:
    """Which problems of a benchmark."""

    data: str | None = None
    """Read a named benchmark from this local file: .jsonl, .jsonl.gz or .json, as published. Left out: what is not shipped is read
    from the Hugging Face hub (extra `hub`)."""
    split: str | None = None
    """Only this split (mbpp: prompt, test, validation, train)."""
    limit: int | None = None
    """Only the first so many problems, in the benchmark's order."""

    def read(self, name: str, judging: Judging | None = None) -> Benchmark:
        """The benchmark of that name or path, cut down to the selection, under the limits file of `judging`."""
        limits = None if judging is None else judging.limits
        with Waiting().on(f"reading the problems of {name} ..."):
            benchmark = select(load(name, data=self.data, limits=limits), split=self.split, limit=self.limit)
        if benchmark.note:
            say(f"note: {benchmark.note}")
        return benchmark

    def file_of(self, name: str) -> str | None:
        """The file that the benchmark of that name or path is read from, as the user names it; None where the name alone leads to it."""
        return self.data if name in NAMED else name


@Parameter(name="*")
@dataclass(frozen=True)
class Judging:
    """How samples are judged."""

    workers: int = 0
    """How many workers judge at the same time; 0 means one per processor."""
    timeout: float | None = None
    """Seconds of effective time for a sample, in place of each problem's own limit."""
    limits: str | None = None
    """Read the problems' limits from this file (of `assay check --write-limits`), in place of the one that is shipped."""
    memory: int | None = None
    """MiB of memory for a sample, in place of each problem's own limit."""
    challenge: Annotated[bool, Switch] = False
    """Run the challenge tests too; they then decide as well."""
    equality: Equality | None = None
    """What "equal" means to tests that are inputs only, in place of what each says itself: Python's ==, that and the same types, or
    leniently (list or tuple, int or float, a small tolerance). Asserts are Python's own."""
    python: str | None = None
    """Run samples under this interpreter, with its packages."""
    unsafe: Annotated[bool, Switch] = False
    """Judge even where this machine isolates less than level L2. Only for code that you would run yourself."""

    def settings(self) -> Settings:
        """The engine's settings for these flags.

        Raises:
            SettingsError: A number is out of range.
        """
        settings = Settings(
            workers=self.workers,
            time_s=self.timeout,
            memory_mib=self.memory,
            challenge=self.challenge,
            minimum_level="L0" if self.unsafe else "L2",
            python=self.python,
            equality=self.equality,
        )
        check_ranges(settings, {"workers": "--workers", "time_s": "--timeout", "memory_mib": "--memory"})
        return settings


@Parameter(name="*")
@dataclass(frozen=True)
class Repeating:
    """How samples are judged, and how often."""

    judging: Judging = Judging()
    trials: int = 1
    """Judge each sample so often, every time under other seeds of hashes and of `random`: it passes only if it passes each time, and is
    flaky where the outcomes differ."""
    unconfirmed: Annotated[bool, Switch] = False
    """Leave time limits as they are. Otherwise samples over one are judged again, alone, when all others are done (at most 1 % of them)."""
    hidden: HiddenMode = "flag"
    """Ask samples that pass about inputs that no test shows, and flag those that agree with the reference on few of them, or require that
    they don't; or leave it off."""
    no_cache: Annotated[bool, Switch] = False
    """Run every reference, and keep nothing of what they tell for later runs (see `assay cache`)."""

    def settings(self) -> Settings:
        """The engine's settings for these flags.

        Raises:
            SettingsError: A number is out of range.
        """
        settings = self.judging.settings()
        repeated = msgspec.structs.replace(
            settings,
            trials=self.trials,
            confirm=not self.unconfirmed,
            cache=not self.no_cache,
            hidden=self.hidden,
        )
        check_ranges(repeated, {"trials": "--trials"})
        return repeated


@Parameter(name="*")
@dataclass(frozen=True)
class Scoring:
    """Which numbers, and how they are shown."""

    k: Annotated[str | None, Parameter(name="-k")] = None
    """The k of pass@k, such as 1,10,100. Otherwise those of 1, 10 and 100 that every problem has samples for."""
    missing: Missing | None = None
    """Problems without samples and samples without a verdict count as failed, or are left out. Otherwise they make a number null."""
    strict: Annotated[bool, Switch] = False
    """An invalid problem makes every number null."""
    json: Annotated[bool, Switch] = False
    """Print one JSON object in place of tables."""

    def ks(self) -> tuple[int, ...] | None:
        """The k that were asked for, None where none were.

        Raises:
            SettingsError: `-k` is not a list of positive whole numbers.
        """
        return None if self.k is None else read_ks(self.k)


@Parameter(name="*")
@dataclass(frozen=True)
class Detail:
    """Which numbers beyond the usual ones, and of which parts of a run."""

    metrics: str = ",".join(USUAL_METRICS)
    """Which metrics, a list: pass@k (one of k right), pass^k (all k right), maj@k (the most frequent of k answers right), best@k (the best
    of k by base tests right), mean_fraction (cases passed)."""
    by: By | None = None
    """The same numbers for parts of the run: problems by split, by tag or by difficulty (the share of samples that were right); or
    samples by outcome."""
    text: Annotated[bool, Switch] = False
    """Also how like their references the samples are as texts, and whether that tells right from wrong."""
    data: str | None = None
    """With --text, or --by split or tag: the problems' file, where the benchmark's name does not lead to it."""

    csv: Annotated[bool, Switch] = False
    """Print the numbers as CSV in place of tables."""
    markdown: Annotated[bool, Switch] = False
    """Print tables of Markdown, to paste into an issue or a page."""

    def chosen(self) -> tuple[Metric, ...]:
        """The metrics that were asked for.

        Raises:
            SettingsError: One is not known.
        """
        return metric_list(name.strip() for name in self.metrics.split(","))


ALL_PROBLEMS, USUAL_JUDGING, ONCE, USUAL_SCORING, USUAL_DETAIL = (
    Selection(),
    Judging(),
    Repeating(),
    Scoring(),
    Detail(),
)
"""What holds where no flag of a kind is given."""


def read_ks(text: str, flag: str = "-k") -> tuple[int, ...]:
    """The numbers of `-k 1,10,100`, or of another flag that takes such a list.

    Raises:
        SettingsError: A part is not a positive whole number.

    >>> read_ks("10,1")
    (1, 10)
    """
    parts = [part.strip() for part in text.split(",")]
    wrong = [part for part in parts if not (part.isascii() and part.isdecimal() and int(part) > 0)]
    if wrong:
        raise SettingsError(
            f"{flag} {text}: {wrong[0]!r} is not a positive whole number", hint=f"for example {flag} 1,10,100"
        )
    return tuple(sorted({int(part) for part in parts}))
