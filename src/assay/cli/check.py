"""`assay check`: is the benchmark itself in order?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from assay.benchmarks import LimitsFile, limits_place, limits_text, review
from assay.cli.findings import Findings
from assay.cli.flags import ALL_PROBLEMS, USUAL_JUDGING, Judging, Selection, Switch
from assay.cli.progress import Progress
from assay.cli.terminal import put, put_json, say
from assay.counts import count_of
from assay.engine import Settings, check_references, fitting_limit_mib, fitting_limit_s
from assay.errors import SettingsError
from assay.limits import Range
from assay.records import Limits
from assay.store import replace_file_by

if TYPE_CHECKING:
    from pathlib import Path

    from assay.engine import ReferenceCheck
    from assay.records import Benchmark

TRIALS = Range(1, 100)
"""How often a reference may be tried under other seeds."""


def check_benchmark(
    benchmark: str,
    /,
    *,
    selection: Selection = ALL_PROBLEMS,
    judging: Judging = USUAL_JUDGING,
    trials: int = 2,
    written: Annotated[str | None, Parameter(name="--write-limits")] = None,
    json: Annotated[bool, Switch] = False,
) -> int:
    """Judge the benchmark's own references, and find what is wrong with its problems, tests and prompts.

    Exit status 1 if a reference fails or a problem is invalid; warnings and notes leave it at 0.

    Args:
        benchmark: A name of `assay list`, or the path of a problem file.
        selection: Which problems.
        judging: How they are judged.
        trials: Under how many seeds (of hashes and of `random`) each reference is judged; what passes only under some is flaky.
        written: Write a limits file here (or into this folder): for each reference that needs more than usual, four times the
            time that it takes and twice the memory. It replaces a limits file, and nothing else.
        json: Print one JSON object.
    """
    settings = judging.settings()
    _require_trials(trials)
    _require_whole(selection, written)
    problems = selection.read(benchmark, judging)
    place = None if written is None else limits_place(written, problems)
    checks = _judge_references(problems, settings, trials)
    findings = Findings(problems, checks, review(problems), trials)
    if place is not None:
        _write(place, problems, checks)
    if json:
        put_json(findings.as_json())
    else:
        put(findings.as_text())
    return 0 if findings.in_order else 1


def _require_trials(trials: int) -> None:
    if not TRIALS.holds(trials):
        raise SettingsError(f"--trials {trials} is out of range", hint=f"give {TRIALS}")


def _require_whole(selection: Selection, path: str | None) -> None:
    if path is not None and (selection.split, selection.limit) != (None, None):
        hint = "leave --split and --limit out: limits are bound to the whole data set, by its digest"
        raise SettingsError("--write-limits measures all problems of a data set", hint=hint)


def _judge_references(benchmark: Benchmark, settings: Settings, trials: int) -> tuple[ReferenceCheck, ...]:
    referred = [problem for problem in benchmark.problems if problem.reference is not None]
    say(f"judging {count_of(len(referred), 'reference')} ...")
    progress = Progress(len(referred), "references")
    try:
        return tuple(check_references(referred, settings, trials=trials, told=progress.count))
    finally:
        progress.finish()


def _write(place: Path, benchmark: Benchmark, checks: tuple[ReferenceCheck, ...]) -> None:
    declared = {problem.id: problem.limits for problem in benchmark.problems}
    limits = {check.id: found for check in checks if (found := _unusual(check, declared[check.id]))}
    file = LimitsFile(benchmark=benchmark.name, digest=benchmark.digest, limits=limits)
    replace_file_by(place, (limits_text(file),))
    say(f"{place}: limits of {count_of(len(limits), 'problem')}, the others have the usual {Limits().time_s:g} s")


def _unusual(check: ReferenceCheck, declared: Limits) -> dict[str, float | int]:
    """The limits that fit a reference and are other than usual."""
    time_s = fitting_limit_s(check.time_s, declared.time_s)
    memory_mib = fitting_limit_mib(check.peak_mib, declared.memory_mib)
    found: dict[str, float | int] = {"time_s": time_s} if time_s > Limits().time_s else {}
    return found | ({"memory_mib": memory_mib} if memory_mib > Limits().memory_mib else {})
