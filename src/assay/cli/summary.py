"""A run in numbers, for people (tables) and for programs (one JSON object): what `score`, `judge` and `demo` show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from assay.cli.flags import USUAL_DETAIL
from assay.cli.grouping import Asked, Judged, group_run
from assay.cli.run_problems import compared_samples, only_split, problems_of
from assay.cli.score_forms import Numbers, csv_text, markdown_text
from assay.cli.table import draw_table, wrap_text
from assay.cli.terminal import put, put_json, say
from assay.counts import count_of
from assay.errors import SettingsError, StoreError
from assay.metrics import ANSWER_METRICS, MISSING_WORDS, Answers, Tally, about_unconfirmed, likeness, shorten_reason
from assay.records import Outcome
from assay.store import StoredRun, read_run, write_estimates

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from assay.cli.flags import Detail, Scoring
    from assay.metrics import Group, Likeness
    from assay.records import Estimate, Manifest

USUAL_KS = (1, 10, 100)
"""The k that are shown unasked, as far as every problem has so many samples."""

_NOT_LOOKED_FOR = {"solution", "solution + prompt imports", "completion", "unknown"}
"""How programs are found that nobody had to look for; `unknown` in rows of earlier releases."""


class Summary(NamedTuple):
    """A run's numbers and what they rest on."""

    manifest: Manifest
    tally: Tally
    estimates: tuple[Estimate, ...]
    notes: tuple[str, ...]
    groups: tuple[Group, ...] = ()
    text: tuple[Likeness, ...] = ()

    @property
    def unjudged(self) -> int:
        """Samples that have no verdict."""
        return sum(counts.lacking for counts in self.tally.problems.values())

    def as_json(self) -> dict[str, Any]:
        """What `assay score --json` prints."""
        return {
            "estimates": self.estimates,
            "outcomes": {outcome.value: count for outcome, count in _in_order(self.tally)},
            "trust": {trust.value: count for trust, count in sorted(self.tally.trust.items())},
            "how_extracted": dict(self.tally.how_extracted.most_common()),
            "trials": self.tally.trials,
            "flaky": self.tally.flaky,
            "flaky_passed_in_some": self.tally.partly_passed,
            "time_limits_unconfirmed": self.tally.unconfirmed,
            "special_cased": self.tally.special_cased,
            **({"groups": self.groups} if self.groups else {}),
            **({"text": self.text} if self.text else {}),
        }

    def as_text(self, *, hidden: bool = True) -> str:
        """What `assay score` prints; `hidden` also tells how code was found, and in words what base tests alone would hide."""
        outcomes = [(outcome.value, f"{count:,}") for outcome, count in _in_order(self.tally)]
        trust = [(trust.value, f"{count:,}") for trust, count in sorted(self.tally.trust.items())]
        return "\n".join(
            (
                self._headline(),
                _estimates_table(self.estimates) + (_hidden(self.estimates) if hidden else "") + self._way_out(),
                *_groups_tables(self.groups),
                *_text_tables(self.text),
                *_counts_table("outcome", outcomes, self._shares()),
                *_counts_table("trust", trust),
                *(self._ways() if hidden else ()),
                *self._doubts(),
            )
        )

    def _way_out(self) -> str:
        """What the user can do about problems without samples, if these leave a number open."""
        if not any("no samples for" in (each.reason or "") for each in self.estimates):
            return ""
        told = "hint: --missing fail counts problems without samples as failed, --missing skip leaves them out"
        split = only_split(self.manifest)
        more = f"; all samples are of one split: judge them with --split {split}, into another folder" if split else ""
        return f"\n{wrap_text(told + more)}\n"

    def _shares(self) -> list[float]:
        """The share of samples of each outcome that occurred."""
        return [count / self.tally.outcomes.total() for _, count in _in_order(self.tally)]

    def _ways(self) -> tuple[str, ...]:
        """A table of how programs were found, where any had to be looked for."""
        found = self.tally.how_extracted
        if found.keys() <= _NOT_LOOKED_FOR:
            return ()
        rows = [(how, f"{count:,}") for how, count in found.most_common()]
        return _counts_table("code found by", rows)

    def _doubts(self) -> tuple[str, ...]:
        """What makes verdicts less certain than they look, a line each."""
        tally = self.tally
        lines = []
        if tally.trials > 1:
            some = f", {tally.partly_passed:,} of them passed in some" if tally.flaky else ""
            lines.append(
                f"flaky: {count_of(tally.flaky, 'sample')} had several outcomes in {tally.trials} trials{some}"
            )
        if tally.unconfirmed:
            lines.append(f"unconfirmed: {about_unconfirmed(tally.unconfirmed)}")
        if tally.special_cased:
            verb = "passes" if tally.special_cased == 1 else "pass"
            told = f"{count_of(tally.special_cased, 'sample')} {verb} the tests but would not pass many others"
            lines.append(
                f"special-cased: {told}: {_named(tally)} (fields `hidden` and `special_cased` of the verdicts)"
            )
        return tuple(f"{wrap_text(line)}\n" for line in lines)

    def _headline(self) -> str:
        manifest = self.manifest
        problems = count_of(manifest.problems, "problem")
        if manifest.invalid:
            problems = f"{len(self.tally.problems):,} of {problems}, {len(manifest.invalid)} invalid"
        samples = count_of(sum(self.tally.outcomes.values()), "sample")
        unjudged = f", {self.unjudged:,} without a verdict" if self.unjudged else ""
        return f"{manifest.benchmark}: {problems}, {samples}{unjudged}, isolation {manifest.isolation.level}\n"


