"""What is asked: data sets, read into `Problem` records with everything that judging them needs.

Readers keep the published rows as they are, list every unusable row at once, and never run code of a data set.
"""

from assay.benchmarks.catalogue import BenchmarkInfo, catalogue, recorded_samples
from assay.benchmarks.limit_files import LimitsFile, declared_limits, limits_place, limits_text
from assay.benchmarks.loading import from_rows, load, select
from assay.benchmarks.questions import read_questions
from assay.benchmarks.review import Finding, FindingKind, review
from assay.order import natural_key

__all__ = [
    "BenchmarkInfo",
    "Finding",
    "FindingKind",
    "LimitsFile",
    "catalogue",
    "declared_limits",
    "from_rows",
    "limits_place",
    "limits_text",
    "load",
    "natural_key",
    "read_questions",
    "recorded_samples",
    "review",
    "select",
]
