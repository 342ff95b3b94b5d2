"""Models that answer from what is there already: references, and samples that were written before. They need no network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from assay.counts import count_of
from assay.errors import ModelError, SettingsError
from assay.models.asking import Answer, Reply
from assay.records import Mode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.models.asking import Question
    from assay.models.catalogue import ModelSettings
    from assay.records import Problem, Sample

FINISHED = "stop"
"""The finish reason of an answer that is whole."""


def reference_of(problem: Problem) -> str:
    """The problem's reference.

    Raises:
        ModelError: It has none.
    """
    if problem.reference is None:
        raise ModelError(f"problem {problem.id} has no reference")
    return problem.reference


class References:
    """Answers with the reference; see `Model`."""

    label = "reference"
    server: str | None = None
    needs_prompt = False

    def __init__(self, name: str, _: ModelSettings) -> None:
        if name:
            raise SettingsError(f"the model 'reference' takes no name, and got {name!r}", hint="write reference")

    async def ask(self, question: Question) -> Reply:
        """The reference, once for each draw.

        Raises:
            ModelError: The problem has none.
        """
        answer = Answer(text=reference_of(question.problem), mode=Mode.SOLUTION, finish_reason=FINISHED)
        return Reply(answers=(answer,) * len(question.draws))

    async def close(self) -> None:
        """Holds nothing."""


class Recorded(Protocol):
    """Samples by problem, as `assay.store` reads them from a file."""

    def read(self, problem_id: str) -> Iterator[Sample]:
        """The samples of a problem by index."""


class Replay:
    """Answers with samples that a file holds, draw by draw; see `Model`.

    Where rows carry the temperature at which they were drawn (`temperature`), a run at one temperature gets those of it only.

    Args:
        name: The file, as the user names it.
        samples: What it holds.
        temperature: That of the run; None takes all rows.
    """

    server: str | None = None
    needs_prompt = False

    def __init__(self, name: str, samples: Recorded, temperature: float | None = None) -> None:
        self.label = f"replay:{name}"
        self._samples = samples
        self._temperature = temperature
        self._last: tuple[str, list[Sample]] = ("", [])

    async def ask(self, question: Question) -> Reply:
        """The samples with the draws' numbers, as far as there are such.

        Raises:
            ModelError: There is none of them.
        """
        rows = self._rows(question.problem.id)
        answers = [_again(rows[draw]) for draw in question.draws if draw < len(rows)]
        if not answers:
            at = "" if self._temperature is None else f" at temperature {self._temperature:g}"
            first = question.draws[0] + 1
            raise ModelError(
                f"the file has {count_of(len(rows), 'sample')} of problem {question.problem.id}{at}, and {first} are wanted"
            )
        return Reply(answers=tuple(answers))

    def _rows(self, problem_id: str) -> list[Sample]:
        """The rows of a problem; those of the last one are kept, since its draws may be asked for one by one."""
        if self._last[0] != problem_id:
            self._last = problem_id, [row for row in self._samples.read(problem_id) if self._is_of_run(row)]
        return self._last[1]

    def _is_of_run(self, row: Sample) -> bool:
        drawn = row.extra.get("temperature")
        return self._temperature is None or drawn is None or drawn == self._temperature

    async def close(self) -> None:
        """Holds nothing of its own."""


def _again(row: Sample) -> Answer:
    carried = {"prompt_digest": row.prompt_digest, "tokens_in": row.tokens_in, **row.extra}
    wrote = {} if row.model is None else {"written_by": row.model}
    return Answer(
        text=row.text, mode=row.mode, finish_reason=row.finish_reason, tokens_out=row.tokens_out, fields=carried | wrote
    )
