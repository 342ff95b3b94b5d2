"""The rule that gives problems a category: its points one by one, and how well it agrees with people.

The labels were given by reading prompts and tests before the rule saw these problems (`held out`) or while it was made; where two
letters stand, either is right. Ids are those of MBPP and HumanEval; no text of theirs is here.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from assay.benchmarks import from_rows, load
from assay.benchmarks.categories import CATEGORIES, MODULES, WORDS, category_of, points_of, with_category, words_of
from assay.records import AssertTests, Problem

LETTERS = {"a": "algorithms", "c": "collections", "n": "numbers", "t": "text", "d": "dates"}

HELD_OUT = {
    "mbpp": """
1:a 5:a 16:t 18:t 32:n 38:c 46:c 66:c 77:n 82:n 87:c 91:ct 95:c 110:ca 112:n 114:c 117:c 123:n 139:n 150:n 170:c 179:n
198:n 230:t 231:a 235:n 241:c 244:n 258:c 262:c 280:ac 284:c 293:n 310:tc 329:c 338:ta 350:t 354:n 360:n 370:c 380:c
385:n 398:c 404:n 410:c 456:tc 471:cn 483:n 484:c 489:c 495:t 498:n 512:c 536:c 543:n 550:ac 551:c 557:t 566:n 567:c
575:n 583:na 617:na 628:t 632:c 633:can 640:t 652:c 664:n 678:t 689:a 692:n 695:c 724:n 728:c 733:ac 739:n 755:c
757:ct 765:n 771:at 777:c 784:c 794:t 800:t 801:n 810:c 825:c 835:n 848:n 862:tc 863:a 894:tc 896:c 925:c 936:c 945:c
960:a 965:t 974:a
""",
    "humaneval": """
