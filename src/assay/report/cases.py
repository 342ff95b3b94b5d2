"""The cases of a problem, and which of them samples fail: what a reader wants to know of its tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, assert_never

from assay.records import AssertTests, CallTests, CheckTests, PropertyTests, StdioTests, UnittestTests
from assay.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from assay.records import Problem, Tests, Verdict

SHOWN = 15
"""Cases that a page shows; of more, those that most samples fail."""
LENGTH = 240


class Case(NamedTuple):
    """One case: its group, its number there from 1, what it says, and how many of how many samples pass it.

    `expected` is what a sample that failed there was told; empty where none failed there first, and where the text says it.
    """

    group: str
    number: int
    text: str
    passed: int
    samples: int
    expected: str = ""


class Source(NamedTuple):
    """Tests that are one piece of text: their kind in words, their group, the text."""

    kind: str
    group: str
    text: str


def known_cases(tests: Tests, entry_point: str | None) -> list[str] | None:
    """What each case of some tests says; None where how many there are shows only when they run."""
    match tests:
        case AssertTests():
            return [visible(each) for each in tests.cases]
        case CallTests():
            return [_call(entry_point, each) for each in tests.inputs]
        case StdioTests():
            return [f"{visible(each.stdin)}→ {visible(each.stdout)}" for each in tests.cases]
        case CheckTests() | UnittestTests() | PropertyTests():
            return None
        case _:
            assert_never(tests)


def _call(entry_point: str | None, arguments: str) -> str:
    inner = visible(arguments[: LENGTH * 2]).strip()
    inner = inner.removeprefix("[").removesuffix("]") if len(arguments) <= LENGTH * 2 else inner.removeprefix("[")
    return f"{entry_point or 'f'}({inner})"


def cut(text: str, length: int = LENGTH) -> str:
    """The text, of at most so many characters.

    >>> cut("abcdef", 3)
    'abc…'
    """
    return text if len(text) <= length else f"{text[:length]}…"


def sources_of_tests(problem: Problem, *, listed: bool) -> list[Source]:
    """The tests that are code of their own; also the others where they are not `listed` case by case."""
    names = {CheckTests: "check(candidate)", UnittestTests: "unittest", PropertyTests: "properties"}
    found = []
    for each in problem.tests:
        if isinstance(each, CheckTests | UnittestTests | PropertyTests):
            found.append(Source(names[type(each)], each.group, each.source))
        elif not listed:
            found.append(Source("tests", each.group, "\n".join(known_cases(each, problem.entry_point) or ())))
    return found


def is_listed(problem: Problem, cases: Iterable[Case]) -> bool:
    """Whether cases hold what the tests say; a run that was stopped before its tests, or knows another number of them, does not tell."""
    told = {case.text for case in cases}
    return any(cut(text) in told for each in problem.tests for text in known_cases(each, problem.entry_point) or ())


def count_cases(problem: Problem | None, verdicts: Iterable[Verdict]) -> list[Case]:
    """Every case of a problem with the samples that pass it, in the order of the tests; empty where no sample got so far.

    Samples that were judged by another number of cases than most are left out.
    """
    judged = [verdict for verdict in verdicts if verdict.cases]
    if not judged:
        return []
    groups = max((each.groups for each in judged), key=lambda each: sum(total for _, total in each.values()))
    total = max(len(each.cases) for each in judged)
    judged = [each for each in judged if len(each.cases) == total]
    passed = [sum(each.cases[i] == "1" for each in judged) for i in range(total)]
    labels, told = _labels(problem, groups, total), _told(judged)
    seen: dict[str, int] = {}
    found = []
    for (group, text), right in zip(labels, passed, strict=True):
        seen[group] = seen.get(group, 0) + 1
        call, expected = told.get((group, seen[group] - 1), ("", ""))
        expected = "" if text.startswith("assert") or not (text or call) else expected
        found.append(Case(group, seen[group], cut(text or call), right, len(judged), expected))
    return found


def _told(verdicts: Iterable[Verdict]) -> dict[tuple[str, int], tuple[str, str]]:
    """What failures tell of cases: the call, and what was expected of it."""
    failures = (verdict.first_failure for verdict in verdicts)
    return {(each.group, each.case): (visible(each.call), cut(visible(each.expected))) for each in failures if each}


def _labels(problem: Problem | None, groups: Mapping[str, tuple[int, int]], total: int) -> list[tuple[str, str]]:
    """Group and text of each case; without a text where the tests don't say how many they are."""
    blank = [(group, "") for group, (_, count) in groups.items() for _ in range(count)]
    blank = (blank + [("base", "")] * total)[:total]
    if problem is None:
        return blank
    tests = [each for each in problem.tests if each.group in groups]
    texts = [known_cases(each, problem.entry_point) for each in tests]
    open_ones = [i for i, each in enumerate(texts) if each is None]
    known = sum(len(each) for each in texts if each is not None)
    if len(open_ones) > 1 or (not open_ones and known != total) or known > total:
        return blank
    found: list[tuple[str, str]] = []
    for each, told in zip(tests, texts, strict=True):
        found += [(each.group, text) for text in (told if told is not None else [""] * (total - known))]
    return found


def hardest(cases: Sequence[Case], most: int = SHOWN) -> list[Case]:
    """The cases that a page shows: all, or so many that most samples fail, in the order of the tests."""
    if len(cases) <= most:
        return list(cases)
    chosen = sorted(range(len(cases)), key=lambda i: (cases[i].passed, i))[:most]
    return [cases[i] for i in sorted(chosen)]
