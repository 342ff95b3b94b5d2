"""`assay report`: runs as one HTML file that opens anywhere."""

from __future__ import annotations

import contextlib
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from assay.cli.flags import PathOrStream, Switch, read_ks
from assay.cli.outputs import require_free
from assay.cli.run_problems import known_ids, other_problems, read_judged, read_own, samples_file
from assay.cli.terminal import say
from assay.counts import count_of, size_text
from assay.errors import AssayError, SettingsError
from assay.metrics import Missing
from assay.report import MARK, Options, Report, Source, render_report
from assay.store import open_samples, read_run, replace_file_by, require_samples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.records import Benchmark, Manifest
    from assay.store import SampleFile, StoredRun


@Parameter(name="*")
@dataclass(frozen=True)
class Reporting:
    """What is read, how numbers are computed, and where the file goes."""

    output: Annotated[PathOrStream, Parameter(name=["--output", "-o"])] = "report.html"
    """The file to write, - for stdout. A report that is there already is replaced."""
    data: Annotated[tuple[str, ...], Parameter(consume_multiple=False, negative=(), show_default=False)] = ()
    """A problems' file, where the benchmark's name does not lead to it; several times for runs of several benchmarks."""
    samples: Annotated[tuple[str, ...], Parameter(consume_multiple=False, negative=(), show_default=False)] = ()
    """The sample file of a run, where it is no longer where it was judged; once for each run, in their order."""
    k: Annotated[str | None, Parameter(name="-k")] = None
    """The k of pass@k, such as 1,10,100. Otherwise those of 1, 10 and 100 that every problem has samples for."""
    missing: Missing | None = None
    """Problems without samples and samples without a verdict count as failed, or are left out. Otherwise they make a number null."""
    strict: Annotated[bool, Switch] = False
    """An invalid problem makes every number null."""
    overwrite: Annotated[bool, Switch] = False
    """Replace the file that --output names, whatever it is."""

    def options(self) -> Options:
        """The options of the report.

        Raises:
            SettingsError: `-k` is no list of positive whole numbers.
        """
        return Options(ks=None if self.k is None else read_ks(self.k), missing=self.missing, strict=self.strict)


USUAL_REPORT = Reporting()


def report_runs(run: str, /, *others: str, reporting: Reporting = USUAL_REPORT) -> int:
    """Write one HTML file about a run, or about several that are compared: numbers, figures, every problem with its samples.

    It needs no network, opens from disk and runs no code of anybody. Prompts and programs are read from the files that the run
    names; where these are gone, the report says so and shows the rest. Exit status 1 if some samples have no verdict.

    Args:
        run: The folder that assay judge -o RUN wrote.
        others: More runs, each held against the first.
        reporting: What is read, and where the file goes.
    """
    paths = (run, *others)
    options = reporting.options()
    _refuse_odd(paths, reporting)
    with contextlib.ExitStack() as stack:
        finder = Finder(reporting.data, alone=not others)
        sources = [
            finder.source(read_run(path), path, samples, stack)
            for path, samples in zip(paths, reporting.samples or (None,) * len(paths), strict=True)
        ]
        report = render_report(sources, time.strftime("%Y-%m-%d"), options)
    for source in sources:
        for note in (*source.run.notes, *source.gaps):
            say(f"{source.name}: {note}")
    _write(report.text, reporting.output)
    _tell(report, reporting.output)
    return 1 if report.unjudged else 0


def _refuse_odd(paths: Sequence[str], reporting: Reporting) -> None:
    """Does nothing where the report can be made and written.

    Raises:
        SettingsError: A run is named twice, --samples does not fit the runs, or --output must not be written.
    """
    twice = [path for i, path in enumerate(paths) if path in paths[:i]]
    if twice:
        raise SettingsError(f"{twice[0]} is named twice", hint="name two different runs")
    if reporting.samples and len(reporting.samples) != len(paths):
        message = f"--samples names {count_of(len(reporting.samples), 'file')} for {count_of(len(paths), 'run')}"
        raise SettingsError(message, hint="give it once for each run, in their order")
    if reporting.output != "-":
        require_free(
            Path(reporting.output),
            "--output",
            kind="report of assay",
            is_ours=_is_report,
            overwrite=reporting.overwrite,
        )


