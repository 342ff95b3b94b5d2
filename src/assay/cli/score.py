"""`assay score`: numbers out of a run folder."""

from __future__ import annotations

from assay.cli.flags import USUAL_DETAIL, USUAL_SCORING, Detail, Scoring
from assay.cli.summary import show_run


def score_run(run: str, /, *, scoring: Scoring = USUAL_SCORING, detail: Detail = USUAL_DETAIL) -> int:
    """Show pass@k and the mean fraction of cases passed, each with its interval, and count outcomes and trust.

    Writes RUN/estimates.json too, where it may. A number that can't be known is null, with the reason. Exit status 1 if some samples have
    no verdict.

    Args:
        run: The folder that `assay judge -o RUN` wrote.
        scoring: Which numbers, and how.
        detail: Which numbers beyond the usual ones, and of which parts of the run.
    """
    return show_run(run, scoring, detail)
