"""What it means: executions become a verdict, on the trusted side.

`fork.py` and what it imports run inside the jailed judge process and need the standard library only; `verdicts.py` and
`whole_programs.py` run in the engine.
"""

from assay.judge.plain_programs import is_plain_program
from assay.judge.plainness import is_plain
from assay.judge.verdicts import Marks, Report, Ruling, count_vacuous, unit_groups
from assay.judge.whole_programs import (
    STDERR_MIB,
    CaseRun,
    cases_of,
    ends_sample,
    is_whole_program,
    read_run,
    verdict_of_runs,
)

__all__ = [
    "STDERR_MIB",
    "CaseRun",
    "Marks",
    "Report",
    "Ruling",
    "cases_of",
    "count_vacuous",
    "ends_sample",
    "is_plain",
    "is_plain_program",
    "is_whole_program",
    "read_run",
    "unit_groups",
    "verdict_of_runs",
]
