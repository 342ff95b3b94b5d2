"""`assay list`: what this installation knows."""

from __future__ import annotations

from typing import Annotated

from assay.benchmarks import catalogue
from assay.cli.flags import Switch
from assay.cli.table import draw_table
from assay.cli.terminal import put, put_json

METRICS = {
    "pass@k": "chance that at least one of k samples passes, exact; over all tests, over base tests alone",
    "pass^k": "chance that all of k samples pass",
    "maj@k": "chance that the most frequent answer of k samples is right, as far as verdicts tell answers apart",
    "best@k": "chance that the sample of k that does best on base tests passes all",
    "mean_fraction": "mean share of the cases that a sample passes",
    "text": "likeness to the reference (--text): exact match, token F1, BLEU, chrF, ROUGE-L, edit similarity, syntax",
}
SANDBOXES = {"local": "jailed processes of this machine; `assay doctor` says how well it isolates"}


def list_parts(*, json: Annotated[bool, Switch] = False) -> None:
    """Show the benchmarks, sandboxes and metrics that this installation knows.

    Args:
        json: Print one JSON object.
    """
    benchmarks = catalogue()
    if json:
        put_json({"benchmarks": benchmarks, "sandboxes": list(SANDBOXES), "metrics": list(METRICS)})
        return
    rows = [(info.name, str(info.problems), ", ".join(info.splits), info.description) for info in benchmarks]
    tables = (
        draw_table(("benchmark", "problems", "splits", "what it is"), rows, right=("problems",)),
        draw_table(("sandbox", "what it is"), SANDBOXES.items()),
        draw_table(("metric", "what it is"), METRICS.items()),
    )
    put("\n".join(tables))
