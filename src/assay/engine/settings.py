"""How a run is carried out: what the user may choose, and the digest by which a verdict is found again."""

from __future__ import annotations

import platform
import subprocess
import sys
from typing import TYPE_CHECKING

import msgspec

from assay.errors import SettingsError
from assay.records import DEFAULT_GROUPS, JUDGE_VERSION, Isolation, Limits, Problem, Program, Record, digest

if TYPE_CHECKING:
    from collections.abc import Sequence

LANES = 2
"""Samples in flight at one worker: while the judge compares one, the next one's agent starts."""


class Settings(Record):
    """What the user chooses about a run.

    `workers` 0 means one for each processor. `time_s` and `memory_mib` override the problems' own limits. `minimum_level` is the least
    isolation under which candidates may run. `python` is another interpreter for them. `seed` seeds `random` and numpy's generator on
    both sides; `hash_seed` fixes the order of sets.
    """

    workers: int = 0
    time_s: float | None = None
    memory_mib: int | None = None
    challenge: bool = False
    minimum_level: str = "L2"
    python: str | None = None
    seed: int = 0
    hash_seed: int = 0

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of cases that are run, and that decide."""
        return (*DEFAULT_GROUPS, "challenge") if self.challenge else DEFAULT_GROUPS

    def limits(self, problem: Problem) -> Limits:
        """The problem's limits with the user's in their place."""
        changes: dict[str, float | int] = {}
        if self.time_s is not None:
            changes["time_s"] = self.time_s
        if self.memory_mib is not None:
            changes["memory_mib"] = self.memory_mib
        return msgspec.structs.replace(problem.limits, **changes) if changes else problem.limits


def interpreter(settings: Settings) -> str:
    """The interpreter that runs candidates, `CPython 3.11.7`.

    Raises:
        SettingsError: If the one that the user named can't be run.
    """
    if settings.python is None:
        return f"{platform.python_implementation()} {platform.python_version()}"
    probe = "import platform as p; print(p.python_implementation(), p.python_version())"
    try:
        done = subprocess.run(  # noqa: S603 (the user's own interpreter)
            [settings.python, "-I", "-S", "-c", probe], capture_output=True, text=True, timeout=30, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise SettingsError(
            f"--python {settings.python} can't be run: {error}", hint=f"name an interpreter such as {sys.executable}"
        ) from None
    return done.stdout.strip()


class Keys:
    """Makes the digests of jobs: all that decides a verdict, declared, never measured."""

    def __init__(self, settings: Settings, isolation: Isolation, interpreter_name: str) -> None:
        self._settings = settings
        self._where = msgspec.json.encode((isolation, interpreter_name, settings.seed, settings.hash_seed))

    def problem_part(self, problem: Problem, groups: Sequence[str]) -> str:
        """The digest of a problem under these settings; made once for all its samples."""
        limits = msgspec.json.encode(self._settings.limits(problem))
        return digest(problem.digest(), limits, ",".join(groups), self._where, JUDGE_VERSION)

    @staticmethod
    def job(problem_part: str, program: Program) -> str:
        """The digest of one program under test."""
        return digest(problem_part, program.language, program.source, program.no_code or "")
