from report_room import Judged, verdict, wrong

from assay.records import AssertTests, CallTests, CheckTests, Outcome, Problem, StdioCase, StdioTests
from assay.report.cases import Case, count_cases, hardest, is_listed, sources_of_tests

ASSERTS = AssertTests(cases=("assert f(1) == 1", "assert f(2) == 4"))
CALLS = CallTests(inputs=("[[1, 2], 3]", "[0]"), group="plus")


def problem(*tests):
    return Problem(id="t/1", prompt="?", tests=tests, entry_point="f")


def judged(cases, groups, **fields):
    outcome = Outcome.PASSED if "0" not in cases else Outcome.WRONG_ANSWER
    told = {"cases": cases, "total_cases": len(cases), "passed_cases": cases.count("1"), "groups": groups}
    return verdict(0, Judged("t/1", outcome=outcome, fields=told | fields), len(cases))


def test_each_case_has_its_words_and_the_samples_that_pass_it():
    groups = {"base": (2, 2), "plus": (1, 2)}
    found = count_cases(problem(ASSERTS, CALLS), [judged("1101", groups), judged("1100", groups)])
    assert found == [
        Case("base", 1, "assert f(1) == 1", 2, 2),
        Case("base", 2, "assert f(2) == 4", 2, 2),
        Case("plus", 1, "f([1, 2], 3)", 0, 2),
        Case("plus", 2, "f(0)", 1, 2),
    ]


def test_what_was_expected_is_known_from_a_sample_that_failed_there():
    failure = wrong("t/1", group="plus", case=1, call="f(0)", expected="7").fields["first_failure"]
    found = count_cases(
        problem(ASSERTS, CALLS), [judged("1110", {"base": (2, 2), "plus": (1, 2)}, first_failure=failure)]
    )
    assert [case.expected for case in found] == ["", "", "", "7"]


def test_cases_of_a_check_are_named_by_the_calls_that_failed():
    failure = wrong("t/1", case=1, call="f(2)", expected="4").fields["first_failure"]
    check = problem(CheckTests(source="def check(candidate): ..."))
    found = count_cases(check, [judged("10", {"base": (1, 2)}, first_failure=failure)])
    assert [(case.text, case.expected) for case in found] == [("", ""), ("f(2)", "4")]
    assert not is_listed(check, found)
    assert [each.kind for each in sources_of_tests(check, listed=True)] == ["check(candidate)"]


def test_tests_that_do_not_fit_the_cases_are_shown_as_they_stand():
    asked = problem(ASSERTS)
    found = count_cases(asked, [judged("111", {"base": (3, 3)})])
    assert [case.text for case in found] == ["", "", ""]
    assert not is_listed(asked, found)
    assert [each.text for each in sources_of_tests(asked, listed=False)] == ["assert f(1) == 1\nassert f(2) == 4"]
    assert count_cases(asked, []) == []


def test_whole_programs_are_shown_by_input_and_output():
    asked = problem(StdioTests(cases=(StdioCase(stdin="1 2\n", stdout="3\n"),)))
    (case,) = count_cases(asked, [judged("1", {"base": (1, 1)})])
    assert case.text == "1 2\n→ 3\n"


def test_of_many_cases_those_that_most_samples_fail_are_kept_in_their_order():
    cases = [Case("base", i, "", passed, 9) for i, passed in enumerate((9, 0, 9, 3, 9, 1))]
    assert [case.number for case in hardest(cases, 3)] == [1, 3, 5]
    assert hardest(cases, 6) == cases
