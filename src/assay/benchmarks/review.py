"""What can be said against a benchmark by reading it: repeated tests, tests that miss the candidate, prompts that give tests away.

Nothing is run, and nothing here makes a problem invalid: a finding is a reason to look.
"""

from __future__ import annotations

import ast
import enum
import math
import re
from typing import TYPE_CHECKING, NamedTuple

from assay.benchmarks.examples import examples_in
from assay.benchmarks.reach import unreached
from assay.benchmarks.statements import NOTHING, Statement, code_of, cut, places, statements_of, value_of
from assay.records import AssertTests, CheckTests, StdioTests
from assay.syntax import parse_python

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.records import Benchmark, Problem, Tests


class FindingKind(enum.StrEnum):
    """What a finding says of its problem."""

    DUPLICATE_TESTS = "duplicate_tests"
    """Tests repeat others."""
    PLUS_EQUAL_BASE = "plus_equal_base"
    """Plus tests try an input that a base test tries."""
    NO_CALL = "no_call"
    """Tests do not depend on the candidate."""
    PROMPT_HOLDS_TEST = "prompt_holds_test"
    """The prompt holds a test as it stands: an answer could be copied from it."""
    PROMPT_CONTRADICTS_TEST = "prompt_contradicts_test"
    """The prompt shows a call with another answer than a test demands."""
    SHOWN_IN_PROMPT = "shown_in_prompt"
    """The prompt shows a test's input and answer as an example."""
    ANSWER_CUT_OFF = "answer_cut_off"
    """An assert ends in a comma and a value, `assert f(1) == 2, 3`: Python takes that for its message, and the answer is 2 alone."""
    MISSING_ENTRY_POINT = "missing_entry_point"
    """No entry point is named, the reference does not define it, or no test calls it."""
    FEW_SHOT_OVERLAP = "few_shot_overlap"
    """The customary few-shot prompt of its data set shows the solution of this problem."""


class Finding(NamedTuple):
    """One finding: its kind, the problem's id and what was found, in a person's words."""

    kind: FindingKind
    id: str
    detail: str


def review(benchmark: Benchmark) -> tuple[Finding, ...]:
    """All findings about a benchmark's problems, by kind and then in the benchmark's order."""
    known = set(benchmark.few_shot)
    found = [Finding(kind, problem.id, detail) for problem in benchmark.problems for kind, detail in _look(problem)]
    found += [
        Finding(FindingKind.FEW_SHOT_OVERLAP, problem.id, "customary few-shot prompts show its solution")
        for problem in benchmark.problems
        if problem.id in known
    ]
    order = {kind: place for place, kind in enumerate(FindingKind)}
    return tuple(sorted(found, key=lambda finding: order[finding.kind]))


_Told = tuple[FindingKind, str]


def _look(problem: Problem) -> Iterator[_Told]:
    statements = statements_of(problem)
    yield from _repeated(statements)
    yield from _plus_in_base(statements)
    missed = unreached(problem)
    if missed:
        yield FindingKind.NO_CALL, f"{len(missed):,} of its tests: {missed[0]}"
    cut_off = [text for tests in problem.tests for text in _cut_answers(tests)]
    if cut_off:
        yield FindingKind.ANSWER_CUT_OFF, f"{len(cut_off):,} of its tests: {cut_off[0]}"
    yield from _given_away(problem, statements)
    flaw = _entry_flaw(problem)
    if flaw is not None:
        yield FindingKind.MISSING_ENTRY_POINT, flaw


def _repeated(statements: list[Statement]) -> Iterator[_Told]:
    """Tests that another of their group says too; those of `plus` that are in `base` are told apart."""
    first: dict[str, Statement] = {}
    repeated: list[Statement] = []
    for statement in statements:
        earlier = first.setdefault(statement.key, statement)
        if earlier is not statement and (earlier.group == statement.group or statement.group != "plus"):
            repeated.append(statement)
    if repeated:
        earlier = first[repeated[0].key]
        yield FindingKind.DUPLICATE_TESTS, f"{places(repeated)}: {repeated[0].text} is {earlier.place} already"


def _plus_in_base(statements: list[Statement]) -> Iterator[_Told]:
    """Plus tests that try an input of the base tests, whether these are calls or asserts."""
    base = {statement.call or statement.key for statement in statements if statement.group == "base"}
    equal = [s for s in statements if s.group == "plus" and (s.call or s.key) in base]
    if equal:
        total = sum(statement.group == "plus" for statement in statements)
        yield FindingKind.PLUS_EQUAL_BASE, f"{len(equal):,} of {total:,} plus tests: {places(equal)} ({equal[0].text})"


