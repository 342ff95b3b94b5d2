"""What it means: executions become a verdict, on the trusted side.

`fork.py` and what it imports run inside the jailed judge process and need the standard library only; `verdicts.py`, `special_cases.py` and
`whole_programs.py` run in the engine.
"""

from assay.judge.plain_programs import is_plain_program, is_repeatable
from assay.judge.plainness import is_plain
from assay.judge.questions import SCREEN
from assay.judge.script import Script
from assay.judge.special_cases import (
    CLEARED,
    LEAST,
    HiddenAnswers,
    HiddenCount,
    HiddenQuestions,
    of_tests,
    read_answers,
    read_questions,
    screen_of,
    weigh,
)
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
    "CLEARED",
    "LEAST",
    "SCREEN",
    "STDERR_MIB",
    "CaseRun",
    "HiddenAnswers",
    "HiddenCount",
    "HiddenQuestions",
    "Marks",
    "Report",
    "Ruling",
    "Script",
    "cases_of",
    "count_vacuous",
    "ends_sample",
    "is_plain",
    "is_plain_program",
    "is_repeatable",
    "is_whole_program",
    "of_tests",
    "read_answers",
    "read_questions",
    "read_run",
    "screen_of",
    "unit_groups",
    "verdict_of_runs",
    "weigh",
]
