"""Rubrics: by what a judge model judges. Two are built in; others are TOML files.

name = "support"
version = "1"
scale = 5                # the best score; 1 is the worst
decides = "solves"       # left out: the first criterion
right_from = 4           # left out: one below the best

[criteria]
solves = "Does the answer solve the customer's problem?"
kind = "Is its tone kind, without being servile?"
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec

from assay.errors import DataError, SettingsError, did_you_mean
from assay.records import Record, Rubric

CODE = Rubric(
    name="code",
    version="1",
    description="one score: is the program right",
    criteria={
        "correct": "Does the program do what the task asks, for every input that the task allows, corner cases among them?"
    },
    scale=5,
    decides="correct",
    right_from=4,
)
ANSWER = Rubric(
    name="answer",
    version="1",
    description="three scores for answers in words",
    criteria={
        "accurate": "Is everything that the answer says true, and does it answer what the task asks?",
        "complete": "Does it hold all that the task asks for?",
        "clear": "Can the reader whom the task has in mind follow it, without padding?",
    },
    scale=5,
    decides="accurate",
    right_from=4,
)

RUBRICS = {rubric.name: rubric for rubric in (CODE, ANSWER)}
"""The rubrics, by name. Whoever changes a word of one changes its version as well."""

MOST_CRITERIA, LARGEST_SCALE = 20, 100

_HINT = "write name, [criteria] and, if need be, version, scale, decides and right_from, as docs/rubric.md shows"


class _File(Record):
    name: str
    criteria: dict[str, str]
    version: str = "1"
    description: str = ""
    scale: int = 5
    decides: str | None = None
    right_from: int | None = None


def find_rubric(name: str) -> Rubric:
    """The rubric of a name, or the user's own out of a TOML file.

    Raises:
        SettingsError: There is neither a rubric nor a file of that name.
        DataError: The file is no rubric.

    >>> find_rubric("code").decides
    'correct'
    """
    if name in RUBRICS:
        return RUBRICS[name]
    try:
        data = Path(name).read_bytes()
    except FileNotFoundError:
        meant = did_you_mean(name, RUBRICS)
        hint = f"did you mean {meant!r}? " if meant else ""
        hint += f"known are {', '.join(RUBRICS)}; or give the path of a TOML file"
        raise SettingsError(f"there is no rubric and no file {name!r}", hint=hint) from None
    except OSError as error:
        raise SettingsError(f"{name}: {error.strerror or error}", hint="check the path of the rubric") from None
    return _of_file(_decoded(data, name), name)


def _decoded(data: bytes, path: str) -> _File:
    try:
        return msgspec.convert(tomllib.loads(data.decode("utf-8")), type=_File)
    except (msgspec.ValidationError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(f"no rubric: {error}", path=path, hint=_HINT) from None


def _of_file(file: _File, path: str) -> Rubric:
    decides = next(iter(file.criteria), "") if file.decides is None else file.decides
    right_from = max(2, file.scale - 1) if file.right_from is None else file.right_from
    flaw = _flaw(file, decides, right_from)
    if flaw is not None:
        raise DataError(flaw, path=path, hint=_HINT)
    return Rubric(
        name=file.name,
        version=file.version,
        description=file.description,
        criteria=file.criteria,
        scale=file.scale,
        decides=decides,
        right_from=right_from,
    )


def _flaw(file: _File, decides: str, right_from: int) -> str | None:
    """What is wrong in a rubric that is well-formed; None where nothing is."""
    odd = next((name for name in file.criteria if not name.replace("-", "_").isidentifier()), None)
    empty = next((name for name, question in file.criteria.items() if not question.strip()), None)
    checks = (
        (1 <= len(file.criteria) <= MOST_CRITERIA, f"it has {len(file.criteria)} criteria, not 1 to {MOST_CRITERIA}"),
        (odd is None, f"the criterion {odd!r} is not one word of letters, digits, _ and -"),
        (empty is None, f"the criterion {empty!r} asks nothing"),
        (2 <= file.scale <= LARGEST_SCALE, f"its scale is {file.scale}, not 2 to {LARGEST_SCALE}"),
        (decides in file.criteria, f"it decides by {decides!r}, which is none of its criteria"),
        (2 <= right_from <= file.scale, f"right_from is {right_from}, not 2 to {file.scale}"),
    )
    return next((words for holds, words in checks if not holds), None)
