"""What callers give for a problem and for a sample, made into the records that are judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from assay.benchmarks import from_rows
from assay.errors import DataError, SettingsError
from assay.records import Benchmark, InvalidProblem, Mode, Problem, Sample
from assay.store import from_samples

if TYPE_CHECKING:
    from collections.abc import Sequence

AnyRecord = TypeVar("AnyRecord", Problem, Sample)

_ID_COLUMNS = ("problem_id", "task_id")


def read_problem(given: Problem | Mapping[str, Any]) -> Problem | InvalidProblem:
    """A problem, or what is wrong with it where its row is readable and can't be judged.

    Raises:
        DataError: The row is unusable, or a field of the record is.
        SettingsError: It is neither a record nor a row.
    """
    if isinstance(given, Problem):
        return sound(given)
    if not isinstance(given, Mapping):
        hint = "give a Problem (assay.load(name).problems has them) or its row as a dict"
        raise SettingsError(f"a problem is wanted, not {_told(given)}", hint=hint)
    read = from_rows([given])
    return read.problems[0] if read.problems else read.invalid[0]


def read_sample(given: str | Sample | Mapping[str, Any], problem: Problem, index: int) -> Sample:
    """A sample of the problem; a text is a solution. A record keeps its index.

    Raises:
        DataError: The row is unusable, or a field of the record is, or the sample belongs to another problem.
        SettingsError: It is neither a text nor a record nor a row.
    """
    match given:
        case str():
            return Sample(problem_id=problem.id, index=index, text=given, mode=Mode.SOLUTION)
        case Sample():
            own = sound(given)
            sample: Sequence[Sample] = (own,) if own.problem_id == problem.id else ()
        case Mapping():
            row = (
                given
                if any(given.get(name) is not None for name in _ID_COLUMNS)
                else {**given, "problem_id": problem.id}
            )
            alone = Benchmark(name="problem", version=None, digest="", problems=(problem,))
            sample = tuple(from_samples([row], alone).read(problem.id))
        case _:
            raise SettingsError(
                f"a sample is wanted, not {_told(given)}", hint="give its code, a Sample, or its row as a dict"
            )
    if not sample:
        raise DataError(f"the sample is of another problem than {problem.id}", hint="give each sample with its problem")
    return sample[0] if isinstance(given, Sample) else msgspec.structs.replace(sample[0], index=index)


def sound(given: AnyRecord) -> AnyRecord:
    """The record with fields that hold what they say. Who makes one in Python may put anything there: what a row may hold too, such as a
    list or a mode's name, is taken as it would be there.

    Raises:
        DataError: A field holds something else; the message says which.
    """
    kind = type(given)
    try:
        if kind is Problem:
            msgspec.json.encode(given)  # its text is digested; a sample's may be anything that Python takes for a text
        return msgspec.convert(msgspec.to_builtins(given), kind)
    except (TypeError, UnicodeEncodeError, msgspec.ValidationError) as error:
        hint = f"help(assay.{kind.__name__}) tells what its fields hold"
        raise DataError(f"the {kind.__name__.lower()} can't be read: {error}", hint=hint) from None


def _told(given: object) -> str:
    return f"the name {given!r}" if isinstance(given, str) else type(given).__name__
