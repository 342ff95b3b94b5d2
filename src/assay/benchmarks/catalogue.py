"""The table of benchmarks that have a name: what they hold, how they are split, how sample files write their ids."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from assay.benchmarks.evalplus import HUMANEVALPLUS, MBPPPLUS
from assay.benchmarks.evalplus_origin import HUMANEVALPLUS_ORIGIN, MBPPPLUS_ORIGIN
from assay.benchmarks.own import OWN
from assay.benchmarks.published import HUMANEVAL, MBPP, SANITIZED
from assay.records import Problem, Record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.benchmarks.shapes import Shape

_BASICS = Path(__file__).parent / "basics"

MBPP_SPLITS = (("prompt", 1, 10), ("test", 11, 510), ("validation", 511, 600), ("train", 601, 974))
"""MBPP's splits as `(name, first id, last id)`.

Source: Austin et al. 2021, "Program Synthesis with Large Language Models".
"""


FEW_SHOT = ("2", "3", "4")
"""MBPP's problems that its customary 3-shot prompt shows with their solutions.

Source: Austin et al. 2021; the `mbpp` tasks of lm-evaluation-harness and bigcode-evaluation-harness. MBPP+ grades them.
"""


class BenchmarkInfo(Record):
    """A line of `assay list`: a benchmark's name, how many problems it has, its splits, and what it is."""

    name: str
    problems: int
    splits: tuple[str, ...]
    description: str


@dataclass(frozen=True)
class NamedSet:
    """A benchmark of the table.

    Args:
        info: What `assay list` shows.
        shape: The form of its published rows.
        published: What the published file is called, for the message that asks for it.
        splits: `(name, first id, last id)`, where ids are numbers.
        whole_split: The only split's name, where there is but one.
        id_prefixes: What published sample files write before the id.
        version: The publisher's.
        embedded: The file's path, where assay ships the problems.
        other_shapes: Further forms in which its rows are published, the hub's copy for one.
    """

    info: BenchmarkInfo
    shape: Shape
    published: str = ""
    splits: tuple[tuple[str, int, int], ...] = ()
    whole_split: str | None = None
    id_prefixes: tuple[str, ...] = ()
    version: str | None = None
    embedded: str | None = None
    other_shapes: tuple[Shape, ...] = ()

    @property
    def name(self) -> str:
        """The name of the benchmark."""
        return self.info.name

    def with_split(self, problem: Problem) -> Problem:
        """The problem with the split that its id puts it in."""
        split = self.whole_split or problem.split or self._split_of(problem.id)
        return problem if split is None else msgspec.structs.replace(problem, split=split)

    def _split_of(self, name: str) -> str | None:
        number = name.rpartition("/")[2]
        if not number.isdecimal():
            return None
        return next((split for split, first, last in self.splits if first <= int(number) <= last), None)


def catalogue() -> tuple[BenchmarkInfo, ...]:
    """The benchmarks that `load` knows by name, sorted by it."""
    return tuple(sorted((named.info for named in NAMED.values()), key=lambda info: info.name))


def few_shot_among(ids: Iterable[str], shape: Shape) -> tuple[str, ...]:
    """The ids of a data set that belong to problems of `FEW_SHOT`: those of MBPP's own forms, and `Mbpp/2` in any form.

    >>> few_shot_among(["1", "2"], MBPP), few_shot_among(["2"], OWN), few_shot_among(["Mbpp/3", "HumanEval/3"], OWN)
    (('2',), (), ('Mbpp/3',))
    """
    return tuple(id_ for id_ in ids if _is_few_shot(*id_.rpartition("/"), shape))


def _is_few_shot(family: str, _: str, number: str, shape: Shape) -> bool:
    is_mbpp = family.lower() == "mbpp" if family else shape in (MBPP, SANITIZED, MBPPPLUS_ORIGIN)
    return is_mbpp and number in FEW_SHOT


def recorded_samples(name: str) -> str | None:
    """Path of the recorded samples that are shipped with a benchmark; None where there are none."""
    return str(_BASICS / "samples.jsonl") if name == "basics" else None


def _mbpp(name: str, problems: int, shape: Shape, published: str, description: str) -> NamedSet:
    # MBPP's own ids are bare numbers; "MBPP/11" is bigcode's and LDB's form of 11, "Mbpp/11" is EvalPlus's.
    return NamedSet(
        _mbpp_info(name, problems, description), shape, published, MBPP_SPLITS, id_prefixes=("MBPP/", "Mbpp/")
    )


def _mbpp_info(name: str, problems: int, description: str) -> BenchmarkInfo:
    splits = tuple(split for split, _, _ in MBPP_SPLITS)
    return BenchmarkInfo(name=name, problems=problems, splits=splits, description=description)


_SETS = (
    NamedSet(
        BenchmarkInfo(
            name="basics", problems=60, splits=(), description="everyday Python, embedded: base and plus tests"
        ),
        OWN,
        version="2",
        embedded=str(_BASICS / "problems.jsonl"),
    ),
    _mbpp("mbpp", 974, MBPP, "mbpp.jsonl", "crowd-sourced Python problems, 3 asserts each"),
    _mbpp("mbpp:sanitized", 427, SANITIZED, "sanitized-mbpp.json", "the problems of MBPP that were verified by hand"),
    NamedSet(
        BenchmarkInfo(
            name="humaneval", problems=164, splits=("test",), description="functions to complete from a docstring"
        ),
        HUMANEVAL,
        "HumanEval.jsonl.gz",
        whole_split="test",
    ),
    NamedSet(
        _mbpp_info("mbppplus", 378, "problems of mbpp with some 110 tests each, by EvalPlus: base and plus tests"),
        MBPPPLUS,
        "MbppPlus.jsonl.gz",
        MBPP_SPLITS,
        id_prefixes=("Mbpp/",),
        other_shapes=(MBPPPLUS_ORIGIN,),
    ),
    NamedSet(
        BenchmarkInfo(
            name="humanevalplus",
            problems=164,
            splits=("test",),
            description="humaneval with some 750 tests each, by EvalPlus: base and plus tests",
        ),
        HUMANEVALPLUS,
        "HumanEvalPlus.jsonl.gz",
        whole_split="test",
        other_shapes=(HUMANEVALPLUS_ORIGIN,),
    ),
)

NAMED = {named.name: named for named in _SETS}
"""The table, by name."""
