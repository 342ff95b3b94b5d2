"""The problems that a standing engine knows: what was found out about each is kept, up to a bound.

They are found again by what they say, never by their id: two callers may ask about different problems of one name.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from assay.engine.work import Task

if TYPE_CHECKING:
    from assay.engine.settings import Keys, Settings
    from assay.engine.work import Keeper
    from assay.records import Problem

KEPT = 1000
"""So many problems are known at most; those that nobody asked about for the longest time are forgotten, and looked at anew if they come."""

KEPT_MIB = 256
"""What the problems known, and what their references told, may come to."""


class _Kept(NamedTuple):
    """A problem as it was given first, its task, and the bytes of its text."""

    problem: Problem
    task: Task
    text_bytes: int

    @property
    def size_bytes(self) -> int:
        known = self.task.known()
        return self.text_bytes + len(self.task.calibration or b"") + (known.script.size_bytes if known else 0)


class Known:
    """Makes the task of a problem, the same one as long as the problem is known.

    Args:
        settings: How to judge.
        keys: Digests of what decides verdicts.
        shelf: What earlier runs have kept.
    """

    def __init__(self, settings: Settings, keys: Keys, shelf: Keeper | None) -> None:
        self._settings = settings
        self._keys = keys
        self._shelf = shelf
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._key_of: dict[int, str] = {}

    def task_of(self, problem: Problem) -> Task:
        """The task of a problem."""
        # a digest of a large problem costs as much as a sample: the very record that is kept is found without
        key = self._key_of.get(id(problem)) or self._keys.problem_part(problem, self._settings.groups)
        kept = self._kept.get(key)
        if kept is None:
            return self._add(problem, key)
        self._kept.move_to_end(key)
        return kept.task

    def _add(self, problem: Problem, key: str) -> Task:
        task = Task(problem, self._settings, key, len(self._kept))
        task.keep_in(self._shelf)
        self._kept[key] = _Kept(problem, task, len(msgspec.json.encode(problem)))
        self._key_of[id(problem)] = key
        self._forget()
        return task

    def _forget(self) -> None:
        size_bytes = sum(kept.size_bytes for kept in self._kept.values())
        while len(self._kept) > KEPT or (size_bytes > KEPT_MIB << 20 and len(self._kept) > 1):
            _, oldest = self._kept.popitem(last=False)
            del self._key_of[id(oldest.problem)]
            size_bytes -= oldest.size_bytes
