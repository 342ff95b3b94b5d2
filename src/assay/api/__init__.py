"""The Python API: problems and samples in, verdicts and numbers out, nothing on disk.

The same engine, judge and sandbox as the command line; only where verdicts go differs. `batch.py` judges a list and ends what it started;
`warm.py` keeps workers for who asks again and again. The names here are re-exported, lazily, by `assay` itself.
"""

from assay.api.batch import Result, expected_samples, judge_samples, plan_work
from assay.api.warm import AsyncJudge, Judge

__all__ = ["AsyncJudge", "Judge", "Result", "expected_samples", "judge_samples", "plan_work"]
