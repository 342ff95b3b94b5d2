"""What a run's numbers rest on, in sentences: trust, isolation, what is missing, and what must be known before a number is quoted."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from assay.benchmarks.catalogue import NAMED
from assay.counts import count_of, listed
from assay.metrics import MISSING_WORDS, about_unconfirmed, shorten_reason
from assay.records import Outcome, Trust
from assay.report.svg import percent
from assay.store import differences
from assay.visible import on_one_line, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assay.records import Estimate, Manifest
    from assay.report.numbers import View

SHARED_ERROR = 0.25
"""If so many of all samples share one error, the run is more likely at fault than they are."""

TRUST_WORDS = {
    Trust.ANCHORED: "anchored: computed by the judge from copied plain data, nothing rests on the word of the code on trial",
    Trust.DELEGATED: "delegated: rest in part on the candidate's own operators, probed against the reference",
    Trust.CO_RESIDENT: "co-resident: tests shared the candidate's interpreter and can be forged",
    Trust.EXIT_STATUS: "by exit status alone: easily forged",
}

ISOLATION_WORDS = {
    "L5": "a virtual machine or a kernel of its own round the jail",
    "L4": "a jail with namespaces of its own and two users, so that samples can't touch what judges them",
    "L3": "a jail with namespaces of its own, under one unprivileged user",
    "L2": "Landlock and seccomp, without namespaces",
    "L1": "resource limits alone: only for code that one would run oneself",
    "L0": "no isolation at all: only for code that one would run oneself",
}

_FLAGS = {
    "time_s": "--timeout",
    "memory_mib": "--memory",
    "equality": "--equality",
    "python": "--python",
    "trials": "--trials",
    "hidden": "--hidden",
}
_USUAL: Mapping[str, Any] = {"trials": 1, "hidden": "flag"}
_SWITCHES = {"challenge": "--challenge"}


def over(view: View) -> str:
    """Over how many problems and samples a run's numbers are."""
    manifest, known = view.source.run.manifest, len(view.survey.tally.problems)
    total = max(manifest.problems, known)
    problems = count_of(total, "problem")
    if manifest.invalid:
        problems = f"{known:,} of {problems} ({len(manifest.invalid):,} invalid)"
    return f"{problems}, {count_of(view.survey.samples, 'sample')}"


def headline(estimate: Estimate | None) -> str:
    """The first number in a sentence."""
    if estimate is None:
        return "No number was asked for."
    if estimate.value is None:
        bounds = ""
        if estimate.at_least is not None and estimate.at_most is not None:
            bounds = f" It lies between {percent(estimate.at_least)} and {percent(estimate.at_most)}, {MISSING_WORDS}."
        return visible(shorten_reason(estimate.reason or "undefined").capitalize()) + "." + bounds
    low, high = percent(estimate.low or 0.0), percent(estimate.high or 0.0)
    k = estimate.name.removeprefix("pass@")
    drawn = "A sample drawn at random" if k == "1" else f"At least one of {k} samples drawn at random"
    interval = f"the {estimate.level:.0%} interval is {low} to {high}"
    return f"{drawn} solves a problem like these {percent(estimate.value)} of the time; {interval}."


def trust_sentences(view: View) -> tuple[str, ...]:
    """How far the verdicts rest on the candidates' word."""
    trust = view.survey.tally.trust
    total = trust.total()
    if not total:
        return ("No sample has a verdict.",)
    return tuple(f"{_verdicts(trust[each], total)} {TRUST_WORDS[each]}." for each in Trust if trust[each])


def _verdicts(number: int, total: int) -> str:
    if total == 1:
        return "The 1 verdict is"
    return (
        f"All {total:,} verdicts are"
        if number == total
        else f"{number:,} of {total:,} verdicts {'is' if number == 1 else 'are'}"
    )


def isolation_sentence(manifest: Manifest) -> str:
    """Where the samples ran."""
    isolation = manifest.isolation
    layers = ", ".join(isolation.layers)
    missing = f" Missing: {', '.join(isolation.missing)}." if isolation.missing else ""
    return on_one_line(
        f"Level {isolation.level}, {ISOLATION_WORDS.get(isolation.level, 'as named')}: {layers}.{missing}"
    )