def _counts_table(head: str, rows: Sequence[tuple[str, str]], bars: Sequence[float] = ()) -> tuple[str, ...]:
    """A table of how many samples there are of each kind; none where there is no sample."""
    return (draw_table((head, "samples"), rows, right=("samples",), bars=bars),) if rows else ()


def _named(tally: Tally) -> str:
    """The first special-cased samples by name."""
    names = ", ".join(f"{problem_id} #{index}" for problem_id, index in tally.first_special_cased)
    more = tally.special_cased - len(tally.first_special_cased)
    return f"{names} and {more:,} more" if more else names


def _in_order(tally: Tally) -> list[tuple[Outcome, int]]:
    """Best first; outcomes that did not occur are left out."""
    return [(outcome, tally.outcomes[outcome]) for outcome in reversed(Outcome) if tally.outcomes[outcome]]


def _estimates_table(estimates: Sequence[Estimate]) -> str:
    heads = ("estimate", "tests", "value", "interval", "problems", "samples")
    rows = [
        (each.name, each.tests, _number(each.value), _interval(each), f"{each.problems:,}", f"{each.samples:,}")
        for each in estimates
    ]
    bars = [each.value for each in estimates]
    right, spare = ("value", "problems", "samples"), ("samples", "problems")
    return draw_table(heads, rows, right=right, spare=spare, bars=bars) + _reasons(estimates)


def _hidden(estimates: Sequence[Estimate]) -> str:
    """What base tests alone would say beside what all tests say, a line each pass@k."""
    found = {(each.name, each.tests): each.value for each in estimates if each.name.startswith("pass@")}
    pairs = [(name, base, found.get((name, "all"))) for (name, tests), base in found.items() if tests == "base"]
    lines = [
        f"{name}: {base:.4f} by base tests alone, {both:.4f} by all: the others take {base - both:.4f}"
        for name, base, both in pairs
        if base is not None and both is not None and f"{base:.4f}" != f"{both:.4f}"
    ]
    return "".join(f"{wrap_text(line)}\n" for line in ("", *lines)) if lines else ""


def _groups_tables(groups: Sequence[Group]) -> tuple[str, ...]:
    """One table of all groups, if there are any."""
    if not groups:
        return ()
    heads = (groups[0].by, "estimate", "tests", "value", "interval", "problems", "samples")
    rows = [
        (
            part.name,
            each.name,
            each.tests,
            _number(each.value),
            _interval(each),
            f"{each.problems:,}",
            f"{each.samples:,}",
        )
        for part in groups
        for each in part.estimates
    ]
    return (draw_table(heads, rows, right=("value", "problems", "samples"), spare=("samples", "problems")),)


def _text_tables(text: Sequence[Likeness]) -> tuple[str, ...]:
    """One table of all text metrics, if there are any."""
    if not text:
        return ()
    heads = ("likeness to the reference", "value", "rank correlation", "right above wrong", "problems", "samples")
    rows = [
        (
            each.name,
            *(_number(number) for number in (each.value, each.rank_correlation, each.right_above_wrong)),
            f"{each.problems:,}",
            f"{each.samples:,}",
        )
        for each in text
    ]
    return (draw_table(heads, rows, right=heads[1:], spare=("samples", "problems")),)


def _reasons(estimates: Sequence[Estimate]) -> str:
    """Why numbers are undefined, a line each reason: too long for a column."""
    named: dict[str, list[str]] = {}
    for each in estimates:
        if each.reason:
            named.setdefault(shorten_reason(each.reason), []).append(f"{each.name} ({each.tests})")
    lines = [wrap_text(f"{', '.join(names)}: {reason}") for reason, names in named.items()]
    lines += [wrap_text(line) for line in map(_open, estimates) if line]
    return "".join(f"{line}\n" for line in ("", *lines)) if lines else ""