def _given_away(problem: Problem, statements: list[Statement]) -> Iterator[_Told]:
    examples = [] if problem.entry_point is None else examples_in(problem.prompt, problem.entry_point)
    answers = {example.call: example.value for example in examples}
    asserted = {example.call for example in examples if example.asserted}
    prompt = _squeezed(problem.prompt)
    doubted = [s for s in statements if s.call in answers and _contradict(answers[s.call], s.expected)]
    held = [s for s in statements if (s.call in asserted and s not in doubted) or _is_text_of(s, prompt)]
    seen = [s for s in statements if s.call in answers and s not in doubted and s not in held]
    for kind, given in ((FindingKind.PROMPT_HOLDS_TEST, held), (FindingKind.SHOWN_IN_PROMPT, seen)):
        if given:
            yield kind, f"{len(given):,} of {len(statements):,} tests: {places(given)} ({given[0].text})"
    if doubted:
        says = f"the prompt says {answers[doubted[0].call or '']!r:.60}"
        yield FindingKind.PROMPT_CONTRADICTS_TEST, f"{doubted[0].place} ({doubted[0].text}), {says}"


def _cut_answers(tests: Tests) -> list[str]:
    """Asserts whose message is a value that is no text."""
    sources = (
        tests.cases if isinstance(tests, AssertTests) else (tests.source,) if isinstance(tests, CheckTests) else ()
    )
    found: list[str] = []
    for source in sources:
        for node in ast.walk(parse_python(source) or ast.Module([], [])):
            message = node.msg if isinstance(node, ast.Assert) else None
            value = NOTHING if message is None else value_of(message)
            if value is not NOTHING and not isinstance(value, str):
                found.append(cut(code_of(node, source)))
    return found


def _squeezed(text: str) -> str:
    """The text without any blanks, so that tests are found whatever their layout."""
    return re.sub(r"\s+", "", text)


def _is_text_of(statement: Statement, prompt: str) -> bool:
    # A lone input such as `[1]` stands in many prompts by chance; only an assert is a test by its text.
    return statement.text.startswith("assert ") and _squeezed(f"assert {statement.key}") in prompt


def _contradict(shown: object, expected: object) -> bool:
    """Whether an example's answer and a test's can't both be right. Rounded numbers and lists for tuples are how people write."""
    if shown is NOTHING or expected is NOTHING:
        return False
    return not _alike(shown, expected)


def _alike(shown: object, expected: object) -> bool:
    if isinstance(shown, list | tuple) and isinstance(expected, list | tuple):
        return len(shown) == len(expected) and all(map(_alike, shown, expected))
    if isinstance(shown, int | float) and isinstance(expected, int | float):
        return math.isclose(shown, expected, rel_tol=1e-2, abs_tol=1e-2)
    return bool(shown == expected)


def _entry_flaw(problem: Problem) -> str | None:
    if problem.entry_point is None:
        if all(isinstance(tests, StdioTests) for tests in problem.tests):
            return None  # a whole program is called by nobody
        return "it names none, and its tests and reference show none"
    name = problem.entry_point.partition(".")[0]
    if problem.reference is not None and not _binds(problem.reference, name):
        return f"the reference does not define {problem.entry_point!r}"
    texts = [text for tests in problem.tests if isinstance(tests, AssertTests) for text in tests.cases]
    others = [tests for tests in problem.tests if not isinstance(tests, AssertTests)]
    if texts and not others and not any(name in _all_names(text) for text in texts):
        return f"no test calls {problem.entry_point!r}"
    checks = [tests.source for tests in others if isinstance(tests, CheckTests)]
    if checks and len(checks) == len(problem.tests) and not any(_binds(source, "check") for source in checks):
        return "its tests define no check(candidate)"
    return None


def _binds(source: str, name: str) -> bool:
    """Whether a program binds the name at its top, in whatever way; what does not parse is not accused of it."""
    tree = parse_python(source)
    waiting: list[ast.AST] = [] if tree is None else [*tree.body]
    while waiting:
        node = waiting.pop()
        if name in _bound_by(node):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)
    return tree is None


def _bound_by(node: ast.AST) -> tuple[str, ...]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return (node.name,)
    if isinstance(node, ast.alias):
        return ((node.asname or node.name).partition(".")[0],)
    return (node.id,) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else ()


def _all_names(source: str) -> set[str]:
    return set(re.findall(r"\w+", source))