def alerts(view: View) -> Iterator[str]:
    """What a reader must know before the numbers, the gravest first."""
    survey, manifest = view.survey, view.source.run.manifest
    broken = survey.tally.outcomes[Outcome.SYSTEM_ERROR]
    if broken:
        yield f"{count_of(broken, 'sample')} could not be judged through a failure of assay's own; the same assay judge tries them again."
    if survey.unjudged - broken > 0:
        yield f"{count_of(survey.unjudged - broken, 'sample')} not judged yet: the run is not finished."
    if manifest.samples_changed:
        yield "The samples changed and have not all been judged since."
    if manifest.invalid:
        names = listed([each.id for each in manifest.invalid], 8)
        yield on_one_line(f"{count_of(len(manifest.invalid), 'problem')} invalid, counted in no number: {names}.")
    yield from _doubts_of_trust(view)
    if survey.tally.unconfirmed:
        yield f"{about_unconfirmed(survey.tally.unconfirmed)}."
    yield from _shared_error(view)
    yield from (on_one_line(note) for note in (*view.source.run.notes, *view.source.gaps))


def _doubts_of_trust(view: View) -> Iterator[str]:
    level, trust = view.source.run.manifest.isolation.level, view.survey.tally.trust
    if level in ("L0", "L1"):
        yield f"Isolation was {level}: {ISOLATION_WORDS[level]}."
    weak = trust[Trust.CO_RESIDENT] + trust[Trust.EXIT_STATUS]
    if weak:
        yield f"{count_of(weak, 'verdict')} can be forged by the code on trial (see trust)."


def _shared_error(view: View) -> Iterator[str]:
    survey = view.survey
    for message, count in survey.messages.most_common(1):
        if count >= 20 and count > SHARED_ERROR * survey.samples:
            share = percent(count / survey.samples)
            yield f"{share} of the samples share one error, which speaks against the set-up rather than the model: {message.text}"


def unlike(first: View, view: View) -> Iterator[str]:
    """What makes a run less than like the first one: other data, other conditions."""
    one, two = first.source.run.manifest, view.source.run.manifest
    names = [each.name for each in differences(one, two)]
    if "benchmark_digest" in names:
        yield f"Judged on other data than run {first.letter}: problems of the same id are compared, and their tests may differ."
    others = [name for name in names if name not in ("benchmark", "benchmark_version", "benchmark_digest", "problems")]
    if others:
        yield on_one_line(f"Judged under other conditions than run {first.letter}: {', '.join(others)}.")


def settings_rows(manifest: Manifest) -> list[tuple[str, str]]:
    """All that decides the run's numbers, for a table."""
    rows = [
        (
            "benchmark",
            f"{manifest.benchmark}{f', version {manifest.benchmark_version}' if manifest.benchmark_version else ''}",
        ),
        ("data digest", manifest.benchmark_digest),
        ("split", manifest.split or "all"),
        ("limit", str(manifest.limit or "none")),
        ("problems", f"{manifest.problems:,}, {len(manifest.invalid):,} of them invalid"),
        ("samples", manifest.samples),
        ("samples digest", manifest.samples_digest),
        ("begun", manifest.created),
        ("interpreter", manifest.interpreter),
        ("isolation", f"{manifest.isolation.level}: {', '.join(manifest.isolation.layers)}"),
        ("seed", str(manifest.seed)),
        ("judge version", manifest.judge_version),
        ("versions", ", ".join(f"{name} {version}" for name, version in manifest.versions.items())),
        ("settings", ", ".join(f"{name} {_plain(value)}" for name, value in manifest.settings.items())),
    ]
    if manifest.limits:
        rows.append(("limits of their own", count_of(len(manifest.limits), "problem")))
    return [(name, on_one_line(value)) for name, value in rows]


def _plain(value: object) -> str:
    return (
        {None: "as declared", True: "yes", False: "no"}.get(value, str(value))
        if value is None or isinstance(value, bool)
        else str(value)
    )


def repeat_command(manifest: Manifest) -> str:
    """The command that judges the same again, in the folder where it was given."""
    named = manifest.data is None or manifest.benchmark in NAMED
    words = ["assay", "judge", manifest.benchmark if named else str(manifest.data), manifest.samples, "-o", "RUN"]
    words += ["--data", manifest.data] if named and manifest.data else []
    words += ["--split", manifest.split] if manifest.split else []
    words += ["--limit", str(manifest.limit)] if manifest.limit else []
    for name, flag in _FLAGS.items():
        value = manifest.settings.get(name)
        if value is not None and value != _USUAL.get(name):
            words += [flag, f"{value:g}" if isinstance(value, float) else str(value)]
    words += [flag for name, flag in _SWITCHES.items() if manifest.settings.get(name)]
    words += ["--unsafe"] if manifest.settings.get("minimum_level") == "L0" else []
    return on_one_line(shlex.join(words))
