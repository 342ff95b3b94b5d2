"""What a judge model replied, read strictly: what it did not say in the form that was asked for, it did not say.

What holds: no number is looked for in prose, none is rounded, clipped or filled in. A reply counts only if its last line is the object
that was asked for and no other line of it is one that says something else: a candidate's text that is quoted, say.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, cast, get_args

from assay.jsonrows import as_object
from assay.records import Place

if TYPE_CHECKING:
    from assay.records import Rubric

CUT_OFF = "length"
"""The finish reason of a reply that its limit of tokens has cut."""

_FENCE = re.compile(r"`{3,}\w*")
_PLACES: tuple[Place, ...] = get_args(Place)


class Reading(NamedTuple):
    """What a reply says: scores by criterion, or which place is better; neither where it can't be read, and `unread` says why."""

    scores: dict[str, int] | None = None
    better: Place | None = None
    unread: str | None = None


def read_scores(reply: str, rubric: Rubric, finish_reason: str | None = None) -> Reading:
    r"""The scores in a reply: exactly one whole number within the scale for each criterion.

    >>> from assay.metrics.rubrics import CODE
    >>> read_scores('It is right.\n{"correct": 5}', CODE).scores
    {'correct': 5}
    >>> read_scores("I give it a 5.", CODE).unread
    'its last line is no JSON object'
    """
    found = _last_object(reply, set(rubric.criteria), finish_reason)
    if isinstance(found, str):
        return Reading(unread=found)
    odd = [f"{name}: {value!r}" for name, value in found.items() if not _is_score(value, rubric.scale)]
    if odd:
        return Reading(unread=f"{odd[0][:60]} is no whole number from 1 to {rubric.scale}")
    return Reading(scores={name: cast("int", found[name]) for name in rubric.criteria})


def read_better(reply: str, finish_reason: str | None = None) -> Reading:
    r"""Which place a reply prefers.

    >>> read_better('Both fail for 0.\n{"better": "tie"}').better
    'tie'
    """
    found = _last_object(reply, {"better"}, finish_reason)
    if isinstance(found, str):
        return Reading(unread=found)
    place = next((place for place in _PLACES if place == found["better"]), None)
    if place is None:
        return Reading(unread=f"better is {found['better']!r:.60}, none of {', '.join(_PLACES)}")
    return Reading(better=place)


def _is_score(value: object, scale: int) -> bool:
    return type(value) is int and 1 <= value <= scale


def _last_object(reply: str, keys: set[str], finish_reason: str | None) -> dict[str, object] | str:
    """The object in the last line, or in words why there is none that counts."""
    if finish_reason == CUT_OFF:
        return "it was cut off at its limit of tokens"
    # What a model thinks aloud is not its answer; where the thought does not end, there is none.
    thought, _, rest = reply.rpartition("</think>")
    if not thought and rest.lstrip().startswith("<think>"):
        return "it does not end its thought"
    lines = [line.strip() for line in rest.splitlines() if line.strip()]
    lines = lines[:-1] if lines and _FENCE.fullmatch(lines[-1]) else lines
    if not lines:
        return "it is empty"
    found = _object(lines[-1])
    if found is None:
        return "its last line is no JSON object"
    if found.keys() != keys:
        return f"its last line has the keys {sorted(found)!r:.60}, not {sorted(keys)}"
    others = (_object(line) for line in lines[:-1])
    if any(other is not None and other.keys() == keys and other != found for other in others):
        return "it says two things: an earlier line differs from the last"
    return found


def _object(line: str) -> dict[str, object] | None:
    # A model may put its object in marks of code, as one line or as a block; what is in them is the same.
    bare = line.strip("`").strip()
    if not bare.startswith("{"):
        return None
    try:
        return as_object(bare)
    except ValueError:
        return None
