"""What a judge model is asked about: tasks, and the answers of one source or two, each a sample file or the folder of a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from assay.benchmarks import load, read_questions, select
from assay.benchmarks.catalogue import NAMED
from assay.cli.run_problems import samples_file
from assay.cli.streams import say
from assay.errors import SettingsError, StoreError
from assay.programs import assemble
from assay.store import open_samples, read_run, require_samples

if TYPE_CHECKING:
    import contextlib
    from collections.abc import Mapping

    from assay.cli.flags import Selection
    from assay.records import Benchmark, Outcome, Problem, Sample
    from assay.store import SampleFile

Shown = Literal["answer", "program"]
"""What a judge sees of an answer: the whole text, or only the program that is in it."""

NO_PROGRAM = "(there is no program in this answer)"


class Tasks(NamedTuple):
    """The whole benchmark, and the problems that the user has chosen of it."""

    whole: Benchmark
    chosen: Benchmark

    @property
    def have_tests(self) -> bool:
        """Whether answers could be judged by running them."""
        return any(problem.tests for problem in self.whole.problems)


class AnswerSource(NamedTuple):
    """Answers, and what became of those that were judged by running them."""

    name: str
    samples: SampleFile
    outcomes: Mapping[tuple[str, int], Outcome]


def read_tasks(name: str, selection: Selection) -> Tasks:
    """The tasks of a benchmark, or of a file of tasks without tests.

    Raises:
        SettingsError: There is none of that name, or the selection leaves nothing.
        DataError: The file has unusable rows.
    """
    has_rows = selection.data is None and name not in NAMED and Path(name).is_file()
    questions = read_questions(name) if has_rows else None
    whole = load(name, data=selection.data) if questions is None else questions
    if whole.note:
        say(f"note: {whole.note}")
    return Tasks(whole, select(whole, split=selection.split, limit=selection.limit))


def open_answers(path: str, tasks: Tasks, stack: contextlib.ExitStack) -> AnswerSource:
    """Opens a sample file, or the samples of a run with its verdicts.

    Args:
        path: The file, or the folder that `assay judge -o` wrote.
        tasks: What is answered.
        stack: Closes what is opened.

    Raises:
        SettingsError: It can't be opened.
        DataError: Rows of it are no samples of these problems.
        StoreError: The folder holds no run, or one of other problems or other samples.
    """
    if not Path(path).is_dir() or not (Path(path) / "run.json").exists():
        samples = stack.enter_context(open_samples(path, tasks.chosen))
        for text in samples.warnings:
            say(text)
        return AnswerSource(path, samples, {})
    run = read_run(path)
    manifest = run.manifest
    if manifest.benchmark_digest != tasks.whole.digest:
        judged = f"{manifest.benchmark}, digest {manifest.benchmark_digest[:12]}"
        message = f"{path} was judged with other problems ({judged}) than {tasks.whole.name}, digest {tasks.whole.digest[:12]}"
        raise StoreError(message, hint="name the benchmark that was judged")
    if manifest.samples == "-":
        raise SettingsError(f"{path}: its samples came through a pipe", hint="judge them out of a file")
    for note in run.notes:
        say(f"{path}: {note}")
    benchmark = select(tasks.whole, split=manifest.split, limit=manifest.limit)
    try:
        samples = stack.enter_context(open_samples(samples_file(run), benchmark, skip_bad_rows=True))
    except SettingsError as error:
        hint = "they are looked for where they were judged and beside the run: put them there, or judge them again"
        raise SettingsError(f"the samples of {path} are not at hand: {error.message}", hint=hint) from None
    require_samples(run, samples)
    outcomes = {(verdict.problem_id, verdict.sample_index): verdict.outcome for verdict in run.verdicts()}
    return AnswerSource(path, samples, outcomes)


def shown_text(problem: Problem, sample: Sample, shown: Shown) -> str:
    """What the judge sees of an answer."""
    if shown == "answer":
        return sample.text
    program = assemble(problem, sample)
    return program.source if program.no_code is None else NO_PROGRAM
