from __future__ import annotations

import ast

import pytest

from assay.benchmarks.habits import (
    DEEP,
    EARLY,
    MIDDLE,
    RECURSION,
    STACK,
    TABLE,
    WORKLIST,
    Code,
    arithmetic_operations,
    habits_of_search,
    text_operations,
    used_modules,
)

HABITS = {
    "for a in x:\n  while a > 0:\n    for b in a: pass": DEEP,
    "for a in x:\n  for b in a:\n    if b: break": EARLY,
    "while low < high:\n  middle = (low + high) // 2": MIDDLE,
    "for i in x:\n  table[i][0] = 1 + table[i - 1][0]": TABLE,
    "for i in x:\n  sums |= {i + each for each in sums}": TABLE,
    "while i > 0:\n  sums = [i + each for each in sums]": TABLE,
    "while queue:\n  queue.sort()": WORKLIST,
    "while any(debts.values()):\n  pay(debts)": WORKLIST,
    "while queue and x < 3:\n  queue.sort()": WORKLIST,
    "last = stack.pop()": STACK,
    "first = queue.popleft()": STACK,
    "def g(n):\n  return g(n - 1)": RECURSION,
}


def code(source):
    return Code(ast.parse(source))


@pytest.mark.parametrize("source", HABITS)
def test_a_habit_is_found_alone_in_a_function_and_in_an_else(source):
    shifted = source.replace("\n", "\n  ")
    for whole in (source, f"def f(x):\n  {shifted}", f"if a:\n  pass\nelse:\n  {shifted}"):
        assert habits_of_search(code(whole)) == {HABITS[source]}


@pytest.mark.parametrize(
    "source",
    [
        "for a in x:\n  for b in a: pass",  # two loops
        "for a in x:\n  if a: break",  # an early end of an outer loop
        "while low < high: half = (low * high) // 2",
        "while low < high: third = (low + high) // 3",
        "half = (low + high) // 2",
        "for i in x: table[i] = other[i - 1]",
        "for i in x: table[i] = table[i] + 1",
        "table[i] = table[i - 1]",
        "sums = [each for each in sums]",
        "while x < 3 and queue: pass",
        "[a for b in c for a in b for d in a]",
        "def g(n):\n  return h(n)\ng(2)",
        "",
    ],
)
def test_what_only_looks_like_a_habit_is_none(source):
    assert habits_of_search(code(source)) == set()


def test_habits_add_up():
    assert habits_of_search(code("while queue:\n  sums = [a for a in sums]\n  queue.pop()")) == {WORKLIST, TABLE, STACK}


def test_modules_are_found_however_they_are_imported():
    source = "import itertools as it, os.path\nfrom functools import cache as c\ndatetime.date(1, 2, 3)"
    assert used_modules(code(source)) == {"itertools", "os.path", "functools", "functools.cache", "datetime.date"}


@pytest.mark.parametrize(
    ("source", "texts", "arithmetic"),
    [
        ("s.upper().split()", 2, 0),
        ("re.sub('a', 'b', s)", 1, 0),
        ("re.escape(s)", 0, 0),
        ("f'{a}' + '%d' % b + chr(c)", 3, 0),
        ("a + b - c", 0, 0),
        ("a * b ** c", 0, 2),
        ("a %= 2", 0, 1),
        ("a += 2", 0, 0),
        ("items.append(a)", 0, 0),
    ],
)
def test_operations_on_texts_and_of_arithmetic_are_counted_apart(source, texts, arithmetic):
    assert (text_operations(code(source)), arithmetic_operations(code(source))) == (texts, arithmetic)
