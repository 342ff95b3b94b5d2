"""`assay extract`: what code is taken out of answers, seen before anything is judged."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from cyclopts import Parameter

from assay.cli.flags import ALL_PROBLEMS, PathOrStream, Selection, Switch
from assay.cli.side_by_side import side_by_side
from assay.cli.table import draw_table
from assay.cli.terminal import put, put_json, say
from assay.counts import count_of
from assay.errors import BadRow, DataError, SettingsError
from assay.jsonrows import decode_row
from assay.programs import assemble, begins_code
from assay.records import Problem
from assay.store import open_samples
from assay.store.sample_rows import ID_FIELDS, TEXT_FIELDS, Answer, to_sample
from assay.store.sample_source import Lines, open_source
from assay.visible import on_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assay.records import Benchmark, Program, Sample

_UNREAD_LISTED = 20


class _Extracted(NamedTuple):
    """A sample and what was made of it."""

    sample: Sample
    program: Program

    def as_json(self) -> dict[str, Any]:
        """The sample's row in `--json`."""
        sample, program = self
        return {
            "problem_id": sample.problem_id,
            "index": sample.index,
            "mode": sample.mode,
            "how_extracted": program.how_extracted,
            "reason": program.no_code,
            "text": sample.text,
            "code": None if program.no_code is not None else program.source,
        }


@Parameter(name="*")
@dataclass(frozen=True)
class Showing:
    """Which samples are shown."""

    how: str | None = None
    """Only samples whose way holds this word, such as lines, whole, none or reasoning."""
    show: int = 10
    """Show so many samples side by side; 0 shows none, only the counts."""
    json: Annotated[bool, Switch] = False
    """Print one JSON object, with the text and code of every sample in question."""


USUAL_SHOWING = Showing()
"""What holds where no flag of this kind is given."""


def extract_samples(
    samples: PathOrStream,
    /,
    *,
    benchmark: str | None = None,
    selection: Selection = ALL_PROBLEMS,
    showing: Showing = USUAL_SHOWING,
) -> None:
    """Show the code that is taken out of samples beside their text, how it was found, and which samples hold none.

    Nothing is run. With a benchmark, entry points and prompts of its problems are known, as when samples are judged; without, only
    what a row says itself (its fields `entry_point` and `prompt`).

    Args:
        samples: The sample file, gzipped or not; `-` is standard input. Other projects' forms are read where a benchmark is named.
        benchmark: A name of `assay list`, or the path of a problem file.
        selection: Which problems.
        showing: Which samples are shown.
    """
    if showing.show < 0:
        raise SettingsError(f"--show {showing.show} is no number of samples", hint="give a number from 0")
    pairs = _alone(samples) if benchmark is None else _of_benchmark(samples, selection.read(benchmark))
    ways: Counter[str] = Counter()
    unread: list[_Extracted] = []
    chosen: list[_Extracted] = []
    for problem, sample in pairs:
        found = _Extracted(sample, assemble(problem, sample))
        ways[found.program.how_extracted] += 1
        if found.program.no_code is not None:
            unread.append(found)
        if _is_chosen(found, showing) and (showing.json or len(chosen) < showing.show):
            chosen.append(found)
    _require_way(showing.how, ways)
    if showing.json:
        put_json(_as_json(ways, unread, chosen))
    else:
        put(_as_text(ways, unread, chosen))


def _require_way(how: str | None, ways: Counter[str]) -> None:
    """A misspelt way must not look like one that no sample was found by."""
    if how is not None and ways and not any(how in way for way in ways):
        raise SettingsError(f"--how {how}: no sample was found by that", hint=f"there are: {', '.join(sorted(ways))}")


def _is_chosen(found: _Extracted, showing: Showing) -> bool:
    return showing.how is None or showing.how in found.program.how_extracted


def _of_benchmark(path: str, benchmark: Benchmark) -> Iterator[tuple[Problem, Sample]]:
    problems = {problem.id: problem for problem in benchmark.problems}
    with open_samples(path, benchmark) as samples:
        for warning in samples.warnings:
            say(f"warning: {warning}")
        for id_ in samples.problem_ids(natural=True):
            yield from ((problems[id_], sample) for sample in samples.read(id_))


def _alone(path: str) -> Iterator[tuple[Problem, Sample]]:
    """The samples of a file whose problems are not at hand, each with what its row says of its problem."""
    seen: Counter[str] = Counter()
    with open_source(path) as handle:
        for line in Lines(handle, path):
            try:
                row = decode_row(line.data)
                answer = _answer_of(row, line.number)
            except ValueError as error:
                bad = (BadRow(line.number, str(error)),)
                hint = "correct it; other projects' forms are read where a benchmark is named: --benchmark NAME"
                raise DataError("a row can't be used", path=path, rows=bad, hint=hint) from None
            yield _problem_of(row, answer.problem_id), to_sample(row, answer, seen[answer.problem_id])
            seen[answer.problem_id] += 1


def _answer_of(row: Mapping[str, Any], number: int) -> Answer:
    fields = [field for field in TEXT_FIELDS if isinstance(row.get(field), str)]
    if not fields:
        raise ValueError(f"the text is missing: none of {', '.join(map(repr, TEXT_FIELDS))} is given as a text")
    named = next((str(row[field]) for field in ID_FIELDS if row.get(field) is not None), f"line {number}")
    return Answer(named, None, fields[0], tuple(fields[1:]))


def _problem_of(row: Mapping[str, Any], id_: str) -> Problem:
    entry_point, prompt = row.get("entry_point"), row.get("prompt")
    prompt = prompt if isinstance(prompt, str) else ""
    return Problem(
        id=id_,
        prompt=prompt,
        tests=(),
        entry_point=entry_point if isinstance(entry_point, str) and entry_point else None,
        prompt_is_code=begins_code(prompt),
    )


def _as_json(ways: Counter[str], unread: list[_Extracted], chosen: list[_Extracted]) -> dict[str, Any]:
    return {
        "samples": sum(ways.values()),
        "how_extracted": dict(ways.most_common()),
        "unread": [
            {"problem_id": each.sample.problem_id, "index": each.sample.index, "reason": each.program.no_code}
            for each in unread
        ],
        "extracted": [each.as_json() for each in chosen],
    }


def _as_text(ways: Counter[str], unread: list[_Extracted], chosen: list[_Extracted]) -> str:
    counts = [(how, f"{count:,}") for how, count in ways.most_common()]
    parts = [*map(_shown, chosen), draw_table(("code found by", "samples"), counts, right=("samples",))]
    if unread:
        listed = unread[:_UNREAD_LISTED]
        lines = [
            f"  {on_one_line(each.sample.problem_id)} #{each.sample.index}: {each.program.no_code}" for each in listed
        ]
        more = [f"  and {len(unread) - len(listed):,} more (--json lists all)"] if len(unread) > len(listed) else []
        parts.append("\n".join((f"no code in {count_of(len(unread), 'sample')}:", *lines, *more)) + "\n")
    return "\n".join(parts)


def _shown(each: _Extracted) -> str:
    head = f"{on_one_line(each.sample.problem_id)} #{each.sample.index}: {each.program.how_extracted}"
    if each.program.no_code is not None:
        head += f" ({each.program.no_code})"
    return f"{head}\n{side_by_side(each.sample.text, each.program.source)}"
