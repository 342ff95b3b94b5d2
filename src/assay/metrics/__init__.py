"""How good: verdicts become estimates. Exact pass@k, intervals by problem, comparison, undefined values with a reason."""

from assay.metrics.answers import Answers
from assay.metrics.approximations import bias, pass_at_k_binomial, pass_at_k_first_order
from assay.metrics.bootstrap import bootstrap_interval
from assay.metrics.comparison import Comparison, Question, compare, compare_all, difference_interval
from assay.metrics.draws import best_at_k, majority_at_k, pass_all_k, pass_all_ks
from assay.metrics.groups import By, Group, by_difficulty, by_label, outcome_shares
from assay.metrics.interval import Interval, interval_by_problem, wilson
from assay.metrics.likeness import Compared, Likeness, likeness, rank_correlation
from assay.metrics.passk import k_list, pass_at_k, pass_at_k_array, pass_at_k_product, pass_at_ks
from assay.metrics.planning import Outlook, Precision, precision, samples_needed, variance_parts
from assay.metrics.score import ANSWER_METRICS, METRICS, USUAL_METRICS, Metric, metric_list, score, shorten_reason
from assay.metrics.significance import exact_interval, holm, mcnemar, sign_flip_test
from assay.metrics.tally import Kind, ProblemCounts, Tally
from assay.metrics.text import TEXT_METRICS
from assay.metrics.views import Missing

__all__ = [
    "ANSWER_METRICS",
    "METRICS",
    "TEXT_METRICS",
    "USUAL_METRICS",
    "Answers",
    "By",
    "Compared",
    "Comparison",
    "Group",
    "Interval",
    "Kind",
    "Likeness",
    "Metric",
    "Missing",
    "Outlook",
    "Precision",
    "ProblemCounts",
    "Question",
    "Tally",
    "best_at_k",
    "bias",
    "bootstrap_interval",
    "by_difficulty",
    "by_label",
    "compare",
    "compare_all",
    "difference_interval",
    "exact_interval",
    "holm",
    "interval_by_problem",
    "k_list",
    "likeness",
    "majority_at_k",
    "mcnemar",
    "metric_list",
    "outcome_shares",
    "pass_all_k",
    "pass_all_ks",
    "pass_at_k",
    "pass_at_k_array",
    "pass_at_k_binomial",
    "pass_at_k_first_order",
    "pass_at_k_product",
    "pass_at_ks",
    "precision",
    "rank_correlation",
    "samples_needed",
    "score",
    "shorten_reason",
    "sign_flip_test",
    "variance_parts",
    "wilson",
]
