"""How a run is carried out: what the user may choose, and the digest by which a verdict is found again."""

from __future__ import annotations

import platform
import re
import subprocess
import sys
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, get_args

import msgspec

from assay.errors import SettingsError
from assay.limits import RANGES, Range, limits_flaw, shown_number
from assay.records import (
    DEFAULT_GROUPS,
    JUDGE_VERSION,
    CallTests,
    Equality,
    Isolation,
    Limits,
    Problem,
    Program,
    Record,
    digest,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LANES = 2
"""Samples in flight at one worker: while the judge compares one, the next one's agent starts."""

SETTING_RANGES = {
    "workers": Range(0, 1024),
    "time_s": RANGES["time_s"],
    "memory_mib": RANGES["memory_mib"],
    "hash_seed": Range(0, 2**32 - 1),
    "trials": Range(1, 100),
}
"""How far the numbers of `Settings` may go; the limits of samples may be None, which leaves each problem its own."""

SETTING_KINDS: Mapping[str, tuple[tuple[type, ...], str]] = {
    "seed": ((int,), "a whole number"),
    "python": ((str, type(None)), "the path of an interpreter, or None"),
    **dict.fromkeys(("challenge", "confirm", "cache"), ((bool,), "True or False")),
}
"""What the other settings must be, in types and in words: nothing checks the types of a record that Python code makes."""

LEVELS = ("L0", "L1", "L2", "L3", "L4", "L5")
"""The levels of isolation, the least first."""

EQUALITIES = get_args(Equality)
"""The names of the equalities."""

HiddenMode = Literal["off", "flag", "require"]
"""Whether hidden inputs are asked about, and what comes of it."""

OLDEST = (3, 9)
"""The oldest Python that runs candidates; what lies beside them in the sandbox is written for it."""

_NO_FLAGS: Mapping[str, str] = MappingProxyType({})
_PROBE = "import platform as p; print(p.python_implementation(), p.python_version())"
_ANSWER = re.compile(r"(\w+ (\d+)\.(\d+)\S*)\s*")


class Settings(Record):
    """What the user chooses about a run.

    `workers` 0 means one for each processor. `time_s` and `memory_mib` override the problems' own limits. `minimum_level` is the least
    isolation under which candidates may run. `python` is another interpreter for them. `seed` seeds `random` and numpy's generator on
    both sides; `hash_seed` fixes the order of sets. `trials` is how often each sample is judged, each time under the next of both seeds.
    `equality` is what "equal" means to tests that are inputs only, None what each says itself; asserts are Python's own. `confirm` says
    that samples over a time limit are judged once more when nothing else runs (`doubts.py`). `hidden` says whether samples that pass are
    asked about hidden inputs (`flag`), and whether they must then agree with the reference to pass (`require`), or are not asked (`off`).
    `cache` says that what references told is kept in the user's cache folder, and not asked again (`shelf.py`).
    """

    workers: int = 0
    time_s: float | None = None
    memory_mib: int | None = None
    challenge: bool = False
    minimum_level: str = "L2"
    python: str | None = None
    seed: int = 0
    hash_seed: int = 0
    trials: int = 1
    equality: Equality | None = None
    confirm: bool = True
    hidden: HiddenMode = "flag"
    cache: bool = False

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of cases that are run, and that decide."""
        return (*DEFAULT_GROUPS, "challenge") if self.challenge else DEFAULT_GROUPS

    def in_trial(self, number: int) -> Settings:
        """How trial `number` is carried out, from 0: a run of one trial whose seeds are so much further on.

        >>> (Settings(trials=3).in_trial(2).hash_seed, Settings(trials=3).in_trial(2).seed, Settings(trials=3).in_trial(0) == Settings())
        (2, 2, True)
        """
        hash_seed = (self.hash_seed + number) % int(SETTING_RANGES["hash_seed"].most + 1)
        return msgspec.structs.replace(self, hash_seed=hash_seed, seed=self.seed + number, trials=1)

    def asks_hidden(self, problem: Problem) -> bool:
        """Whether samples of a problem may be asked about hidden inputs: only a reference knows the answers."""
        return self.hidden != "off" and problem.reference is not None

    def posed(self, problem: Problem) -> Problem:
        """The problem as it is judged: its oracles compare by the user's equality, where there is one."""
        if self.equality is None:
            return problem
        tests = tuple(_by_equality(t, self.equality) if isinstance(t, CallTests) else t for t in problem.tests)
        return msgspec.structs.replace(problem, tests=tests)

    def limits(self, problem: Problem) -> Limits:
        """The problem's limits with the user's in their place.

        Raises:
            SettingsError: One of them is out of its range (a problem made in memory; files are checked when they are read).
        """
        changes: dict[str, float | int] = {}
        if self.time_s is not None:
            changes["time_s"] = self.time_s
        if self.memory_mib is not None:
            changes["memory_mib"] = self.memory_mib
        limits = msgspec.structs.replace(problem.limits, **changes) if changes else problem.limits
        if (flaw := limits_flaw(limits)) is not None:
            raise SettingsError(f"limits of problem {problem.id}: {flaw}", hint="correct the problem's limits")
        return limits


def _by_equality(tests: CallTests, equality: Equality) -> CallTests:
    oracle = msgspec.structs.replace(tests.oracle, equality=equality)
    return msgspec.structs.replace(tests, oracle=oracle)


def check_ranges(settings: Settings, flags: Mapping[str, str] = _NO_FLAGS) -> None:
    """Lets settings pass that can be used: numbers within `SETTING_RANGES`, the others of their kinds.

    Args:
        settings: What the user chose.
        flags: What the user calls a setting, where that is not its name.

    Raises:
        SettingsError: One is not, or another setting is of a wrong type or an unknown word.
    """
    if settings.equality not in (None, *EQUALITIES):
        raise SettingsError(f"the equality {settings.equality!r} is unknown", hint=f"known are {', '.join(EQUALITIES)}")
    if settings.hidden not in get_args(HiddenMode):
        raise SettingsError(
            f"hidden {settings.hidden!r} is unknown", hint=f"known are {', '.join(get_args(HiddenMode))}"
        )
    for name, (kinds, wanted) in SETTING_KINDS.items():
        if type(getattr(settings, name)) not in kinds:
            told = f"{flags.get(name, name)} {shown_number(getattr(settings, name))} can't be used"
            raise SettingsError(told, hint=f"give {wanted}")
    if settings.minimum_level not in LEVELS:
        raise SettingsError(
            f"minimum_level {settings.minimum_level!r} is unknown", hint=f"known are {', '.join(LEVELS)}"
        )
    for name, allowed in SETTING_RANGES.items():
        value = getattr(settings, name)
        if not (allowed.holds(value) or (value is None and name in RANGES)):
            raise SettingsError(
                f"{flags.get(name, name)} {shown_number(value)} is out of range", hint=f"give {allowed}"
            )


def interpreter(settings: Settings) -> str:
    """The interpreter that runs candidates, `CPython 3.11.7`.

    Raises:
        SettingsError: If the one that the user named can't be run, is no Python, or is older than `OLDEST`.
    """
    if settings.python is None:
        return f"{platform.python_implementation()} {platform.python_version()}"
    hint = f"name an interpreter such as {sys.executable}"
    try:
        answer = _ask(settings.python)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise SettingsError(f"the interpreter {settings.python} can't be run: {error}", hint=hint) from None
    found = _ANSWER.fullmatch(answer)
    if found is None:
        said = f"it said {answer[:60]!r}" if answer else "it said nothing"
        raise SettingsError(f"the interpreter {settings.python} is no Python: asked for its version, {said}", hint=hint)
    if (int(found[2]), int(found[3])) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise SettingsError(
            f"the interpreter {settings.python} is {found[1]}, and {oldest} is the oldest that can be used", hint=hint
        )
    return found[1]


def _ask(python: str) -> str:
    command = [python, "-I", "-S", "-c", _PROBE]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False)  # noqa: S603 (the user's own interpreter)
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise ValueError(f"it ended with status {done.returncode}" + (f": {last[:200]}" if last else ""))
    return done.stdout.decode("utf-8", "replace")


class Keys:
    """Makes the digests of jobs: all that decides a verdict, declared, never measured."""

    def __init__(self, settings: Settings, isolation: Isolation, interpreter_name: str) -> None:
        self._settings = settings
        seeds = settings.seed, settings.hash_seed, settings.trials
        self._where = msgspec.json.encode((isolation, interpreter_name, *seeds))

    def problem_part(self, problem: Problem, groups: Sequence[str]) -> str:
        """The digest of a problem under these settings; made once for all its samples."""
        limits = msgspec.json.encode(self._settings.limits(problem))
        posed = self._settings.posed(problem)
        hidden = self._settings.hidden if self._settings.asks_hidden(problem) else "off"
        return digest(posed.digest(), limits, ",".join(groups), self._where, hidden, JUDGE_VERSION)

    @staticmethod
    def job(problem_part: str, program: Program) -> str:
        """The digest of one program under test."""
        return digest(problem_part, program.language, program.source, program.no_code or "")
