"""How good: verdicts become estimates. Exact pass@k, intervals by problem, comparison, undefined values with a reason."""

from assay.metrics.agreement import Agreement, Rated, agreement, cohen_kappa
from assay.metrics.answers import Answers
from assay.metrics.approximations import bias, pass_at_k_binomial, pass_at_k_first_order
from assay.metrics.bootstrap import bootstrap_interval
from assay.metrics.comparison import Comparison, Question, compare, compare_all, difference_interval
from assay.metrics.draws import best_at_k, majority_at_k, pass_all_k, pass_all_ks
from assay.metrics.groups import By, Group, by_difficulty, by_label, outcome_shares
from assay.metrics.interval import Interval, interval_by_problem, wilson
from assay.metrics.likeness import Compared, Likeness, likeness, rank_correlation
from assay.metrics.opinion_prompts import in_one_message, pair_prompt, scoring_prompt
from assay.metrics.opinion_replies import Reading, read_better, read_scores
from assay.metrics.opinions import (
    Checked,
    OutcomeOpinion,
    PairOutcome,
    Preference,
    Preferences,
    Score,
    check_preferences,
    check_scores,
    compare_preferences,
    mean_scores,
    preferences,
)
from assay.metrics.passk import k_list, pass_at_k, pass_at_k_array, pass_at_k_product, pass_at_ks
from assay.metrics.planning import (
    MOST_SAMPLES,
    Outlook,
    Precision,
    precision,
    precision_curve,
    samples_needed,
    variance_parts,
)
from assay.metrics.rubrics import RUBRICS, find_rubric
from assay.metrics.score import ANSWER_METRICS, METRICS, USUAL_METRICS, Metric, metric_list, score, shorten_reason
from assay.metrics.significance import exact_interval, holm, mcnemar, sign_flip_test
from assay.metrics.tally import MISSING_WORDS, Kind, ProblemCounts, Tally, about_unconfirmed
from assay.metrics.text import TEXT_METRICS
from assay.metrics.views import Missing

__all__ = [
    "ANSWER_METRICS",
    "METRICS",
    "MISSING_WORDS",
    "MOST_SAMPLES",
    "RUBRICS",
    "TEXT_METRICS",
    "USUAL_METRICS",
    "Agreement",
    "Answers",
    "By",
    "Checked",
    "Compared",
    "Comparison",
    "Group",
    "Interval",
    "Kind",
    "Likeness",
    "Metric",
    "Missing",
    "OutcomeOpinion",
    "Outlook",
    "PairOutcome",
    "Precision",
    "Preference",
    "Preferences",
    "ProblemCounts",
    "Question",
    "Rated",
    "Reading",
    "Score",
    "Tally",
    "about_unconfirmed",
    "agreement",
    "best_at_k",
    "bias",
    "bootstrap_interval",
    "by_difficulty",
    "by_label",
    "check_preferences",
    "check_scores",
    "cohen_kappa",
    "compare",
    "compare_all",
    "compare_preferences",
    "difference_interval",
    "exact_interval",
    "find_rubric",
    "holm",
    "in_one_message",
    "interval_by_problem",
    "k_list",
    "likeness",
    "majority_at_k",
    "mcnemar",
    "mean_scores",
    "metric_list",
    "outcome_shares",
    "pair_prompt",
    "pass_all_k",
    "pass_all_ks",
    "pass_at_k",
    "pass_at_k_array",
    "pass_at_k_binomial",
    "pass_at_k_first_order",
    "pass_at_k_product",
    "pass_at_ks",
    "precision",
    "precision_curve",
    "preferences",
    "rank_correlation",
    "read_better",
    "read_scores",
    "samples_needed",
    "score",
    "scoring_prompt",
    "shorten_reason",
    "sign_flip_test",
    "variance_parts",
    "wilson",
]
