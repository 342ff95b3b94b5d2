"""What stands in a report: numbers, figures and lists of one run or of several, as the template takes them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.metrics import Question, compare_all
from assay.records import Outcome
from assay.report import curves, rows, shares, spreads, words
from assay.report.numbers import fewest_samples, parts
from assay.visible import on_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from assay.records import Estimate
    from assay.report.numbers import View
    from assay.report.rows import Contrast, Listed
    from assay.report.sources import Options
    from assay.report.svg import Figure

_CHIPS = {
    "": "all",
    "never": "never solved",
    "sometimes": "sometimes",
    "always": "always",
    "weak": "hidden by base tests",
    "flaky": "flaky",
    "special": "special-cased",
    "unconfirmed": "unconfirmed time limits",
    "lacking": "without a verdict",
    "empty": "no samples",
}


class GroupRow(NamedTuple):
    """A part of the run: its name, pass@1 by all tests, by base tests where there are others, a bar."""

    name: str
    all: Estimate
    base: Estimate | None
    bar: str


class List(NamedTuple):
    """A list of samples that deserve a look."""

    title: str
    total: str
    words: str
    rows: list[Listed]


def contents(views: Sequence[View], options: Options, pages: Mapping[str, str]) -> dict[str, Any]:
    """All that the template shows but the table and the pages.

    Args:
        views: The runs, at least one.
        options: How numbers are computed.
        pages: Problem to the name of its page.
    """
    several = len(views) > 1
    benchmarks = list(dict.fromkeys(view.source.run.manifest.benchmark for view in views))
    lists = [_lists(view, pages) for view in views]
    messages = [rows.frequent_messages(view) for view in views]
    first = views[0].estimates[0] if views[0].estimates else None
    benchmark = on_one_line(", ".join(benchmarks))
    return {
        "views": views,
        "several": several,
        "two": len(views) == 2,
        "names": [_short_name(view.source.name) for view in views],
        "benchmark": benchmark,
        "benchmark_version": "" if several else on_one_line(views[0].source.run.manifest.benchmark_version or ""),
        "title": benchmark if several else f"{benchmark}, {_short_name(views[0].source.name)}",
        "alerts": [(view, [*words.alerts(view), *words.unlike(views[0], view)]) for view in views],
        "first": first,
        "headline": words.headline(first),
        "estimate_names": list(dict.fromkeys((each.name, each.tests) for view in views for each in view.estimates)),
        "contrasts": _contrasts(views, options, pages),
        "dots": shares.interval_dots(list(_dots(views))),
        "bars": [shares.outcome_bar(view) for view in views],
        "endings": rows.endings(views),
        "maps": list(_maps(views, pages)),
        "figures": list(_figures(views)),
        "weak": curves.weak_tests(views),
        "asides": [] if several else list(_asides(views[0])),
        "groups": [] if several else _groups(views[0], options),
        "plus": [view.survey.tally.plus for view in views],
        "lists": lists,
        "messages": messages,
        "has_lists": any(lists) or any(messages),
        "version": views[0].source.run.manifest.versions.get("assay", ""),
    }


def _short_name(name: str) -> str:
    return on_one_line(name.rstrip("/").rpartition("/")[2] or name)


def _dots(views: Sequence[View]) -> Iterator[tuple[str, str, float, float, float]]:
    for view in views:
        for each in view.estimates:
            one = len(views) == 1
            if not (each.name == "pass@1" and each.tests == "all") and not (one and each.name.startswith("pass@")):
                continue
            if each.value is not None and each.low is not None and each.high is not None:
                name = view.letter if not one else _dot_name(each)
                yield name, f"kind-{each.tests}" if one else f"run-{view.letter}", each.value, each.low, each.high


def _dot_name(each: Estimate) -> str:
    return each.name if each.tests == "all" else f"{each.tests} @{each.name.removeprefix('pass@')}"


def _contrasts(views: Sequence[View], options: Options, pages: Mapping[str, str]) -> list[Contrast]:
    if len(views) < 2:
        return []
    found = compare_all({view.letter: view.survey.tally for view in views}, (Question(missing=options.missing),))
    by_letter = {view.letter: view for view in views}
    return [rows.contrast(each, (by_letter[each.first], by_letter[each.second]), pages) for each in found]


def _maps(views: Sequence[View], pages: Mapping[str, str]) -> Iterator[Figure]:
    """A map of each run; with one sample a problem it says what the bar of outcomes says, so that several runs go without."""
    for view in views:
        telling = len(views) == 1 or any(each.samples > 1 for each in view.survey.problems.values())
        drawn = shares.problem_map(view, pages, view.letter if len(views) > 1 else "") if telling else None
        if drawn is not None:
            yield drawn


def _figures(views: Sequence[View]) -> Iterator[Figure]:
    drawn = [curves.pass_curve(views), curves.sweep(views, _temperatures(views))]
    if len(views) == 1:
        drawn += [spreads.time_figure(views[0]), spreads.memory_figure(views[0])]
    yield from filter(None, drawn)


def _asides(view: View) -> Iterator[Figure]:
    fewest = fewest_samples(view.survey.tally)
    yield from filter(None, (curves.approximations(view), curves.biases(fewest, min(10, fewest))))


def _temperatures(views: Sequence[View]) -> dict[str, float]:
    """The temperature of each run whose samples name one and the same."""
    found = {}
    for view in views:
        samples = view.source.samples
        if samples is None:
            continue
        values = {sample.extra.get("temperature") for id_ in samples.problem_ids()[:50] for sample in samples.read(id_)}
        value = values.pop() if len(values) == 1 else None
        if isinstance(value, int | float) and not isinstance(value, bool):
            found[view.letter] = float(value)
    return found


def _groups(view: View, options: Options) -> list[tuple[str, list[GroupRow]]]:
    found: dict[str, list[GroupRow]] = {}
    for group in parts(view.survey.tally, view.source.benchmark, options):
        of_kind = {each.tests: each for each in group.estimates if each.name == "pass@1"}
        each = of_kind["all"]
        if not each.problems:
            continue
        known = each.value is not None and each.low is not None and each.high is not None
        bar = spreads.groups_bar(each.value or 0.0, each.low or 0.0, each.high or 0.0) if known else ""
        found.setdefault(group.by, []).append(GroupRow(on_one_line(group.name), each, of_kind.get("base"), bar))
    return list(found.items())


def _lists(view: View, pages: Mapping[str, str]) -> list[List]:
    survey, tally = view.survey, view.survey.tally
    every = (
        ("Slowest samples", "", "by effective time", survey.slowest.rows(), 0),
        ("Flaky", f"{tally.flaky:,}", "several outcomes under several seeds", survey.doubtful["flaky"], tally.flaky),
        (
            "Special-cased",
            f"{tally.special_cased:,}",
            "they pass the tests, and know few answers beyond them",
            survey.doubtful["special"],
            tally.special_cased,
        ),
        (
            "Unconfirmed time limits",
            f"{tally.unconfirmed:,}",
            "other work on the machine may be to blame",
            survey.doubtful["unconfirmed"],
            tally.unconfirmed,
        ),
    )
    return [List(title, total, told, rows.listed(found, pages)) for title, total, told, found, _ in every if found]


def chips(table: Sequence[rows.Row]) -> list[tuple[str, str, int]]:
    """The marks by which the table can be filtered: the mark, its words, how many rows have it."""
    marks = Counter(mark for row in table for mark in set(row.marks.split()))
    found = [(mark, text, marks[mark] if mark else len(table)) for mark, text in _CHIPS.items()]
    return [(mark, text, count) for mark, text, count in found if count or not mark] + [
        (each.value, shares.in_words(each), marks[each.value])
        for each in (Outcome.RUNTIME_ERROR, Outcome.TIME_LIMIT, Outcome.SYNTAX_ERROR)
        if marks[each.value]
    ]
