"""What a report is made of: runs, with the problems and samples that they name, as far as these are at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from assay.metrics import Missing
    from assay.records import Benchmark
    from assay.store import SampleFile, StoredRun


class Source(NamedTuple):
    """One run: its name as the user gave it, its folder, and what the folder only names.

    `benchmark` and `samples` are None where the files are gone; `gaps` say so in a sentence each, for the report.
    """

    name: str
    run: StoredRun
    benchmark: Benchmark | None = None
    samples: SampleFile | None = None
    gaps: tuple[str, ...] = ()


class Options(NamedTuple):
    """How numbers are computed, and how large the file may grow.

    `ks` None: those of 1, 10 and 100 that every problem has samples for. `missing` as in `metrics.score`. `strict`: an invalid
    problem makes every number null. `size_bytes` is about how large the file may become.
    """

    ks: tuple[int, ...] | None = None
    missing: Missing | None = None
    strict: bool = False
    size_bytes: int = 1_900_000


USUAL_OPTIONS = Options()
"""What holds where nothing is asked for."""
