"""The way in: a name, a path or rows become a `Benchmark`, or one error that lists every unusable row."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from assay.benchmarks.catalogue import NAMED, NamedSet, few_shot_among
from assay.benchmarks.categories import with_category
from assay.benchmarks.fields import UnusableRow
from assay.benchmarks.hub import HUB, read_hub
from assay.benchmarks.languages import require_python
from assay.benchmarks.limit_files import limits_file_for, with_limits
from assay.benchmarks.own import OWN
from assay.benchmarks.published import PUBLISHED
from assay.benchmarks.rowfiles import NumberedRow, read_rows
from assay.benchmarks.shapes import Shape, digest_of_rows
from assay.errors import BadRow, DataError, SettingsError, did_you_mean
from assay.jsonrows import json_kind
from assay.order import natural_key
from assay.records import Benchmark, InvalidProblem, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHAPES = (OWN, *PUBLISHED)
_HINT = "columns of mbpp, mbpp:sanitized, humaneval, EvalPlus's release files, BigCodeBench, ClassEval or assay's own form are read"


def load(name: str, *, data: str | None = None, split: str | None = None, limits: str | None = None) -> Benchmark:
    """Reads a benchmark; problems of published sets get a category as their tag (see `categories`).

    Args:
        name: A name of `catalogue()`, or the path of a file of problems (`.jsonl`, `.jsonl.gz` or a `.json` array) in
            assay's own form or in the published columns of MBPP, MBPP sanitized, HumanEval, EvalPlus, BigCodeBench or ClassEval.
        data: The published file of a named benchmark. Without it, what assay doesn't ship comes from the Hugging Face hub:
            from its cache, else from the network (extra `hub`).
        split: Keep the problems of this split only.
        limits: A limits file, in place of the one that is shipped for this data (see `limit_files`).

    Raises:
        SettingsError: The name or split is unknown, the file can't be opened, `data` is out of place, or the hub's copy is out of
            reach.
        DataError: Rows of the file are unusable; all are listed. Or the limits file is none, or was made for other data.

    >>> load("mbp")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    assay.errors.SettingsError: there is no benchmark and no file 'mbp'
    hint: did you mean 'mbpp'? known are basics, humaneval, ...
    """
    named = NAMED.get(name)
    benchmark = _load_path(name, data, limits) if named is None else _load_named(named, data, limits)
    return benchmark if split is None else select(benchmark, split=split)


def from_rows(rows: Iterable[Mapping[str, Any]]) -> Benchmark:
    """A benchmark from rows in memory, in published columns or assay's own form.

    A `datasets.Dataset` is such an iterable. The name is `rows`; the digest is that of a file with the same rows.

    Raises:
        DataError: Rows are unusable; all are listed, counted from 1.

    >>> row = {"id": "a", "prompt": "Double n.", "reference": "def f(n): return 2 * n", "tests": ["assert f(2) == 4"]}
    >>> from_rows([row]).problems[0].entry_point
    'f'
    """
    given: list[NumberedRow] = []
    bad: list[BadRow] = []
    for number, row in enumerate(rows, 1):
        if isinstance(row, Mapping):
            given.append(NumberedRow(number, dict(row)))
        else:
            bad.append(BadRow(number, f"not an object but {json_kind(row)}"))
    return _read(given, bad, _Source("rows", None, _shape_of(given, None) or OWN))


def select(benchmark: Benchmark, *, split: str | None = None, limit: int | None = None) -> Benchmark:
    """The benchmark narrowed to a split, then to its first `limit` problems; digest and name stay those of the whole.

    Raises:
        SettingsError: No problem has that split, or the limit is below 1.
    """
    if limit is not None and limit < 1:
        raise SettingsError(f"a limit of {limit} problems leaves none", hint="give a number from 1")
    kept = [problem for problem in benchmark.problems if split in (None, problem.split)]
    invalid = tuple(problem for problem in benchmark.invalid if split in (None, problem.split))
    if split is not None and not kept and not invalid:
        raise _unknown_split(benchmark, split)
    problems = tuple(kept[:limit])
    known = {problem.id for problem in problems} | {problem.id for problem in invalid}
    left_out = (problem.id for problem in _all_of(benchmark) if problem.id not in known)
    in_split = {problem.id for problem in kept} | {problem.id for problem in invalid}
    return Benchmark(
        name=benchmark.name,
        version=benchmark.version,
        digest=benchmark.digest,
        problems=problems,
        invalid=invalid,
        id_prefixes=benchmark.id_prefixes,
        deselected=(*benchmark.deselected, *left_out),
        few_shot=benchmark.few_shot,
        note=benchmark.note,
        order=benchmark.order if split is None else tuple(id_ for id_ in benchmark.order if id_ in in_split),
    )


def _unknown_split(benchmark: Benchmark, split: str) -> SettingsError:
    splits = {problem.split for problem in _all_of(benchmark)} - {None}
    known = sorted(filter(None, splits), key=natural_key)
    hint = f"its splits are {', '.join(known)}" if known else "it has no splits: leave the split out"
    return SettingsError(f"{benchmark.name} has no split {split!r}", hint=hint)


def _all_of(benchmark: Benchmark) -> list[Problem | InvalidProblem]:
    return [*benchmark.problems, *benchmark.invalid]


class _Source(NamedTuple):
    """Where rows come from: the benchmark's name, the file, their form, what the catalogue says of them, and the user's limits file."""

    name: str
    path: str | None
    shape: Shape
    named: NamedSet | None = None
    limits: str | None = None


def _load_named(named: NamedSet, data: str | None, limits: str | None) -> Benchmark:
    path = data or named.embedded
    if path is None:
        return _load_hub(named, limits)
    rows, bad = read_rows(path)
    return _read(rows, bad, _Source(named.name, path, _shape_of_named(rows, path, named), named, limits))


def _load_hub(named: NamedSet, limits: str | None) -> Benchmark:
    way_out = f"give the published file: --data PATH ({named.published}), in the API data=PATH"
    if named.name not in HUB:
        raise SettingsError(f"the problems of {named.name} are not shipped with assay", hint=way_out)
    rows, where = read_hub(named.name, way_out=way_out)
    return _read(rows, [], _Source(named.name, where, _shape_of_named(rows, where, named), named, limits))


def _shape_of_named(rows: list[NumberedRow], where: str, named: NamedSet) -> Shape:
    shape = _shape_of(rows, where) or named.shape
    if shape not in (named.shape, *named.other_shapes):
        hint = f"expected are the columns {', '.join(sorted(named.shape.columns))}"
        raise DataError(f"this is no file of {named.name}: its rows are those of {shape.name}", path=where, hint=hint)
    return shape


def _load_path(path: str, data: str | None, limits: str | None) -> Benchmark:
    if not Path(path).exists():
        meant = did_you_mean(path, NAMED)
        known = f"known are {', '.join(sorted(NAMED))}"
        hint = f"did you mean {meant!r}? {known}" if meant else f"{known}; or give the path of a problem file"
        raise SettingsError(f"there is no benchmark and no file {path!r}", hint=hint)
    if data is not None:
        raise SettingsError(f"{path!r} is a file already, and data={data!r} names a second one", hint="leave data out")
    rows, bad = read_rows(path)
    return _read(rows, bad, _Source(Path(path).name, path, _shape_of(rows, path) or OWN, limits=limits))


def _shape_of(rows: list[NumberedRow], path: str | None) -> Shape | None:
    """The form of the first row that has one; every other row is then held to it. None for no rows."""
    require_python(rows, path)
    for numbered in rows:
        for shape in _SHAPES:
            if shape.fits(numbered.row):
                return shape
    if not rows:
        return None
    line, row = rows[0]
    columns = ", ".join(sorted(map(str, row)))
    raise DataError(f"the columns of no known form: {columns}", path=path, line=line, hint=_HINT)


def _read(rows: list[NumberedRow], bad: list[BadRow], source: _Source) -> Benchmark:
    problems: list[Problem] = []
    invalid: list[InvalidProblem] = []
    first_lines: dict[str, int] = {}
    for line, row in rows:
        try:
            problem = source.shape.read(row)
            if (first := first_lines.setdefault(problem.id, line)) != line:
                raise UnusableRow(f"the id {problem.id!r} is already used in line {first}")
        except UnusableRow as error:
            bad.append(BadRow(line, str(error)))
            continue
        if isinstance(problem, InvalidProblem):
            invalid.append(problem)
        else:
            problems.append(problem)
    _refuse_bad(bad, len(rows), source)
    found = _benchmark(problems, invalid, digest_of_rows(source.shape, (row for _, row in rows)), source)
    order = tuple(first_lines)
    return msgspec.structs.replace(
        found, order=order, problems=_under_limits(found, zip(order, rows, strict=True), source)
    )


def _under_limits(found: Benchmark, rows: Iterable[tuple[str, NumberedRow]], source: _Source) -> tuple[Problem, ...]:
    """The problems under the limits of the data set's file, where there is one; what a row declares itself stays."""
    file = limits_file_for(source.name, found.digest, source.limits)
    if file is None:
        return found.problems
    declared = {id_: (numbered.row.get("limits") or {}) if source.shape is OWN else {} for id_, numbered in rows}
    return tuple(with_limits(found.problems, file, declared, source.limits))


