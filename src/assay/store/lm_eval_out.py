"""Verdicts out as lm-evaluation-harness's sample log (`--log_samples`), for the tools that read such logs.

Keeps true: `store.foreign.lm_eval` reads back the texts that were judged (the form can't tell a whole program from an answer that is
one: it comes back as an answer); a sample without a verdict is left out, since the form has no word for it.
One problem is in memory at a time.
"""

from __future__ import annotations

import hashlib
import json
import re
from itertools import groupby
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from assay.records import Mode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from assay.records import Manifest
    from assay.store.export import Judged

FILTER = "assay"
"""What the form calls that which made programs of responses."""


def lm_eval_name(manifest: Manifest) -> str:
    """The name that lm-eval would give to the log: `samples_TASK_TIME.jsonl`.

    The task is the benchmark's name, of a file what stands before the first dot.
    """
    task = re.sub(r"[^\w+-]+", "_", PurePath(manifest.benchmark).name.partition(".")[0]) or "task"
    time = re.sub(r"[^\dT-]", "-", manifest.created[:19])
    return f"samples_{task}_{time}.000000.jsonl"


def lm_eval_lines(judged: Iterable[Judged]) -> Iterator[str]:
    """The lines of the log, one a problem; `judged` come problem by problem."""
    for number, (_, group) in enumerate(groupby(judged, key=lambda each: each.sample.problem_id)):
        yield json.dumps(_row(number, list(group))) + "\n"


def _row(number: int, judged: Sequence[Judged]) -> dict[str, Any]:
    first = judged[0]
    prompt = first.problem.prompt if first.problem is not None else ""
    # What was sent to the model is known of completions alone; a reader takes a text that continues the prompt for one.
    sent = prompt if all(each.sample.mode is Mode.COMPLETION for each in judged) else ""
    document = {"task_id": first.sample.problem_id, "prompt": prompt}
    target = first.problem.reference or "" if first.problem is not None else ""
    texts = [each.sample.text for each in judged]
    right = sum(each.verdict.passed for each in judged)
    return {
        "doc_id": number,
        "doc": document,
        "target": target,
        "arguments": {"gen_args_0": {"arg_0": sent, "arg_1": {}}},
        "resps": [texts],
        "filtered_resps": [_programs(judged)],
        "filter": FILTER,
        "metrics": ["pass@1", "mean_fraction"],
        "doc_hash": _hash(json.dumps(document, indent=2, ensure_ascii=False)),
        "prompt_hash": _hash(sent),
        "target_hash": _hash(target),
        "pass@1": right / len(judged),
        "mean_fraction": sum(each.verdict.score for each in judged) / len(judged),
        "outcomes": [each.verdict.outcome.value for each in judged],
        "sample_indices": [each.sample.index for each in judged],
    }


def _programs(judged: Sequence[Judged]) -> list[str]:
    """What was run, where that is known of every sample; of completions and chat answers the responses, which say as much."""
    programs = [each.program for each in judged if each.program is not None]
    whole = all(each.sample.mode is Mode.SOLUTION for each in judged)
    return programs if whole and len(programs) == len(judged) else [each.sample.text for each in judged]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
