"""`assay list`: what this installation knows."""

from __future__ import annotations

import operator
from typing import Annotated

from assay.benchmarks import catalogue
from assay.cli.flags import Switch
from assay.cli.table import draw_table
from assay.cli.terminal import put, put_json
from assay.models import STYLES, model_kinds

METRICS = {
    "pass@k": "chance that at least one of k samples passes, exact; over all tests, over base tests alone",
    "pass^k": "chance that all of k samples pass",
    "maj@k": "chance that the most frequent answer of k samples is right, as far as verdicts tell answers apart",
    "best@k": "chance that the sample of k that does best on base tests passes all",
    "mean_fraction": "mean share of the cases that a sample passes",
    "text": "likeness to the reference (--text): exact match, token F1, BLEU, chrF, ROUGE-L, edit similarity, syntax",
    "rubric": "a judge model's opinion of answers (assay rubric): scores by a rubric, or which of two is better",
}
SANDBOXES = {"local": "jailed processes of this machine; `assay doctor` says how well it isolates"}

_PROMPT = ("name", "version", "endpoint", "description")


def _prompts() -> list[dict[str, str]]:
    told = [{part: str(getattr(style, part)) for part in (*_PROMPT, "digest")} for style in STYLES.values()]
    return sorted(told, key=operator.itemgetter("name"))


def list_parts(*, json: Annotated[bool, Switch] = False) -> None:
    """Show the benchmarks, models, prompt styles, sandboxes and metrics that this installation knows.

    Args:
        json: Print one JSON object.
    """
    benchmarks = catalogue()
    if json:
        parts = {"sandboxes": list(SANDBOXES), "metrics": list(METRICS), "prompts": _prompts()}
        put_json({"benchmarks": benchmarks, "models": [kind.form for kind in model_kinds()], **parts})
        return
    rows = [(info.name, str(info.problems), ", ".join(info.splits), info.description) for info in benchmarks]
    tables = (
        draw_table(("benchmark", "problems", "splits", "what it is"), rows, right=("problems",)),
        draw_table(("model", "who answers"), ((kind.form, kind.description) for kind in model_kinds())),
        draw_table(("prompt", "version", "for", "what it is"), map(operator.itemgetter(*_PROMPT), _prompts())),
        draw_table(("sandbox", "what it is"), SANDBOXES.items()),
        draw_table(("metric", "what it is"), METRICS.items()),
    )
    put("\n".join(tables))
