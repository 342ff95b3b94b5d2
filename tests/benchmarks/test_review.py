from __future__ import annotations

import msgspec
import pytest

from assay.benchmarks import load, review
from assay.benchmarks.review import FindingKind
from assay.records import AssertTests, Benchmark, CallTests, CheckTests, Problem, StdioCase, StdioTests

ECHO = "def f(x):\n    return x\n"


def problem(*cases: str, **fields) -> Problem:
    given = {
        "id": "a",
        "prompt": "Give x.",
        "tests": (AssertTests(cases=cases),),
        "entry_point": "f",
        "reference": ECHO,
    }
    return Problem(**(given | fields))


def found(*problems: Problem, few_shot: tuple[str, ...] = ()) -> dict[str, list[tuple[str, str]]]:
    benchmark = Benchmark(name="b", version=None, digest="d", problems=problems, few_shot=few_shot)
    by_kind: dict[str, list[tuple[str, str]]] = {}
    for finding in review(benchmark):
        by_kind.setdefault(finding.kind.value, []).append((finding.id, finding.detail))
    return by_kind


def test_nothing_is_said_against_good_problems() -> None:
    assert found(problem("assert f(1) == 1", "assert f(2) == 2")) == {}
    assert review(load("basics")) == ()


def test_repeated_tests_are_told_with_their_places() -> None:
    asked = problem("assert f(1) == 1", "assert f(2) == 2", "assert f(1)==1, 'again'")
    assert found(asked) == {"duplicate_tests": [("a", "base 2: assert f(1) == 1 is base 0 already")]}


def test_tests_that_only_look_alike_are_no_repetition() -> None:
    assert (
        found(problem("assert f(1) == 1", "assert f(1.0) == 1", "assert f('1') == '1'", "assert f([1]) == [1]")) == {}
    )


def test_repeated_inputs_of_call_tests_and_challenge_tests_that_repeat_base_are_told() -> None:
    calls = problem(tests=(CallTests(inputs=("[1]", "[2]", "[1]", "[1]")),))
    assert found(calls)["duplicate_tests"] == [("a", "base 2, base 3: [1] is base 0 already")]
    more = AssertTests(cases=("assert f(1) == 1",), group="challenge")
    asked = problem(tests=(AssertTests(cases=("assert f(1) == 1",)), more))
    assert found(asked)["duplicate_tests"] == [("a", "challenge 0: assert f(1) == 1 is base 0 already")]


@pytest.mark.parametrize("base", [CallTests(inputs=("[1]", "[2]")), AssertTests(cases=("assert f(1) == 1",))])
def test_plus_inputs_that_base_tests_try_are_told_apart_from_repetitions(base) -> None:
    asked = problem(tests=(base, CallTests(inputs=("[3]", "[1]", "[1.0]", "[True]"), group="plus")))
    assert found(asked) == {"plus_equal_base": [("a", "1 of 4 plus tests: plus 1 ([1])")]}


def test_tests_that_miss_the_candidate_are_told() -> None:
    assert found(problem("assert f(1) == 1", "assert g(1) == 1"))["no_call"] == [
        ("a", "1 of its tests: assert g(1) == 1")
    ]


def test_an_answer_that_a_comma_cuts_off_is_told() -> None:
    asked = problem(
        "assert f(1) == 1, 2", "assert f(2) == 2, 'two'", "assert f(3) == (3, 4)", "assert f(4) == 4, str(4)"
    )
    assert found(asked) == {"answer_cut_off": [("a", "1 of its tests: assert f(1) == 1, 2")]}
    check = CheckTests(source="def check(candidate):\n    for x in [1]:\n        assert candidate(x) == 1, [2]\n")
    assert found(problem(tests=(check,))).keys() == {"answer_cut_off"}


def test_an_assert_in_the_prompt_is_a_test_given_away_whatever_its_layout() -> None:
    asked = problem("assert f([1,2]) == [1, 2]", "assert f(3) == 3", prompt="Give x.\nassert  f([1, 2])==[1,2]\n")
    told = "1 of 2 tests: base 0 (assert f([1, 2]) == [1, 2])"
    assert found(asked) == {"prompt_holds_test": [("a", told)]}


def test_an_assert_in_the_prompt_gives_an_input_of_call_tests_away() -> None:
    tests = (CallTests(inputs=("[2]", "[3]")), CallTests(inputs=("[4]",), group="plus"))
    assert found(problem(tests=tests, prompt="assert f(3) == 3"))["prompt_holds_test"] == [
        ("a", "1 of 3 tests: base 1 ([3])")
    ]


def test_a_test_without_a_literal_call_is_found_in_the_prompt_by_its_text() -> None:
    case = "assert sorted(f(list('ab'))) == ['a', 'b']"
    assert "prompt_holds_test" in found(problem(case, prompt=f"Give x, so that\n  {case}"))


CHECK = CheckTests(
    source="def check(candidate):\n    assert candidate(1) == 1\n    assert candidate((1, 2)) == [0.333]\n"
)


