"""A problem is compiled once: its units, its names by where they come from, and why it can't be judged, if so."""

from __future__ import annotations

import ast
import math

import msgspec
import pytest
from court import problem
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.benchmarks.calls import literals
from assay.judge import prepared as module
from assay.judge.prepared import AssertUnit, CallUnit, CheckUnit, Unusable, prepare, read_literal
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
    assert (calls.oracle, calls.settings) == ("close", {"rtol": 0.5, "atol": 0.0})
    assert isinstance(prepared(tests=tests, groups=("challenge",)).units[0], CheckUnit)


def test_what_an_oracle_needs_is_made_ready_once():
    def settings_of(**oracle):
        return prepared(tests=(CallTests(inputs=("[1]",), oracle=Oracle(**oracle)),)).units[0].settings

    assert settings_of(name="any_of", alternatives=("0", "(1, nan)"))["alternatives"][1][0] == 1
    assert settings_of(name="formula", formula="lambda a: math.floor(a)")["formula"](1.5) == 1
    for wrong in ({"name": "any_of", "alternatives": ("f()",)}, {"name": "formula", "formula": "f(1)"}, {"name": "no"}):
        with pytest.raises(Unusable):
            settings_of(**wrong)


@pytest.mark.parametrize("number", [complex(-0.0, -3), complex(1, -0.0), complex(math.nan, -math.inf), 1 + 2j])
def test_a_complex_number_is_read_with_its_signs_and_whatever_its_parts_are(number):
    (text,) = literals([number], "inputs")
    assert repr(read_literal(text)) == repr(number)


@pytest.mark.parametrize("text", ["complex(1)", "complex('1', 2)", "complex(f(), 2)", "complex(1, imag=2)"])
def test_no_other_call_is_a_literal(text):
    with pytest.raises((ValueError, TypeError)):
        read_literal(text)


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


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1, 'a']", [1, "a"]),
        (" [-1.5e3] ", [-1500.0]),
        ("[{1: (2,)}, {3}]", [{1: (2,)}, {3}]),
        ("[inf, -inf]", [math.inf, -math.inf]),
        ("[1+2j]", [1 + 2j]),
    ],
)
def test_a_literal_is_read(text, value):
    assert read_literal(text) == value


_TEXTS = st.text(alphabet="()[]{}',\"\\\\ \n\u00e9aN1:#") | st.sampled_from(
    ["(", ")", ",)", "None", "True", "null", "(1,)", "{'(': []}"]
)
_LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | _TEXTS
    | st.binary(max_size=2)
)
_VALUES = st.recursive(
    _LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(_LEAVES, inner, max_size=2)
        | st.sets(_LEAVES, min_size=1, max_size=2)
    ),
    max_leaves=8,
)


def typed(value):
    """A value with the types of all its parts."""
    if isinstance(value, dict):
        return [(typed(k), typed(v)) for k, v in value.items()]
    if isinstance(value, list | tuple | set):
        parts = [typed(part) for part in value]
        return type(value), sorted(parts, key=repr) if isinstance(value, set) else parts
    return type(value), repr(value)


@settings(max_examples=400, deadline=None)
@given(st.lists(_VALUES, max_size=3))
def test_the_short_way_to_read_a_literal_gives_what_python_reads(value):
    text = repr(value)
    assert typed(read_literal(text)) == typed(ast.literal_eval(text))


@settings(max_examples=400, deadline=None)
@given(
    st.text(alphabet="()[]{}',\" 1-.e:aNone", max_size=12)
    | st.from_regex(r"\[(\(|\)|,|1|'|\[|\]| ){0,8}\]", fullmatch=True)
)
def test_whatever_text_is_read_is_what_python_reads_or_refused(text):
    try:
        want = ast.literal_eval(module._Numbers().visit(ast.parse(text.strip(), mode="eval")).body)
    except (ValueError, SyntaxError, TypeError):
        with pytest.raises((ValueError, SyntaxError, TypeError)):
            read_literal(text)
    else:
        assert typed(read_literal(text)) == typed(want)


@pytest.mark.parametrize(
    "text", ["[null]", "[true]", "['a', false]", "[NaN]", "[Infinity]", "[-Infinity]", "[01]", "[1,,]", "[(]", "[)(]"]
)
def test_what_only_json_reads_is_refused(text):
    with pytest.raises((ValueError, SyntaxError)):
        read_literal(text)


@pytest.mark.parametrize(
    "text",
    ["[(1)]", "[()]", "[(1,)]", "[(1, )]", "[((1, 2),)]", "[(1, 2,)]", "[')', (1,)]", "['(', ')']", "[{'(': 1}]"],
)
def test_only_a_comma_makes_a_tuple(text):
    assert read_literal(text) == ast.literal_eval(text)


def test_a_literal_may_hold_nan():
    (value,) = read_literal("[nan]")
    assert math.isnan(value)


@pytest.mark.parametrize("text", ["[f(1)]", "[x]", "__import__('os')", "[1 + x]", "[lambda: 1]"])
def test_anything_else_is_refused(text):
    with pytest.raises(ValueError):
        read_literal(text)
