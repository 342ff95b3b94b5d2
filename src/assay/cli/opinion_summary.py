"""What a judge model said, in numbers: for people (tables) and for programs (one JSON object)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.cli.opinion_text import checked_text, preferences_text, scores_text
from assay.metrics import check_preferences, check_scores, compare_preferences, mean_scores, preferences

if TYPE_CHECKING:
    from assay.cli.opinion_session import OpinionPlan
    from assay.metrics import Checked, Preferences, Score
    from assay.records import Opinion


class Found(NamedTuple):
    """What the judge said, and the numbers that come of it."""

    plan: OpinionPlan
    model: str
    asked: int
    opinions: list[Opinion]

    @property
    def unread(self) -> Counter[str]:
        """Why replies could not be read, and how often."""
        return Counter(each.unread for each in self.opinions if each.unread is not None)

    def scores(self) -> tuple[Score, ...]:
        """The mean scores of one source."""
        return () if self.is_pairwise else mean_scores(self.opinions, self.plan.rubric)

    def preferences(self) -> Preferences | None:
        """Which of two sources is preferred."""
        return compare_preferences(preferences(self.opinions)) if self.is_pairwise else None

    def checked(self) -> Checked | None:
        """How far the judge agrees with tests, where answers were judged by them."""
        first = self.plan.sources[0]
        if self.is_pairwise:
            return check_preferences(preferences(self.opinions), first.outcomes, self.plan.sources[1].outcomes)
        return check_scores(self.opinions, first.outcomes, self.plan.rubric)

    @property
    def is_pairwise(self) -> bool:
        """Whether two sources are compared."""
        return len(self.plan.sources) > 1

    def as_json(self) -> dict[str, Any]:
        """What `assay rubric --json` prints."""
        rubric = self.plan.rubric
        return {
            "rubric": {"name": rubric.name, "version": rubric.version, "digest": rubric.digest},
            "model": self.model,
            "sources": [each.name for each in self.plan.sources],
            "asked": self.asked,
            "replies": len(self.opinions),
            "unread": dict(self.unread.most_common()),
            "scores": self.scores(),
            "preferences": self.preferences(),
            "verdicts": self.checked(),
        }

    def as_text(self) -> str:
        """What `assay rubric` prints."""
        rubric, compared, checked = self.plan.rubric, self.preferences(), self.checked()
        replies = f"{len(self.opinions):,} of {self.asked:,} {'reply' if self.asked == 1 else 'replies'}"
        parts = [f"{rubric.name}@{rubric.version} by {self.model}: {replies}, {self.unread.total():,} not readable\n"]
        if compared is not None:
            parts.append(preferences_text([each.name for each in self.plan.sources], compared))
        elif scores := self.scores():
            parts.append(scores_text(rubric, scores))
        if checked is not None:
            parts.append(checked_text(checked))
        return "\n".join(parts)
