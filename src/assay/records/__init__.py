"""The nouns of the line: every value that crosses a package border or reaches a file.

    Problem -> Sample -> Program -> Job -> Execution -> Verdict -> Estimate

All records are frozen. Facts and judgements are different types: the sandbox writes an `Execution` (what happened), only the judge's
trusted side writes a `Verdict` (what it means). Units stand in the names (`time_s`, `memory_mib`). Files hold one JSON object a line
(or one object) and a `schema` number, `SCHEMA`, that changes when a field changes its meaning.
"""

from assay.records.asked import (
    AssertTests,
    Benchmark,
    CallTests,
    Checker,
    CheckTests,
    Equality,
    Fault,
    InvalidProblem,
    Limits,
    Oracle,
    Problem,
    PropertyTests,
    StdioCase,
    StdioTests,
    Tests,
    UnittestTests,
)
from assay.records.base import DEFAULT_GROUPS, JUDGE_VERSION, SCHEMA, Record, digest
from assay.records.generated import Generation, Sampling, Unanswered
from assay.records.judged import (
    Estimate,
    Execution,
    Failure,
    Isolation,
    Manifest,
    Mode,
    Outcome,
    Program,
    Sample,
    StoppedBy,
    Trust,
    Verdict,
)
from assay.records.opinions import Inquiry, Opinion, Place, Placing, Rubric, Unheard

__all__ = [
    "DEFAULT_GROUPS",
    "JUDGE_VERSION",
    "SCHEMA",
    "AssertTests",
    "Benchmark",
    "CallTests",
    "CheckTests",
    "Checker",
    "Equality",
    "Estimate",
    "Execution",
    "Failure",
    "Fault",
    "Generation",
    "Inquiry",
    "InvalidProblem",
    "Isolation",
    "Limits",
    "Manifest",
    "Mode",
    "Opinion",
    "Oracle",
    "Outcome",
    "Place",
    "Placing",
    "Problem",
    "Program",
    "PropertyTests",
    "Record",
    "Rubric",
    "Sample",
    "Sampling",
    "StdioCase",
    "StdioTests",
    "StoppedBy",
    "Tests",
    "Trust",
    "Unanswered",
    "Unheard",
    "UnittestTests",
    "Verdict",
    "digest",
]