def _open(estimate: Estimate) -> str:
    """How far a number that is given may be off, where something is not known of it."""
    if estimate.value is None or estimate.at_least is None or estimate.at_most is None:
        return ""
    # maj@k is open where nothing is missing too: whether two wrong answers are the same is not known of all.
    why = "whichever wrong answers agree" if estimate.name.startswith("maj@") else MISSING_WORDS
    return f"{estimate.name} ({estimate.tests}): between {estimate.at_least:.4f} and {estimate.at_most:.4f}, {why}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _interval(estimate: Estimate) -> str:
    if estimate.value is None and estimate.at_least is not None and estimate.at_most is not None:
        return f"{estimate.at_least:.3f} to {estimate.at_most:.3f} (bounds)"
    if estimate.low is None or estimate.high is None:
        return "-"
    return f"{estimate.low:.3f} to {estimate.high:.3f} ({estimate.level:.0%})"


def summarise(folder: str | Path, scoring: Scoring, detail: Detail = USUAL_DETAIL) -> Summary:
    """Read a run folder, count and score it, and write its `estimates.json`; a note says if that can't be written.

    Raises:
        StoreError: The run can't be read.
        SettingsError: A metric is not known, or groups need problems that are not at hand.
    """
    if scoring.json + detail.csv + detail.markdown > 1:
        raise SettingsError("--json, --csv and --markdown are three forms of one output", hint="give one of them")
    metrics = detail.chosen()
    run, answers = read_run(folder), Answers()
    # Memory grows with different answers, of which a run may have as many as samples: so only if they are asked for.
    wanted = detail.by == "outcome" or not ANSWER_METRICS.isdisjoint(metrics)
    tally = _count(run, answers if wanted else None, strict=scoring.strict)
    asked = Asked(scoring.ks() or _usual_ks(tally), scoring.missing, metrics)
    estimates = asked.of(tally, answers)
    groups = group_run(Judged(run.manifest, tally, answers), detail.by, asked, detail.data) if detail.by else ()
    text = _likeness(run, detail.data) if detail.text else ()
    trust = {trust.value: count for trust, count in tally.trust.items()}
    notes = (*run.notes, *_no_extra_tests(tally))
    try:
        write_estimates(run.folder, estimates, tally.outcomes, trust)
    except StoreError as error:  # the numbers are there all the same: somebody else's run, say, on a read-only disk
        notes = (*notes, f"warning: these numbers are not kept: {error}")
    return Summary(run.manifest, tally, estimates, notes, groups, text)


def _likeness(run: StoredRun, data: str | None) -> tuple[Likeness, ...]:
    benchmark = problems_of(run.manifest, data, "the references of its problems")
    return likeness(compared_samples(run, benchmark))


def _count(run: StoredRun, answers: Answers | None, *, strict: bool) -> Tally:
    tally = Tally.of_run(run.manifest)
    for verdict in run.verdicts():
        tally.add(verdict)
        if answers is not None and verdict.problem_id in tally.problems:
            answers.add(verdict)
    if strict and run.manifest.invalid:
        tally.doubt = f"invalid problems: {', '.join(problem.id for problem in run.manifest.invalid)}"
    return tally


def _no_extra_tests(tally: Tally) -> tuple[str, ...]:
    bare = tally.without_plus()
    return (shorten_reason(f"no extra tests (base tests alone decide): {', '.join(bare)}"),) if bare else ()


def _usual_ks(tally: Tally) -> tuple[int, ...]:
    fewest = min((counts.samples for counts in tally.problems.values() if counts.samples), default=1)
    return tuple(k for k in USUAL_KS if k <= fewest) or USUAL_KS[:1]


def show_run(folder: str | Path, scoring: Scoring, detail: Detail = USUAL_DETAIL) -> int:
    """Score a run, print its numbers to stdout, and give the exit status: 1 if some samples have no verdict.

    Raises:
        StoreError: The run can't be read.
    """
    summary = summarise(folder, scoring, detail)
    for note in summary.notes:
        say(note)
    if scoring.json:
        put_json(summary.as_json())
    elif detail.csv or detail.markdown:
        numbers = Numbers(summary.manifest, summary.tally, summary.estimates, summary.groups)
        put(csv_text(numbers) if detail.csv else markdown_text(numbers))
    else:
        put(summary.as_text())
    return 1 if summary.unjudged else 0
