"""How good: verdicts become estimates. Exact pass@k, intervals by problem, undefined values with a reason."""

from assay.metrics.interval import Interval, interval_by_problem, wilson
from assay.metrics.passk import k_list, pass_at_k, pass_at_k_array, pass_at_k_product
from assay.metrics.score import Missing, score, shorten_reason
from assay.metrics.tally import Kind, ProblemCounts, Tally

__all__ = [
    "Interval",
    "Kind",
    "Missing",
    "ProblemCounts",
    "Tally",
    "interval_by_problem",
    "k_list",
    "pass_at_k",
    "pass_at_k_array",
    "pass_at_k_product",
    "score",
    "shorten_reason",
    "wilson",
]
