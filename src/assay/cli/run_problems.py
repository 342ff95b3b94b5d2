"""The problems of a run, which its folder does not hold, and its samples with their verdicts.

Keeps true: where the user names no file, those that the run itself names are looked for, whatever folder is the current one; problems
that the run was not judged with are never taken for its own, since their digest is another.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from assay.benchmarks import load, select
from assay.benchmarks.catalogue import NAMED
from assay.errors import AssayError, DataError, SettingsError
from assay.metrics import Compared
from assay.programs import assemble
from assay.records import Benchmark, Problem
from assay.store import JudgedSamples, open_samples, require_samples

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assay.records import Manifest
    from assay.store import StoredRun


def problems_of(manifest: Manifest, data: str | None, what: str) -> Benchmark:
    """The problems that a run was judged with.

    Args:
        manifest: The run's.
        data: The problems' file, where the benchmark's name does not lead to it.
        what: What they are wanted for, in words.

    Raises:
        SettingsError: They are not at hand.
        DataError: The file holds other problems.
    """
    try:
        judged = read_own(manifest) if data is None else read_judged(manifest, data)
    except AssayError as error:
        if data is not None:
            raise
        told = f"a run does not hold {what}, and the problems of {manifest.benchmark} are not at hand: {error.message}"
        raise SettingsError(told, hint="name the file of its problems: --data PATH") from None
    if judged is None:
        raise other_problems(manifest, data, "name the file that was judged")
    return judged


def read_own(manifest: Manifest) -> Benchmark | None:
    """The problems to which the run's own words lead: the file that it was judged with, else the benchmark's name; None if to others.

    Raises:
        SettingsError: The file is not there any more, and the name leads to none.
        DataError: What is there holds no problems.
    """
    for path in filter(None, (manifest.data_path, manifest.data)):
        if Path(path).is_file():
            with contextlib.suppress(AssayError):  # it may have been written anew since, with anything
                if (found := read_judged(manifest, path)) is not None:
                    return found
    by_name = manifest.benchmark in NAMED
    try:
        return read_judged(manifest, None if by_name else manifest.data_path or manifest.benchmark)
    except AssayError as error:
        if not by_name or manifest.data_path is None:
            raise
        there = "holds others now" if Path(manifest.data_path).exists() else "is not there any more"
        raise SettingsError(f"{manifest.data_path}, that was judged, {there}; {error.message}") from None


def read_judged(manifest: Manifest, data: str | None) -> Benchmark | None:
    """The problems that a run was judged with, out of a file or by the benchmark's name; None if these lead to others.

    Raises:
        SettingsError: The file can't be read, or none is named and the benchmark's name leads to none.
        DataError: The file does not hold problems.
    """
    whole = load(manifest.benchmark, data=data) if manifest.benchmark in NAMED else load(str(data))
    if whole.digest != manifest.benchmark_digest:
        return None
    return select(whole, split=manifest.split, limit=manifest.limit)


def other_problems(manifest: Manifest, data: str | None, hint: str) -> DataError:
    """The error that a file holds other problems than those of a run."""
    return DataError(f"not the problems that the run was judged with ({manifest.benchmark})", path=data, hint=hint)


def known_ids(manifest: Manifest) -> Benchmark:
    """A run's problems as far as it knows them itself: by their ids."""
    named = NAMED.get(manifest.benchmark)
    return Benchmark(
        name=manifest.benchmark,
        version=manifest.benchmark_version,
        digest=manifest.benchmark_digest,
        problems=tuple(Problem(id=name, prompt="", tests=()) for name in manifest.expected),
        invalid=tuple(problem for problem in manifest.invalid if problem.id not in manifest.expected),
        id_prefixes=() if named is None else named.id_prefixes,
    )


def only_split(manifest: Manifest) -> str | None:
    """The one split that all problems with samples are of, where none was chosen and other problems are of other ones; else None.

    It is told by ids, or out of the problems' file: nothing is asked of a network.
    """
    if manifest.split is not None:
        return None
    named, splits = NAMED.get(manifest.benchmark), {}
    if named is not None:
        problems: Iterable[Problem] = (Problem(id=id_, prompt="", tests=()) for id_ in manifest.expected)
        splits = {problem.id: named.with_split(problem).split for problem in problems}
    else:
        with contextlib.suppress(AssayError):
            found = read_own(manifest)
            splits = {} if found is None else {problem.id: problem.split for problem in found.problems}
    answered = {splits.get(id_) for id_, count in manifest.expected.items() if count}
    return answered.pop() if len(answered) == 1 and len(set(splits.values())) > 1 else None


def samples_file(run: StoredRun) -> str:
    """Where the samples of a run lie: where they were judged, seen from anywhere, from here or from the run's folder; `-` for a pipe."""
    manifest = run.manifest
    if manifest.samples == "-":
        return "-"
    folder = run.folder.resolve()
    moved = (folder.parent / manifest.samples, folder / Path(manifest.samples).name)
    places = (manifest.samples_path, manifest.samples, *map(str, moved))
    return next((path for path in places if path is not None and Path(path).exists()), manifest.samples)


def compared_samples(run: StoredRun, benchmark: Benchmark) -> Iterator[Compared]:
    """The programs of a run beside their references; samples without a verdict or a reference are left out.

    Raises:
        SettingsError: The sample file is not where it was.
        DataError: It is not the one that was judged.
    """
    path = samples_file(run)
    if path == "-":
        raise SettingsError("the samples came through a pipe", hint="judge them out of a file to compare their texts")
    problems = {problem.id: problem for problem in benchmark.problems}
    with open_samples(path, benchmark, skip_bad_rows=True) as samples:
        require_samples(run, samples)
        for sample, verdict, *_ in JudgedSamples(run, samples):
            problem = problems[sample.problem_id]
            if problem.reference is not None:
                source = assemble(problem, sample).source
                yield Compared(problem.id, source, problem.reference, verdict.score, verdict.passed)
