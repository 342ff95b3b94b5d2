"""In which order, and where: the pipeline over local workers."""

from assay.engine.fitting import fitting_limit_mib, fitting_limit_s
from assay.engine.generation import Asked, AskEvents, Asking, ask_all, questions
from assay.engine.overlap import Feed
from assay.engine.pipeline import judge_work, judge_work_async
from assay.engine.references import ReferenceCheck, check_references
from assay.engine.settings import HiddenMode, Settings, check_ranges, interpreter
from assay.engine.standing import Standing
from assay.engine.work import Events, Work

__all__ = [
    "AskEvents",
    "Asked",
    "Asking",
    "Events",
    "Feed",
    "HiddenMode",
    "ReferenceCheck",
    "Settings",
    "Standing",
    "Work",
    "ask_all",
    "check_ranges",
    "check_references",
    "fitting_limit_mib",
    "fitting_limit_s",
    "interpreter",
    "judge_work",
    "judge_work_async",
    "questions",
]
