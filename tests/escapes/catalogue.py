"""The hostile programs: one file each under `programs/`, with what must come of it in the comment at its head.

The head is TOML in a comment, as in PEP 723, so that question and answer are read together; a folder with a file for
each would say no more.

    # /// expect
    # says = ["EPERM", "ENOENT|EACCES"]      each line that it says, with alternatives (or `each`: what every line may be)
    # ends = "exit 0"                        `exit N`, `signal N`, or the limit that ended it; alternatives; `exit 0` unless given
    # limits = { time_s = 0.3 }              what it may use, over `LIMITS`
    # L2.says = ["EACCES"]                   another answer at that level
    # alone.seccomp.says = ["EPERM"]         with that layer and no other
    # alone.limits.ends = "time"             with resource limits and the server's watch alone, which are never left out
    # nothing.says = ["done"]                without any wall: what it would get
    # slow = true                            run by `make check` only
    # ///

A program of `judged/` is a candidate instead: `outcome` is what the judge must make of it, with alternatives; `once` keeps one that
holds the judge up for long to a single stage, for no level has a part in that.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"
LIMITS = {
    "time_s": 2.0,
    "wall_s": 60.0,
    "memory_mib": 128,
    "processes": 8,
    "disk_mib": 8,
    "open_files": 64,
    "output_kib": 64,
}
LEVELS = ("L4", "L3", "L2")
WALLS = ("namespaces", "landlock", "seccomp")
LAYERS = (*WALLS, "limits")
ANSWER = {"says", "each", "ends"}
KEYS = ANSWER | {"limits", "alone", "nothing", "slow", "outcome", "once", *LEVELS}


@dataclass(frozen=True)
class Escape:
    """A hostile program and what must come of it."""

    name: str
    source: str
    expect: dict = field(hash=False)

    @property
    def limits(self):
        return LIMITS | self.expect.get("limits", {})

    @property
    def slow(self):
        return self.expect.get("slow", False)

    def answer(self, level=None, alone=None):
        """`(ends, says, each)` that are right at the level, or with one layer alone (`nothing` for none)."""
        plain = {key: self.expect[key] for key in ANSWER & self.expect.keys()}
        at = (
            self.expect.get(level, {})
            if alone is None
            else self.expect["nothing"]
            if alone == "nothing"
            else self.expect["alone"][alone]
        )
        plain = {key: value for key, value in plain.items() if key == "ends" or not at.keys() & {"says", "each"}} | at
        return plain.get("ends", "exit 0"), plain.get("says", []), plain.get("each")


def head_of(source, name):
    """The comment at the head of a program, read; a key that is misspelt would expect nothing."""
    lines = source.partition("# /// expect\n")[2].partition("# ///\n")[0].splitlines()
    assert lines, f"{name} has no head"
    expect = tomllib.loads("\n".join(line.removeprefix("#").strip() for line in lines))
    assert expect.keys() <= KEYS, f"{name}: unknown keys {sorted(expect.keys() - KEYS)}"
    answers = [
        expect.get("nothing", {}),
        *expect.get("alone", {}).values(),
        *(expect.get(level, {}) for level in LEVELS),
    ]
    assert all(answer.keys() <= ANSWER for answer in answers), f"{name}: an answer has unknown keys"
    assert expect.get("alone", {}).keys() <= set(LAYERS), f"{name}: no such layer"
    tried = expect.get("alone", {}).keys() - {"limits"}
    assert not tried or "nothing" in expect, f"{name}: what would it get without the layer?"
    return expect


@cache
def read_programs(theme="*"):
    """All programs of a theme, by their path below `programs/`."""
    found = []
    for path in sorted(PROGRAMS.glob(f"{theme}/*.py")):
        name, source = f"{path.parent.name}/{path.stem}", path.read_text("utf-8")
        found.append(Escape(name, source, head_of(source, name)))
    return tuple(found)


def fits(expected, got):
    """Whether what was said is one of the alternatives."""
    return got in expected.split("|") if isinstance(expected, str) else got == expected


def wrong(answer, told):
    """What differs from the answer, in words; empty where nothing does."""
    (ends, says, each), said = answer, told["said"]
    found = [] if fits(ends, told["ends"]) else [f"it ended with {told['ends']}, not {ends} ({told['stderr'][-300:]})"]
    if each is not None:
        enough = said or not told["ends"].startswith("exit")  # one that was stopped may have got to say nothing
        found += [] if enough and all(fits(each, one) for one in said) else [f"it said {said}, each should be {each}"]
    elif len(said) != len(says) or not all(map(fits, says, said)):
        found.append(f"it said {said}, not {says}")
    return found
