"""What is asked of a model and what is written down of it: how answers are drawn, and the manifest of a sample file."""

from __future__ import annotations

from typing import Any

from assay.records.base import SCHEMA, Record


class Sampling(Record):
    """How a model draws its answers. None leaves a choice to the server.

    `max_tokens` bounds one answer. `seed` is the run's: each answer is drawn with a seed of its own that is derived from it. `body` are
    further fields of a request, which only that server knows (`top_k`, say).
    """

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    body: dict[str, Any] = {}


class Generation(Record):
    """All that decides a sample file: its manifest.

    `model` is the model as the user names it, `server` where it was asked last (no key is in it), None where there is no server.
    `per_problem` is how many answers are wanted of each problem. `style` names how was asked, `shots` are the ids of the solved problems
    that the prompt shows.
    """

    created: str
    benchmark: str
    benchmark_version: str | None
    benchmark_digest: str
    split: str | None
    limit: int | None
    per_problem: int
    model: str
    server: str | None
    style: str | None
    style_digest: str | None
    shots: tuple[str, ...]
    sampling: Sampling
    versions: dict[str, str]
    schema: int = SCHEMA


class Unanswered(Record):
    """A row of the file of errors: answers that were asked for and did not come. It is no sample.

    `draws` says which of a problem's answers they are, from 0; `retryable` that the same command may get them.
    """

    problem_id: str
    draws: tuple[int, ...]
    error: str
    status: int | None = None
    retryable: bool = False
    schema: int = SCHEMA
