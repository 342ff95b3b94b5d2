"""A problem is compiled once: its units, its names by where they come from, and why it can't be judged, if so."""

from __future__ import annotations

import msgspec
import pytest
from court import problem

from assay.judge.prepared import AssertUnit, CallUnit, CheckUnit, Unusable, prepare
from assay.judge.wire import codec
from assay.records import AssertTests, CallTests, CheckTests, Oracle, StdioCase, StdioTests

REFERENCE = "def f(x):\n    return x\n"


def prepared(*asserts, groups=("base", "plus"), **fields):
    return prepare(msgspec.to_builtins(problem(REFERENCE, *asserts, **fields)), groups)


def test_units_are_in_the_order_of_the_tests_and_of_the_groups_that_are_asked_for():
    tests = (
        AssertTests(cases=("assert f(1) == 1", "assert f(2) == 2")),
        CallTests(inputs=("[1]", "[(2, 'a')]"), group="plus", oracle=Oracle(name="close", rtol=0.5)),
        CheckTests(source="def check(candidate):\n    assert candidate(1) == 1\n", group="challenge"),
    )
    ready = prepared(tests=tests)
    assert [(type(u), u.group) for u in ready.units] == [(AssertUnit, "base"), (AssertUnit, "base"), (CallUnit, "plus")]
    calls = ready.units[2]
    assert [codec.decode(a) for a in calls.arguments] == [((1,), ()), (((2, "a"),), ())]
    assert (calls.oracle, calls.settings) == ("close", {"rtol": 0.5, "atol": 0.0, "equality": None})
    assert isinstance(prepared(tests=tests, groups=("challenge",)).units[0], CheckUnit)


def test_what_an_oracle_needs_is_made_ready_once():
    def settings_of(**oracle):
        return prepared(tests=(CallTests(inputs=("[1]",), oracle=Oracle(**oracle)),)).units[0].settings

    assert settings_of(name="any_of", alternatives=("0", "(1, nan)"))["alternatives"][1][0] == 1
    assert settings_of(name="formula", formula="lambda a: math.floor(a)")["formula"](1.5) == 1
    for wrong in ({"name": "any_of", "alternatives": ("f()",)}, {"name": "formula", "formula": "f(1)"}, {"name": "no"}):
        with pytest.raises(Unusable):
            settings_of(**wrong)


def test_names_are_what_the_tests_read_and_nobody_else_defines():
    ready = prepared(
        "y = g(LIMIT)\nassert f(helper(y)) == sorted(own(1))",
        setup="import math\nLIMIT = 3\ndef own(x):\n    return [h(x)]\n",
    )
    assert ready.names == ("f", "g", "h", "helper")


def test_helpers_of_the_prompt_are_not_asked_of_the_candidate():
    prompt = "def helper(x):\n    return x\n\ndef f(x):\n"
    ready = prepared("assert f(helper(1)) == 1", prompt=prompt, prompt_is_code=True)
    assert ready.names == ("f",)
    assert prepared("assert f(helper(1)) == 1", prompt=prompt).names == ("f", "helper")


def test_an_entry_point_with_the_name_of_a_builtin_is_asked_of_the_candidate():
    assert prepared("assert sum(1) == max(1, 0)", entry_point="sum").names == ("sum",)


def test_only_definitions_of_the_setup_are_shared():
    ready = prepared("assert f(1) == SECRET", setup="import math\nSECRET = 1\n\ndef own():\n    return 2\n")
    assert "def own" in ready.shared_setup
    assert "import math" in ready.shared_setup
    assert "SECRET" not in ready.shared_setup
    assert prepared("assert f(1) == 1").setup_code is None


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"tests": ()}, "no tests"),
        ({"tests": (AssertTests(cases=("assert f(1)",), group="challenge"),)}, "no tests"),
        ({"tests": (AssertTests(cases=("assert f(1) = 1",)),)}, "not valid Python"),
        ({"tests": (AssertTests(cases=("assert f(1)",)),), "setup": "def"}, "not valid Python"),
        ({"tests": (AssertTests(cases=("assert f('\0')",)),)}, "not valid Python"),
        ({"tests": (AssertTests(cases=("f(1) == 1",)),)}, "no assertion"),
        ({"tests": (AssertTests(cases=("assert True",)),)}, "could fail"),
        ({"tests": (StdioTests(cases=(StdioCase(stdin="", stdout=""),)),)}, "'stdio' can't be judged yet"),
        ({"tests": (CheckTests(source="def check(c):\n    assert c(1)"),), "entry_point": None}, "no entry point"),
        ({"tests": (CallTests(inputs=("[open('x')]",)),)}, "not valid Python"),
    ],
)
def test_a_problem_that_can_not_be_judged_says_why(fields, reason):
    with pytest.raises(Unusable, match=reason):
        prepared(**fields)


def test_asserts_need_no_entry_point():
    assert prepared("assert g(1) == 1", entry_point=None).names == ("g",)
