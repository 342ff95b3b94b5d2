"""In which order, and where: the pipeline over local workers."""

from assay.engine.pipeline import ReferenceCheck, check_references, judge_work, judge_work_async
from assay.engine.settings import Settings, check_ranges, interpreter
from assay.engine.work import Events, Work

__all__ = [
    "Events",
    "ReferenceCheck",
    "Settings",
    "Work",
    "check_ranges",
    "check_references",
    "interpreter",
    "judge_work",
    "judge_work_async",
]