HumanEval/4:cn HumanEval/12:ct HumanEval/13:n HumanEval/20:ca HumanEval/27:t HumanEval/29:ct HumanEval/35:c
HumanEval/41:n HumanEval/43:ac HumanEval/44:n HumanEval/46:n HumanEval/52:c HumanEval/53:n HumanEval/55:n
HumanEval/63:n HumanEval/64:t HumanEval/69:c HumanEval/72:c HumanEval/73:ca HumanEval/74:ct HumanEval/80:t
HumanEval/83:n HumanEval/85:c HumanEval/86:t HumanEval/87:c HumanEval/89:t HumanEval/92:n HumanEval/102:n
HumanEval/105:c HumanEval/106:n HumanEval/112:t HumanEval/124:d HumanEval/129:a HumanEval/130:n HumanEval/132:at
HumanEval/134:t HumanEval/147:na HumanEval/149:ct HumanEval/160:nac HumanEval/162:t
""",
}


def labels(name):
    pairs = (pair.split(":") for pair in HELD_OUT[name].split())
    return {id_: {LETTERS[letter] for letter in letters} for id_, letters in pairs}


def problem(prompt="", test="assert f(root)", **more):
    return Problem(id="p", prompt=prompt, tests=(AssertTests(cases=(test,)),), **{"entry_point": "f", **more})


def points(*arguments, **more):
    return {category: count for category, count in points_of(problem(*arguments, **more)).items() if count}


def test_a_strong_word_counts_three_times_a_weak_one_and_dates_and_algorithms_count_double():
    assert points("a vowel") == {"text": 3}
    assert points("a letter") == {"text": 1}
    assert points("a month") == {"dates": 6}
    assert points("an hour") == {"dates": 2}
    assert points("the path") == {"algorithms": 2}


def test_a_word_its_plural_and_its_repetition_count_once_and_two_words_of_a_sort_at_most():
    assert points("vowel vowels vowel") == {"text": 3}
    assert points("vowel regex uppercase letter word string") == {"text": 8}


def test_only_whole_words_count_and_the_longer_one_wins():
    assert points("permonth daylight bits-and-pieces") == {}
    assert points("heap sort") == {"algorithms": 6}
    assert points("Array") == {"collections": 1}


def test_the_name_of_the_function_is_read_as_words():
    assert words_of(problem("Do it.", entry_point="is_leapYear2")) == "do it. is leap year"
    assert points("", entry_point="countVowels") == {"text": 3}


def test_lines_that_show_tests_and_code_round_a_docstring_are_not_read():
    assert words_of(problem('"""\nDo it.\nassert f("month")\n>>> f("vowel")\n"""')) == '""" do it. """ f'
    code = 'from typing import List\n\ndef f(months: List):\n    """Do it.\n    >>> f([])\n    """\n'
    assert words_of(problem(code, prompt_is_code=True)) == "do it. f"


def test_what_goes_in_and_what_comes_out_have_their_points():
    assert points("", "assert f([1])") == {"collections": 3}
    assert points("", "assert f('08:30')") == {"text": 3, "dates": 4}
    assert points("", "assert f([1]) == 'a'") == {"collections": 3, "text": 2}
    assert points("", "assert f(1) == 2") == {"numbers": 4}
    assert points("", "assert f(1) == [2]") == {"numbers": 3}


def test_the_reference_has_its_points():
    assert points("", reference="import datetime") == {"dates": 4}
    assert points("", reference="from functools import cache\nimport heapq") == {"algorithms": 4}
    assert points("", reference="a.upper()") == {"text": 1}
    assert points("", reference="a.upper().lower().strip()") == {"text": 2}
    assert points("", reference="a * b * c * d") == {"numbers": 2}
    assert points("", reference="while queue: queue.sort()") == {"algorithms": 2}
    habits = "for a in b:\n while a:\n  for c in a.pop():\n   if c: break\n   t[a] = t[c]"
    assert points("", reference=habits) == {"algorithms": 6}
    assert points("", reference="def f(:") == {}


def test_the_most_points_win_and_the_rarer_category_a_tie():
    assert category_of(problem("the longest list", "assert f([1])", reference="while q: pass")) == "algorithms"
    assert category_of(problem("the longest list", "assert f([1])")) == "collections"
    assert category_of(problem("", "assert f('')", reference="import calendar")) == "dates"
    assert category_of(problem("a vowel", "assert f([1])")) == "collections"


def test_where_nothing_speaks_for_a_category_there_is_no_tag():
    assert category_of(problem("Do it.")) is None
    assert with_category(problem("Do it.")).tags == ()


def test_a_problems_own_tags_are_kept_and_its_digest_does_not_know_them():
    own = problem("a vowel", tags=("mine",))
    assert with_category(own) is own
    tagged = with_category(problem("a vowel"))
    assert tagged.tags == ("text",)
    assert tagged.digest() == problem("a vowel").digest()


def test_published_rows_get_a_category_and_rows_of_our_own_form_do_not():
    row = {"task_id": 2, "text": "Count vowels.", "code": "def f(s): ...", "test_list": ["assert f('a') == 1"]}
    assert from_rows([row]).problems[0].tags == ("text",)
    own = {"id": "a", "prompt": "Count vowels.", "tests": ["assert f('a') == 1"]}
    assert from_rows([own]).problems[0].tags == ()


def test_no_word_speaks_for_two_categories():
    words = Counter(word for listed in WORDS.values() for word in (*listed.strong, *listed.weak))
    assert set(WORDS) == set(CATEGORIES)
    assert [word for word, count in words.items() if count > 1] == []


def test_the_page_prints_the_words_and_modules_that_count():
    page = (Path(__file__).parents[2] / "docs/categories.md").read_text("utf-8")
    cells = [", ".join(words) for listed in WORDS.values() for words in (listed.strong, listed.weak)]
    modules = [f"`{module}`" for speaking in MODULES.values() for module in speaking]
    assert [text for text in (*(f"| {cell} |" for cell in cells), *modules) if text not in page] == []


def test_the_rule_agrees_with_the_authors_of_basics():
    problems = load("basics").problems
    right = [problem.id for problem in problems if category_of(problem) in problem.tags]
    assert len(right) >= 0.8 * len(problems), sorted({problem.id for problem in problems} - {*right})


def published(shared, name, folder=None):
    return load(name, data=str(shared / "data/benchmarks" / (folder or name) / "problems.jsonl.gz")).problems


@pytest.mark.shared
@pytest.mark.parametrize("name", HELD_OUT)
def test_the_rule_agrees_with_people_on_problems_that_it_was_not_made_with(shared, name):
    given, wanted = {problem.id: problem.tags[0] for problem in published(shared, name)}, labels(name)
    wrong = {id_: given[id_] for id_, right in wanted.items() if given[id_] not in right}
    assert len(wrong) <= 0.1 * len(wanted), wrong


@pytest.mark.shared
def test_the_published_sets_have_the_counts_that_the_page_prints(shared):
    counts = {name: Counter(problem.tags[0] for problem in published(shared, name)) for name in ("mbpp", "humaneval")}
    assert counts == {
        "mbpp": {"collections": 395, "numbers": 304, "text": 164, "algorithms": 100, "dates": 11},
        "humaneval": {"collections": 58, "numbers": 54, "text": 45, "algorithms": 6, "dates": 1},
    }


@pytest.mark.shared
def test_the_same_problem_in_another_form_nearly_always_has_the_same_category(shared):
    whole = {problem.id: problem.tags for problem in published(shared, "mbpp")}
    verified = published(shared, "mbpp:sanitized", "mbpp-sanitized")
    same = [problem.id for problem in verified if problem.tags == whole[problem.id]]
    assert len(same) >= 0.95 * len(verified)
