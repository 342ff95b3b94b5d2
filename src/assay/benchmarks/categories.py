"""What a problem is about: one of five categories, by a rule that anyone can follow, for reports by category.

Words of the prompt, the arguments in the tests and a few habits of the reference give points; most points win. docs/categories.md
prints the tables. Nothing is run and no model is asked, so the same problem has the same category everywhere. A category
decides no verdict: `Problem.digest` leaves tags out.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from assay.benchmarks.habits import Code, arithmetic_operations, habits_of_search, text_operations, used_modules
from assay.benchmarks.kinds import first_arguments, is_about_time, kind_of_answer, kind_of_arguments
from assay.syntax import parse_python

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assay.records import Problem

TEXT, NUMBERS, COLLECTIONS, DATES, ALGORITHMS = CATEGORIES = ("text", "numbers", "collections", "dates", "algorithms")
"""The categories. `collections` is about the elements of lists, tuples, dicts and sets; `algorithms` about finding an answer
where the obvious way would try too many."""

RAREST_FIRST = (ALGORITHMS, DATES, COLLECTIONS, TEXT, NUMBERS)
"""Who wins a tie."""

KIND_POINTS = 3
"""For what the function works on: a collection if one is among the arguments, else a text, else a number."""

TIME_POINTS = 4
"""For `dates`, if a text among the arguments is a date or a time of day."""

ANSWER_POINTS = {TEXT: 2, NUMBERS: 1}
"""For what the function gives. A list says little: lists of words and of primes are lists too."""

MODULE_POINTS = 4
"""For a category if the reference uses one of its `MODULES`."""

OPERATION_POINTS = 1
"""For `text` and `numbers`, for each operation on texts, and of arithmetic, in the reference; two of a sort count at most."""

SEARCH_POINTS = 2
"""For `algorithms`, for each of the `habits_of_search` that the reference shows; three count at most."""


class Words(NamedTuple):
    """The words of a category. Each strong one counts 3 times `weight`, each weak one `weight`; two of a sort count at most."""

    weight: int
    strong: tuple[str, ...]
    weak: tuple[str, ...]


def _listed(words: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in words.split(","))


WORDS = {
    TEXT: Words(
        1,
        _listed("regex, vowel, uppercase, lowercase"),
        _listed("string, character, char, letter, word, sentence, text, space, substring"),
    ),
    NUMBERS: Words(
        1,
        _listed(
            "prime, factorial, divisor, divisible, bit, nth, n-th, binary number, percent, interest, mean, perimeter, volume"
        )
        + _listed("triangle, line, circle"),
        _listed("number, integer, digit, area, sum"),
    ),
    COLLECTIONS: Words(
        1,
        _listed("dictionary, dictionaries, tuple, sublist, nested"),
        _listed("list, array, element, item, set, dict, index, indices"),
    ),
    DATES: Words(
        2,
        _listed("date, calendar, weekday, clock, month, timestamp, leap year, time of day"),
        _listed("day, year, hour, minute, time"),
    ),
    ALGORITHMS: Words(
        2,
        _listed(
            "subsequence, sub-sequence, subarray, sub array, sorted array, rotated, inversion, disjoint, triplet, permutations"
        )
        + _listed("combinations, number of ways, ways to, ways of, swaps, jumps, heap, graph, tree, binary search")
        + _listed(
            "dynamic programming, bubble sort, comb sort, counting sort, heap sort, insertion sort, merge sort, pancake sort"
        )
        + _listed("quick sort, radix sort, selection sort, shell sort"),
        _listed(
            "minimum, maximum, longest, shortest, fewest, cheapest, cost, possible, path, route, reach, step, move, overlap"
        )
        + _listed("overlapping, schedule, capacity, depend, dependencies, recursion"),
    ),
}
"""The words that count, as they stand in lower-case prompts and in names of entry points."""

MODULES = {
    DATES: frozenset("datetime calendar".split()),
    ALGORITHMS: frozenset(
        "heapq bisect graphlib collections.deque functools.cache functools.lru_cache itertools.permutations itertools.combinations".split()
    ),
}
"""Modules, and functions of modules, that speak for a category."""


def _pattern(words: Iterable[str]) -> re.Pattern[str]:
    # The plural is the same word, and a longer word wins over its beginning.
    listed = sorted(map(re.escape, words), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])({'|'.join(listed)})s?(?![\w-])")


_PATTERNS = {category: (_pattern(words.strong), _pattern(words.weak)) for category, words in WORDS.items()}


def with_category(problem: Problem) -> Problem:
    """The problem with its category as its tag; its own tags, if it has any, are kept."""
    category = None if problem.tags else category_of(problem)
    return problem if category is None else msgspec.structs.replace(problem, tags=(category,))


def category_of(problem: Problem) -> str | None:
    """The category that gets most points; None where nothing speaks for any."""
    points = points_of(problem)
    winner = max(RAREST_FIRST, key=lambda category: points[category])
    return winner if points[winner] else None


def points_of(problem: Problem) -> Counter[str]:
    """The points of each category for prompt, tests and reference together."""
    words = words_of(problem)
    points = Counter({category: _word_points(category, words) for category in CATEGORIES})
    arguments = first_arguments(problem)
    if (kind := kind_of_arguments(arguments)) is not None:
        points[kind] += KIND_POINTS
    if (kind := kind_of_answer(problem)) in ANSWER_POINTS:
        points[kind] += ANSWER_POINTS[kind]
    if is_about_time(arguments):
        points[DATES] += TIME_POINTS
    points.update(_reference_points(problem.reference or ""))
    return points


def words_of(problem: Problem) -> str:
    """What a person reads of the problem, in lower case: the prompt (of code the docstring), then the entry point's name in words.

    Lines that only show a test count for nothing: their values are looked at apart.
    """
    name = problem.entry_point or ""
    prompt = _docstring(problem.prompt, name) if problem.prompt_is_code else problem.prompt
    lines = [line for line in prompt.splitlines() if not line.lstrip().startswith(("assert ", ">>> "))]
    name_in_words = re.sub(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z]+", " ", name)
    return " ".join(" ".join([*lines, name_in_words]).lower().split())


def _docstring(prompt: str, name: str) -> str:
    tree = parse_python(prompt)
    for node in tree.body if tree is not None else ():
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return ast.get_docstring(node) or prompt
    return prompt


def _reference_points(reference: str) -> Counter[str]:
    tree = parse_python(reference)
    if tree is None:
        return Counter()
    code = Code(tree)
    used = used_modules(code)
    points = Counter({category: MODULE_POINTS for category, modules in MODULES.items() if used & modules})
    points[TEXT] += OPERATION_POINTS * min(text_operations(code), 2)
    points[NUMBERS] += OPERATION_POINTS * min(arithmetic_operations(code), 2)
    points[ALGORITHMS] += SEARCH_POINTS * min(len(habits_of_search(code)), 3)
    return points


def _word_points(category: str, words: str) -> int:
    strong, weak = (min(len(set(pattern.findall(words))), 2) for pattern in _PATTERNS[category])
    return WORDS[category].weight * (3 * strong + weak)
