"""What a judge model is asked and what it says: an opinion, which is never a verdict.

What holds: an opinion keeps what the judge was shown and its whole reply, so that anybody can read it again; a reply that could not be
read has no scores and says why.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from assay.records.base import SCHEMA, Record, digest
from assay.records.generated import Sampling

Placing = Literal["alone", "as_given", "swapped"]
"""How answers stood before the judge: one alone; or two, the first source's before the second's, or after it."""

Place = Literal["first", "second", "tie"]
"""Which of two answers is better: the one that stands first or second, or neither."""


class Rubric(Record):
    """By what a judge model judges, as data.

    Args:
        name: How it is called; with the version what people quote.
        version: Changes whenever a word changes.
        description: A line for people.
        criteria: Names and the question that each asks about an answer.
        scale: The best score; 1 is the worst.
        decides: The criterion whose score says whether the judge takes an answer for right.
        right_from: From this score of it on it does.
    """

    name: str
    version: str
    criteria: dict[str, str]
    scale: int
    decides: str
    right_from: int
    description: str = ""

    @property
    def digest(self) -> str:
        """32 hexadecimal digits over all that decides a prompt or the reading of a score: all but name, version and description."""
        return digest(msgspec.json.encode(msgspec.structs.replace(self, name="", version="", description="")))


class Opinion(Record):
    """One reply of a judge model: a row of `opinions.jsonl`.

    `sample_index` is of the first source's sample, `other_index` of the second's, None where one answer stood alone. `scores` has a
    number for each criterion; `better` is by place, as the judge saw it. Both are None where the reply can't be read, and `unread` says
    why. `seen` are the messages that were sent, `prompt_digest` is of all that was sent.
    """

    problem_id: str
    sample_index: int
    other_index: int | None
    placing: Placing
    scores: dict[str, int] | None
    better: Place | None
    unread: str | None
    reply: str
    seen: tuple[dict[str, str], ...]
    prompt_digest: str
    model: str
    finish_reason: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    schema: int = SCHEMA


class Unheard(Record):
    """A row of `errors.jsonl`: a question to which no reply came. It is no opinion; `retryable` says that the same command may get one."""

    problem_id: str
    sample_index: int
    other_index: int | None
    placing: Placing
    error: str
    status: int | None = None
    retryable: bool = False
    schema: int = SCHEMA


class Inquiry(Record):
    """All that decides a folder of opinions: its manifest, `inquiry.json`.

    `sources` are the sample files or run folders as the user named them, one or two; `model` is the judge as the user names it,
    `server` the address that was given for it, without any key. `shown` says what of an answer the judge sees, `reference` whether it
    sees the reference too.
    """

    created: str
    benchmark: str
    benchmark_version: str | None
    benchmark_digest: str
    split: str | None
    limit: int | None
    per_problem: int | None
    sources: tuple[str, ...]
    samples_digests: tuple[str, ...]
    rubric: Rubric
    model: str
    server: str | None
    sampling: Sampling
    shown: str
    reference: bool
    versions: dict[str, str]
    schema: int = SCHEMA