def _refuse_bad(bad: list[BadRow], rows: int, source: _Source) -> None:
    where = source.path or source.name
    if bad:
        bad.sort(key=lambda row: row.line)
        message = f"{len(bad)} of the rows can't be used (form: {source.shape.name})"
        raise DataError(message, path=where, rows=tuple(bad), hint="correct these rows; nothing was run")
    if rows == 0:
        raise DataError("holds no problems", path=where, hint="one JSON object a line is expected")


def _benchmark(problems: list[Problem], invalid: list[InvalidProblem], digest: str, source: _Source) -> Benchmark:
    named = source.named
    if named is not None:
        problems = [named.with_split(problem) for problem in problems]
    if source.shape is not OWN:  # an author of our own form gives the tags that he wants
        problems = [with_category(problem) for problem in problems]
    version = (None if named is None else named.version) or source.shape.releases.get(digest)
    return Benchmark(
        name=source.name,
        version=version,
        digest=digest,
        problems=tuple(problems),
        invalid=tuple(invalid),
        id_prefixes=() if named is None else named.id_prefixes,
        few_shot=few_shot_among((problem.id for problem in problems), source.shape),
        note=_note(source.shape, version, len(problems) + len(invalid)),
    )


def _note(shape: Shape, version: str | None, problems: int) -> str:
    if version is not None or not shape.releases:
        return ""
    these = "this 1 problem is" if problems == 1 else f"these {problems:,} problems are"
    return (
        f"{these} no release of {shape.name} that assay knows: compare them with no other; "
        f"known are {', '.join(sorted(shape.releases.values(), key=natural_key))}"
    )
