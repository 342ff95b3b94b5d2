"""Which solved problems a prompt shows, and what a reader of the numbers should be told about it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from assay.counts import count_of
from assay.errors import SettingsError
from assay.models.prompting import render, shows_shots
from assay.models.prompts import STYLES
from assay.models.statement import asked_of
from assay.records.base import digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.models.prompting import PromptStyle
    from assay.records import Problem

_SHOWN_IDS = 8


def choose_shots(
    style: PromptStyle,
    problems: Sequence[Problem],
    *,
    count: int | None = None,
    split: str | None = None,
    seed: int | None = None,
) -> tuple[Problem, ...]:
    """The solved problems that a style shows, the same for every problem that is asked.

    Those that the style prescribes, in its order, unless the user says anything else; then `count` of the problems that have a reference,
    drawn without replacement by the seed, the same on every machine.

    Args:
        style: Says how many, and which.
        problems: All of the data set, whatever split is asked.
        count: How many; None for the style's number.
        split: Draw from this split only.
        seed: Of the draw; None stands for 0, and for the prescribed problems where neither count nor split says otherwise.

    Raises:
        SettingsError: There are not so many, or a prescribed one is missing.
    """
    wanted = style.shots if count is None else count
    if seed is None and split is None and wanted == len(style.shot_ids):
        return _prescribed(style, problems)
    able = [problem for problem in problems if problem.reference is not None and split in (None, problem.split)]
    if style.needs == "tests":
        able = [problem for problem in able if asked_of(problem).tests]
    if not 0 <= wanted <= len(able):
        where = "" if split is None else f" of the split {split!r}"
        raise SettingsError(
            f"{wanted} shots are asked for, and {count_of(len(able), 'problem')}{where} can be shown solved"
        )
    # The ids decide the draw, not their order in a file: copies of a data set differ in it.
    draw = random.Random(int(digest(f"shots {seed or 0}"), 16))  # noqa: S311 (a draw to be repeated, no secret)
    return tuple(draw.sample(sorted(able, key=lambda problem: problem.id), wanted))


def require_place(style: PromptStyle, flags: Sequence[str] = ()) -> None:
    """Does nothing where a style can show the solved problems that it is asked to show.

    Args:
        style: Says what is shown, and where.
        flags: What the user says about solved problems, as it was written.

    Raises:
        SettingsError: It has no place for them, and the user or the style itself wants some.
    """
    wanted = " ".join(flags) or (f"shots = {style.shots}" if style.shots else "")
    if wanted and not shows_shots(style):
        able = ", ".join(other.name for other in STYLES.values() if shows_shots(other))
        hint = f"styles that show them: {able}, or a Jinja file of your own that uses `shots` (docs/prompts.md)"
        raise SettingsError(f"prompt style {style.name!r} has no place for solved problems ({wanted})", hint=hint)


def _prescribed(style: PromptStyle, problems: Sequence[Problem]) -> tuple[Problem, ...]:
    by_number = {problem.id.lower().removeprefix("mbpp/"): problem for problem in problems}
    missing = [number for number in style.shot_ids if number not in by_number]
    if missing:
        message = f"prompt style {style.name!r} shows the problems {', '.join(style.shot_ids)}; missing are {', '.join(missing)}"
        raise SettingsError(message, hint="draw others: --shots 3 --shot-seed 0, or choose a style without shots")
    return tuple(by_number[number] for number in style.shot_ids)


def warnings_about(style: PromptStyle, problems: Sequence[Problem], shots: Sequence[Problem] = ()) -> tuple[str, ...]:
    """What makes the numbers of a run with these prompts incomparable or too good, in sentences; empty where nothing does.

    Args:
        style: How is asked.
        problems: Those that are asked and graded.
        shots: Those that are shown solved.
    """
    asked = {problem.id for problem in problems}
    graded = [shot.id for shot in shots if shot.id in asked]
    found = [_about_shots(graded)] if graded else []
    shown = [problem for problem in problems if _shows_a_test(style, problem, shots)]
    if shown:
        found.append(_about_tests([problem.id for problem in shown], len(problems)) + _way_out(style, shown))
    return tuple(found)


def _about_shots(graded: list[str]) -> str:
    return f"the prompt shows {_solutions(len(graded))} graded as well: {_listed(graded)}"


def _solutions(problems: int) -> str:
    return "the solution of 1 problem that is" if problems == 1 else f"the solutions of {problems:,} problems that are"


def _about_tests(shown: list[str], problems: int) -> str:
    return f"the prompt shows tests that decide the verdict, for {len(shown):,} of {count_of(problems, 'problem')}: {_listed(shown)}"


def _way_out(style: PromptStyle, problems: Sequence[Problem]) -> str:
    """A style for the same kind of model that shows none of these problems' tests; nothing where there is no such style."""
    others = (other for other in STYLES.values() if other.endpoint == style.endpoint and not other.shots)
    found = next((other.name for other in others if _hides_all_tests(other, problems)), None)
    return "" if found is None else f"\nhint: --prompt {found} shows none"


def _hides_all_tests(style: PromptStyle, problems: Sequence[Problem]) -> bool:
    try:
        return not any(_shows_a_test(style, problem, ()) for problem in problems)
    except SettingsError:
        return False  # it does not suit one of them


def _listed(ids: list[str]) -> str:
    return ", ".join(ids[:_SHOWN_IDS]) + (" ..." if len(ids) > _SHOWN_IDS else "")


def _shows_a_test(style: PromptStyle, problem: Problem, shots: Sequence[Problem]) -> bool:
    tests = asked_of(problem).tests
    if not tests:
        return False
    prompt = render(style, problem, shots)
    sent = prompt.text + "".join(message.content for message in prompt.messages) + prompt.prefill
    return any(test in sent for test in tests)
