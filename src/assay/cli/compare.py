"""`assay compare`: runs over the same problems, held against each other, and a gate for CI."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from cyclopts import Parameter

from assay.cli.comparison_text import comparison_text, finding
from assay.cli.flags import Switch, read_ks
from assay.cli.terminal import put, put_json, say
from assay.counts import count_of
from assay.errors import SettingsError
from assay.metrics import Comparison, Kind, Missing, Question, Tally, compare_all
from assay.store import differences, read_results, read_run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from assay.records import Manifest, Verdict


@Parameter(name="*")
@dataclass(frozen=True)
class Comparing:
    """What is compared, and what is asked of it."""

    k: Annotated[str, Parameter(name="-k")] = "1"
    """The k of pass@k, or several, such as 1,10."""
    tests: Kind = "all"
    """Which tests decide."""
    missing: Missing | None = None
    """Problems without samples and samples without a verdict count as failed, or are left out. Otherwise problems that have such are left
    out whole, and named."""
    all_pairs: Annotated[bool, Switch] = False
    """Compare every run with every other one, not only with the first."""
    fail_if_worse: float | None = None
    """Exit status 1 if a run is shown to be worse than the first, and by more than this (0.01 is one point of a hundred), or can't be
    compared with it."""
    json: Annotated[bool, Switch] = False
    """Print one JSON object in place of tables."""

    def questions(self) -> tuple[Question, ...]:
        """One question for each k.

        Raises:
            SettingsError: `-k` is no list of positive whole numbers, or `--fail-if-worse` is outside 0 to 1.
        """
        if self.fail_if_worse is not None and not 0 <= self.fail_if_worse <= 1:
            hint = "0.01 is one point of a hundred"
            raise SettingsError(f"--fail-if-worse {self.fail_if_worse} is not between 0 and 1", hint=hint)
        return tuple(Question(k, self.tests, self.missing) for k in read_ks(self.k))


ONE_SAMPLE = Comparing()


class Contender(NamedTuple):
    """A run, by the name that it has in tables. A file of bare results has no manifest."""

    name: str
    tally: Tally
    manifest: Manifest | None

    @property
    def unjudged(self) -> int:
        """Samples that have no verdict."""
        return sum(counts.lacking for counts in self.tally.problems.values())


def compare_runs(first: str, second: str, /, *others: str, comparing: Comparing = ONE_SAMPLE) -> int:
    """Compare runs problem by problem: the difference with its interval, and whether chance explains it.

    Problems are paired by id; those that only one run has are left out and named. With one sample a problem the test is McNemar's exact
    one, otherwise a paired permutation test; over several comparisons p is corrected by Holm's method. Exit status 1 if the gate fails or
    some samples have no verdict.

    Args:
        first: The run that is the measure: a folder of `assay judge -o RUN`, or a JSONL file of rows with task_id and passed.
        second: The run that is held against it.
        others: More runs, each held against the first.
        comparing: What is compared.
    """
    questions = comparing.questions()
    contenders = _read((first, second, *others))
    notes = tuple(_notes(contenders))
    found = compare_all({each.name: each.tally for each in contenders}, questions, all_pairs=comparing.all_pairs)
    if all(not each.problems and not each.unjudged and not each.too_few for each in found):
        raise SettingsError(f"{first} and {second} have no problem in common", hint="are they runs of one benchmark?")
    for note in notes:
        say(note)
    if comparing.json:
        put_json(_as_json(contenders, found, notes))
    else:
        put(comparison_text([each.name for each in contenders], found))
    return _status(contenders, found, comparing.fail_if_worse)


def _read(paths: Sequence[str]) -> list[Contender]:
    """The runs; one that is named twice is refused, since it would be compared with itself under one name."""
    twice = [path for path, count in Counter(map(str.strip, paths)).items() if count > 1]
    if twice:
        raise SettingsError(f"{twice[0]} is named twice", hint="name two different runs")
    return [_read_one(path) for path in paths]


def _read_one(path: str) -> Contender:
    if Path(path).is_file():
        return Contender(path, _counted(Tally(), read_results(path)), None)
    run = read_run(path)
    for note in run.notes:
        say(f"{path}: {note}")
    return Contender(path, _counted(Tally.of_run(run.manifest), run.verdicts()), run.manifest)


def _counted(tally: Tally, verdicts: Iterable[Verdict]) -> Tally:
    for verdict in verdicts:
        tally.add(verdict)
    return tally


def _notes(contenders: Sequence[Contender]) -> Iterator[str]:
    """What makes a comparison less than like with like: other data, other conditions, samples without a verdict."""
    first = contenders[0]
    for each in contenders[1:]:
        if first.manifest is None or each.manifest is None:
            continue
        unlike = {item.name: item for item in differences(first.manifest, each.manifest)}
        if "benchmark_digest" in unlike:
            one, two = _data(first.manifest), _data(each.manifest)
            what = "only problems of the same id are compared, and their tests may differ"
            yield f"warning: {each.name} was judged on other data ({two}) than {first.name} ({one}): {what}"
        names = [
            name for name in unlike if name not in ("benchmark", "benchmark_version", "benchmark_digest", "problems")
        ]
        if names:
            yield f"warning: {each.name} was judged under other conditions than {first.name}: {', '.join(names)}"
    for each in contenders:
        if each.unjudged:
            yield f"warning: {each.name}: {count_of(each.unjudged, 'sample')} without a verdict"


def _data(manifest: Manifest) -> str:
    version = f" {manifest.benchmark_version}" if manifest.benchmark_version else ""
    return f"{manifest.benchmark}{version}, digest {manifest.benchmark_digest[:12]}"


def _as_json(contenders: Iterable[Contender], found: Sequence[Comparison], notes: Sequence[str]) -> dict[str, Any]:
    runs = [
        {
            "name": each.name,
            "benchmark": each.manifest and each.manifest.benchmark,
            "benchmark_version": each.manifest and each.manifest.benchmark_version,
            "benchmark_digest": each.manifest and each.manifest.benchmark_digest,
            "problems": len(each.tally.problems),
            "unjudged": each.unjudged,
        }
        for each in contenders
    ]
    return {"runs": runs, "comparisons": found, "notes": notes}


def _status(contenders: Iterable[Contender], found: Iterable[Comparison], margin: float | None) -> int:
    failed = False
    for each in found if margin is not None else ():
        if each.reason or each.is_worse_by(margin or 0.0):
            say(f"gate: {each.second} fails against {each.first} ({each.name}): {finding(each)}")
            failed = True
    return 1 if failed or any(each.unjudged for each in contenders) else 0
