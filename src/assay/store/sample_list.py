"""Samples that are in memory already, held to the rules of a sample file: the way in for the Python API."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from assay.jsonrows import json_kind
from assay.order import natural_key
from assay.records import Mode, Sample
from assay.store.sample_rows import Answer, BadSample, ProblemIds, read_answer, to_sample
from assay.store.sample_survey import Survey

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assay.records import Benchmark


def from_samples(samples: Iterable[Sample | Mapping[str, Any]], benchmark: Benchmark) -> SampleList:
    """Samples that are in memory already: `Sample` records, or rows of the forms that `open_samples` reads.

    A record keeps its index; a row gets the next one of its problem.

    Raises:
        DataError: Rows are bad (all are listed, counted from 1), two samples have the same index, or no id is known.
    """
    survey = Survey(ProblemIds(benchmark))
    found: dict[str, dict[int, Sample]] = {}
    for number, given in enumerate(samples, 1):
        try:
            answer, sample = _from_memory(given, survey.ids, found)
        except ValueError as error:
            survey.refuse(number, error)
            continue
        survey.accept(number, answer)
        if survey.is_judged(answer.problem_id):
            found.setdefault(answer.problem_id, {})[sample.index] = sample
    ordered = {name: tuple(sorted(group.values(), key=lambda sample: sample.index)) for name, group in found.items()}
    survey.finish(_digest(ordered), rows=sum(map(len, ordered.values())))
    survey.require_usable("samples", skip_bad_rows=False, way_out="leave them out of the list")
    return SampleList(survey, ordered)


def _from_memory(given: object, ids: ProblemIds, found: dict[str, dict[int, Sample]]) -> tuple[Answer, Sample]:
    if isinstance(given, Sample):
        match = ids.match(given.problem_id, "problem_id")
        answer = Answer(match.problem_id, match.written, Mode(given.mode).value, ())
        sample = msgspec.structs.replace(given, problem_id=match.problem_id)
    elif isinstance(given, Mapping):
        answer = read_answer(given, ids)
        sample = to_sample(given, answer, len(found.get(answer.problem_id, ())))
    else:
        raise BadSample(f"neither a Sample nor a mapping but {json_kind(given)}")
    if sample.index in found.get(answer.problem_id, ()):
        raise BadSample(f"sample {sample.index} of {answer.problem_id!r} is given twice")
    return answer, sample


def _digest(samples: dict[str, tuple[Sample, ...]]) -> str:
    total = hashlib.sha256()
    for group in samples.values():
        for sample in group:
            # Not msgspec's encoder: it refuses lone surrogates, which a model's text may hold.
            total.update(json.dumps(msgspec.structs.asdict(sample), sort_keys=True, default=repr).encode("ascii"))
    return total.hexdigest()


class SampleList:
    """Checked samples in memory; see `Samples`."""

    def __init__(self, survey: Survey, samples: dict[str, tuple[Sample, ...]]) -> None:
        self.digest = survey.digest
        self.bad_rows = survey.bad_rows
        self.warnings = survey.warnings
        self.count = sum(map(len, samples.values()))
        self.missing = survey.missing(samples)
        self._samples = samples

    def problem_ids(self, *, natural: bool = False) -> tuple[str, ...]:
        """Ids of the problems that have samples, as they first appear, or in natural order."""
        return tuple(sorted(self._samples, key=natural_key)) if natural else tuple(self._samples)

    def indices(self, problem_id: str) -> tuple[int, ...]:
        """The indices of a problem's samples; empty where it has none."""
        return tuple(sample.index for sample in self._samples.get(problem_id, ()))

    def read(self, problem_id: str) -> Iterator[Sample]:
        """The samples of a problem by index."""
        return iter(self._samples.get(problem_id, ()))
