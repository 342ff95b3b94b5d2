"""What the checking pass over samples learns: the bad rows, and what a user should know although it stops nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from assay.counts import count_of
from assay.errors import BadRow, DataError
from assay.order import natural_key
from assay.store.sample_rows import UnknownProblem, shown

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from assay.store.sample_rows import Answer, ProblemIds

_LISTED = 1000
"""Bad rows that are kept and listed. A file with more has one fault in all its rows."""

_NUMBERED = "mbpp and mbpp:sanitized"
_FORMS = {
    r"HumanEval/\d+": "humaneval and humanevalplus",
    r"Mbpp/\d+": "mbppplus",
    r"BigCodeBench/\d+": "BigCodeBench",
    r"ClassEval_\d+": "ClassEval",
    r"\d+": _NUMBERED,
}
"""How the ids of published sets look."""

_STRANGERS_LISTED = 3
_STRANGERS = 0.9
"""Where at least such a share of the rows names unknown problems, the file is of another benchmark."""

_NOTES = {
    "number": "name their problem by a number, others by text (both forms were matched)",
    "prefix": "name their problem with a prefix (it was dropped, as this benchmark allows)",
    "passed over": "with more than one text (solution wins over completion over text)",
    "deselected": "for problems that the split or limit leaves out (they are not judged)",
    "invalid": "for invalid problems (they are not judged)",
    "skipped": "bad and skipped",
}


Place = int | str
"""Where a row stands: a line, counted from 1, or the name of a place in a file that has no lines."""


class _Note(NamedTuple):
    """How many rows there is something to say about, and where the first of them stands."""

    rows: int
    first: Place


class Survey:
    """Collects what is found row by row; `finish` ends it."""

    def __init__(self, ids: ProblemIds) -> None:
        self.ids = ids
        self.digest = ""
        self.bad_count = 0
        self._bad: list[BadRow] = []
        self._notes: dict[str, _Note] = {}
        self._judged = frozenset(ids.problems)
        self._rows = 0
        self._texts = 0
        self._known_ids = 0
        self._unknown: dict[str, str | None] = {}
        self._unknown_rows = 0

    @property
    def bad_rows(self) -> tuple[BadRow, ...]:
        """The bad rows, at most a thousand of them, in the order of the file."""
        return tuple(self._bad)

    @property
    def warnings(self) -> tuple[str, ...]:
        """One sentence for each thing worth knowing."""
        notes = [_sentence(kind, self._notes[kind]) for kind in _NOTES if self._is_worth_saying(kind)]
        return tuple(notes if self._rows else [*notes, "there are no samples of the problems to be judged"])

    def is_judged(self, problem_id: str) -> bool:
        """Whether the problem is neither invalid nor left out by a split or limit."""
        return problem_id in self._judged

    def accept(self, place: Place, answer: Answer) -> None:
        """Counts a good row and what is particular about it."""
        self._known_ids += 1
        if answer.written is not None:
            self._note(answer.written, place)
        if answer.written is None and answer.problem_id.isdecimal():
            self._texts += 1
        if answer.passed_over:
            self._note("passed over", place)
        if not self.is_judged(answer.problem_id):
            self._note("invalid" if answer.problem_id in self.ids.invalid else "deselected", place)

    def refuse(self, place: Place, error: ValueError, prefix: str = "") -> None:
        """Counts a bad row; `prefix` goes before the reason."""
        self.bad_count += 1
        self._note("skipped", place)
        if len(self._bad) < _LISTED:
            self._bad.append(_bad_row(place, f"{prefix}{error}"))
        self._unknown_rows += isinstance(error, UnknownProblem)
        if isinstance(error, UnknownProblem) and len(self._unknown) < _LISTED:
            self._unknown.setdefault(shown(error.value), error.meant)

    def finish(self, digest: str, *, rows: int) -> None:
        """Ends the pass: the digest of what was read, and how many rows are kept."""
        self.digest = digest
        self._rows = rows

    def missing(self, found: Container[str]) -> tuple[str, ...]:
        """Ids of the problems that are not in `found`, in natural order."""
        return tuple(sorted((name for name in self.ids.problems if name not in found), key=natural_key))

    def require_usable(self, path: str, *, skip_bad_rows: bool, way_out: str = "--skip-bad-rows") -> None:
        """Stops here where the samples can't be used; `way_out` is how to go on without bad rows.

        Raises:
            DataError: Rows are bad and not to be skipped, or the file names problems and none of them is known.
        """
        if (stranger := self._stranger()) is not None and not (skip_bad_rows and self._known_ids):
            hint = "is this the right benchmark?" + (f" {way_out} goes on without them" if self._known_ids else "")
            raise DataError(stranger, path=path, rows=self.bad_rows[:_STRANGERS_LISTED], hint=hint)
        if self.bad_count and not skip_bad_rows:
            others = f"correct these rows, or go on without them: {way_out}"
            hint = others if self._known_ids else "no row can be used: docs/samples.md says which fields a row has"
            raise DataError(self._complaint(), path=path, rows=self.bad_rows, hint=hint)

    def _stranger(self) -> str | None:
        if not self._unknown or self._unknown_rows < _STRANGERS * (self._known_ids + self._unknown_rows):
            return None
        told = (
            f"{self._unknown_rows:,} of {count_of(self._known_ids + self._unknown_rows, 'row')} have unknown ids"
            if self._known_ids
            else f"{len(self._unknown)} of {len(self._unknown)} ids unknown"
        )
        likely, own = _form(self._unknown), _form(self.ids.problems)
        meant = next(filter(None, self._unknown.values()), None)
        # Plain numbers that each fit an id of these problems have rather lost its prefix.
        if likely not in (None, own) and not (likely == _NUMBERED and all(self._unknown.values())):
            return f"{told}; they look like those of {likely}"
        return f"{told}; " + (f"did you mean {meant}?" if meant else f"the first is {next(iter(self._unknown))}")

    def _complaint(self) -> str:
        more = self.bad_count - len(self._bad)
        return f"{count_of(self.bad_count, 'row')} can't be used" + (
            f", the first {len(self._bad)} are listed" if more else ""
        )

    def _note(self, kind: str, place: Place) -> None:
        note = self._notes.setdefault(kind, _Note(0, place))
        self._notes[kind] = note._replace(rows=note.rows + 1)

    def _is_worth_saying(self, kind: str) -> bool:
        # Numbers alone are the publisher's own form; a file that mixes them with texts has two sources.
        return kind in self._notes and (kind != "number" or self._texts > 0)


def _form(ids: Iterable[str]) -> str | None:
    """The published sets whose ids look like the first of these."""
    first = next(iter(ids), "").strip("'\"")
    return next((names for form, names in _FORMS.items() if re.fullmatch(form, first, re.ASCII)), None)


def _bad_row(place: Place, reason: str) -> BadRow:
    return BadRow(place, reason) if isinstance(place, int) else BadRow(0, reason, where=place)


def _sentence(kind: str, note: _Note) -> str:
    first = f"line {note.first}" if isinstance(note.first, int) else note.first
    return f"{count_of(note.rows, 'row')} {_NOTES[kind]}, first in {first}"