def _is_report(head: bytes) -> bool:
    return MARK.encode() in head


class Finder:
    """Finds what runs only name: their problems and samples. Problems of several runs of one benchmark are read once.

    Args:
        data: Files that the user names.
        alone: Whether there is one run, so that a file that does not fit it is a mistake.
    """

    def __init__(self, data: Sequence[str], *, alone: bool) -> None:
        self._data = data
        self._alone = alone
        self._read: dict[tuple[object, ...], tuple[Benchmark | None, str]] = {}

    def source(self, run: StoredRun, name: str, samples: str | None, stack: contextlib.ExitStack) -> Source:
        """A run with all that is at hand of what it names; what is not, is told in its gaps.

        Raises:
            DataError: The problems' file that the user names is no such file, or holds others.
            StoreError: The sample file that the user names holds others.
        """
        manifest = run.manifest
        key = (manifest.benchmark, manifest.benchmark_digest, manifest.split, manifest.limit)
        if key not in self._read:
            self._read[key] = self._problems(manifest)
        benchmark, gap = self._read[key]
        opened, other_gap = _samples(run, benchmark, samples, stack)
        return Source(name, run, benchmark, opened, tuple(filter(None, (gap, other_gap))))

    def _problems(self, manifest: Manifest) -> tuple[Benchmark | None, str]:
        for path in self._data:
            try:
                found = read_judged(manifest, path)
            except AssayError:
                if self._alone:
                    raise
                found = None
            if found is not None:
                return found, ""
        if self._data and self._alone:
            raise other_problems(manifest, self._data[0], "name the file that was judged")
        return _by_name(manifest)


def _by_name(manifest: Manifest) -> tuple[Benchmark | None, str]:
    """The problems to which the run's own words lead, or why they are not at hand."""
    try:
        found = read_own(manifest)
    except AssayError as error:
        return None, f"prompts and tests are not shown, the problems are not at hand: {error.message} (--data PATH)"
    if found is not None:
        return found, ""
    other = f"{manifest.benchmark} holds other problems now than those judged"
    return None, f"prompts and tests are not shown, since {other} (--data PATH)"


def _samples(
    run: StoredRun, benchmark: Benchmark | None, path: str | None, stack: contextlib.ExitStack
) -> tuple[SampleFile | None, str]:
    """The sample file of the run, or why it is not at hand.

    Raises:
        StoreError: The file that the user names holds others.
    """
    named = path or samples_file(run)
    if named == "-":
        return (
            None,
            "programs are not shown, since the samples came through a pipe (--samples PATH names a file that holds them)",
        )
    try:
        opened = stack.enter_context(open_samples(named, benchmark or known_ids(run.manifest), skip_bad_rows=True))
        require_samples(run, opened)
    except AssayError as error:
        if path is not None:
            raise
        return None, f"programs are not shown, the samples are not at hand: {error.message} (--samples PATH)"
    return opened, ""


def _write(text: str, output: str) -> None:
    if output == "-":
        sys.stdout.write(text)
    else:
        replace_file_by(Path(output), (text.encode("utf-8"),))


def _tell(report: Report, output: str) -> None:
    size = size_text(len(report.text.encode("utf-8")))
    told = f"{count_of(report.problems, 'problem')}, {count_of(report.samples, 'sample')}, {size}"
    say(f"{'stdout' if output == '-' else output}: {told}")
    if report.pages < report.problems:
        say(
            f"{report.pages:,} of {report.problems:,} problems have a page in it: with all of them it would be too large"
        )