def test_a_doctest_that_check_repeats_is_an_example_and_no_fault() -> None:
    asked = problem(tests=(CHECK,), prompt='def f(x):\n    """Give x.\n    >>> f(1)\n    1\n    """\n')
    assert found(asked) == {"shown_in_prompt": [("a", "1 of 2 tests: base 0 (assert f(1) == 1)")]}


def test_an_example_with_another_answer_contradicts_its_test() -> None:
    told = "base 0 (assert f(1) == 1), the prompt says 2"
    assert found(problem(tests=(CHECK,), prompt="f(1) -> 2")) == {"prompt_contradicts_test": [("a", told)]}
    assert found(problem("assert f(1) == 1", prompt="assert f(1) == 2")) == {"prompt_contradicts_test": [("a", told)]}


@pytest.mark.parametrize("shown", ["(0.33,)", "[0.3333333]"])
def test_rounding_and_lists_for_tuples_contradict_nothing(shown: str) -> None:
    assert found(problem(tests=(CHECK,), prompt=f"f((1, 2)) -> {shown}")).keys() == {"shown_in_prompt"}


@pytest.mark.parametrize(
    ("asked", "flaw"),
    [
        (problem("assert f(1) == 1", entry_point=None), "names none"),
        (problem("assert f(1) == 1", reference="def g(x): ..."), "the reference does not define 'f'"),
        (problem("assert g(1) == 1", reference=f"{ECHO}g = f\n"), "no test calls 'f'"),
        (problem(tests=(CheckTests(source="def test(candidate): ..."),)), "define no check(candidate)"),
    ],
)
def test_a_missing_entry_point_is_told(asked: Problem, flaw: str) -> None:
    ((id_, detail),) = found(asked)["missing_entry_point"]
    assert id_ == "a"
    assert flaw in detail


@pytest.mark.parametrize(
    "reference",
    ["f = lambda x: x", "from operator import pos as f", "if True:\n    def f(x): ...", "class f: ...", "def (", None],
)
def test_an_entry_point_may_be_bound_in_any_way(reference: str | None) -> None:
    assert found(problem("assert f(1) == 1", reference=reference)) == {}


def test_a_method_as_entry_point_is_looked_for_by_its_class() -> None:
    asked = problem("assert Box().f(1) == 1", entry_point="Box.f", reference="class Box:\n    def f(self, x): ...")
    assert found(asked) == {}


def test_problems_that_few_shot_prompts_solve_are_told_if_they_are_judged() -> None:
    asked = problem("assert f(1) == 1")
    assert found(asked, msgspec.structs.replace(asked, id="b"), few_shot=("b", "c")).keys() == {"few_shot_overlap"}


def test_findings_come_by_kind_and_then_in_the_order_of_problems() -> None:
    bad = problem("assert f(1) == 1", "assert f(1) == 1", "assert 1 == 1")
    benchmark = Benchmark(name="b", version=None, digest="d", problems=(bad, msgspec.structs.replace(bad, id="b")))
    assert [(finding.kind, finding.id) for finding in review(benchmark)] == [
        (FindingKind.DUPLICATE_TESTS, "a"),
        (FindingKind.DUPLICATE_TESTS, "b"),
        (FindingKind.NO_CALL, "a"),
        (FindingKind.NO_CALL, "b"),
    ]


EXPECTED = {
    "mbpp": {
        "duplicate_tests": {"37", "337", "508", "713", "862"},
        "answer_cut_off": {"313", "362", "436"},
        "few_shot_overlap": {"2", "3", "4"},
    },
    "mbpp:sanitized": {"duplicate_tests": {"799"}, "few_shot_overlap": {"2", "3", "4"}},
    "humaneval": {
        "duplicate_tests": {f"HumanEval/{n}" for n in (31, 111, 116, 144)},
        "prompt_contradicts_test": {f"HumanEval/{n}" for n in (47, 116, 148)},
    },
}


@pytest.mark.shared
@pytest.mark.parametrize("name", EXPECTED)
def test_the_published_sets_have_the_findings_that_were_looked_at_one_by_one(name, shared) -> None:
    folder = name.replace(":", "-")
    benchmark = load(name, data=str(shared / "data" / "benchmarks" / folder / "problems.jsonl.gz"))
    by_kind: dict[str, set[str]] = {}
    for finding in review(benchmark):
        by_kind.setdefault(finding.kind.value, set()).add(finding.id)
    by_kind.pop("shown_in_prompt", None)
    assert by_kind == EXPECTED[name]


def test_a_whole_program_needs_no_entry_point_and_its_cases_can_repeat_each_other() -> None:
    cases = (StdioCase(stdin="1\n", stdout="1\n"), StdioCase(stdin="2\n", stdout="2\n"))
    asked = problem(tests=(StdioTests(cases=cases),), entry_point=None, reference="print(input())")
    assert found(asked) == {}
    again = msgspec.structs.replace(asked, tests=(StdioTests(cases=(*cases, cases[0])),))
    assert found(again).keys() == {"duplicate_tests"}
