from __future__ import annotations

from assay.models.statement import asked_of
from assay.records import AssertTests, CallTests, Problem


def test_the_words_and_tests_of_evalplus_form_are_told_apart():
    prompt = '"""\nDouble n.\nTwice.\nassert f(1) == 2\n"""\n'
    asked = asked_of(Problem(id="1", prompt=prompt, tests=(CallTests(inputs=("[1]",)),), entry_point="f"))
    assert (asked.words, asked.tests, asked.test) == ("Double n.\nTwice.", ("assert f(1) == 2",), "assert f(1) == 2")
    assert asked.docstring == prompt


def test_words_and_the_first_test_make_evalplus_form():
    tests = (
        AssertTests(cases=("assert f(1) == 2", "assert f(2) == 4")),
        AssertTests(cases=("assert 0",), group="challenge"),
    )
    asked = asked_of(Problem(id="1", prompt="Double n.", tests=tests, entry_point="f"))
    assert asked.docstring == '"""\nDouble n.\nassert f(1) == 2\n"""\n'
    assert asked.tests == ("assert f(1) == 2", "assert f(2) == 4")


def test_without_a_test_to_show_there_is_none():
    asked = asked_of(Problem(id="1", prompt="Double n.", tests=()))
    assert (asked.test, asked.tests, asked.docstring, asked.entry_point) == ("", (), '"""\nDouble n.\n"""\n', "")


def test_a_prompt_that_is_code_is_its_own_docstring():
    asked = asked_of(Problem(id="1", prompt="def f():\n", tests=(), entry_point="f", prompt_is_code=True))
    assert (asked.docstring, asked.is_code) == ("def f():\n", True)
