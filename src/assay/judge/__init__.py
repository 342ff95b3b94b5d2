"""What it means: executions become a verdict, on the trusted side.

`fork.py` and what it imports run inside the jailed judge process and need the standard library only; `verdicts.py` runs in the engine.
"""

from assay.judge.plainness import is_plain
from assay.judge.verdicts import Marks, Report, Ruling, count_vacuous, unit_groups

__all__ = ["Marks", "Report", "Ruling", "count_vacuous", "is_plain", "unit_groups"]
