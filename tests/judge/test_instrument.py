"""A watched test means what it meant before, and tells what it did."""

from __future__ import annotations

import subprocess
import sys

import pytest

from assay.judge.instrument import RECORDER, definitions, free_names, instrument, prompt_helpers
from assay.judge.recorder import _COMPARE


class Watcher:
    """A recorder that keeps what it is told."""

    isolated = (Exception,)

    def __init__(self):
        self.events = []

    def compare(self, site, name, left, right):
        self.events.append(("compare", site, name, left, right))
        return _COMPARE[name](left, right)

    def truth(self, site, value):
        self.events.append(("truth", site))
        return value

    def held(self, site):
        self.events.append(("held", site))

    def failed(self, site, error):
        self.events.append(("failed", site, type(error).__name__))

    def settle(self):
        self.events.append(("settle",))

    def named(self, *kinds):
        return [e for e in self.events if e[0] in kinds]


def watch(source, isolate=None, call=None):
    """What a recorder was told while the source ran; `call` names a function of it to call then."""
    watcher = Watcher()
    namespace = {RECORDER: watcher}
    exec(instrument(source, "<test>", isolate).code, namespace)
    if call is not None:
        namespace[call]()
    return watcher


def test_an_assert_tells_both_sides_of_its_comparison_and_that_it_held():
    assert watch("x = 2\nassert x + 1 == 3").named("compare", "held") == [("compare", 0, "==", 3, 3), ("held", 0)]


def test_an_assert_that_fails_raises_its_own_message_and_is_not_held():
    watcher = Watcher()
    with pytest.raises(AssertionError, match="text 4"):
        exec(instrument("assert 1 == 2, f'text {2 + 2}'", "<test>").code, {RECORDER: watcher})
    assert watcher.named("held") == []


def test_the_message_of_an_assert_that_holds_is_not_evaluated():
    watch("assert 1 == 1, 1 / 0")


@pytest.mark.parametrize(
    ("test", "holds"),
    [
        ("1 != 2", True),
        ("1 < 1", False),
        ("2 <= 2", True),
        ("2 > 3", False),
        ("3 >= 3", True),
        ("None is None", True),
        ("1 is not None", True),
        ("1 in [2]", False),
        ("1 not in [2]", True),
        ("1 < 2 < 3", True),
        ("1 < 2 > 5", False),
        ("not []", True),
        ("1 == 1 and 2 == 3", False),
        ("[]", False),
    ],
)
def test_an_assert_decides_as_python_does(test, holds):
    if holds:
        assert watch(f"assert {test}").named("held") == [("held", 0)]
    else:
        with pytest.raises(AssertionError):
            watch(f"assert {test}")


def test_the_sides_of_a_comparison_are_evaluated_once_and_in_order():
    source = "log = []\ndef say(x):\n    log.append(x)\n    return x\nassert say(1) < say(2)\nassert log == [1, 2]"
    assert len(watch(source).named("held")) == 2


def test_statements_settle_after_they_ran_also_inside_blocks_and_functions():
    source = "for i in range(2):\n    x = i\nif x:\n    y = 1\ndef f():\n    z = 1\n    return z\nf()"
    assert len(watch(source).named("settle")) == 7


def test_a_docstring_stays_a_docstring_and_a_future_import_stays_first():
    source = "'Text.'\nfrom __future__ import annotations\ndef f(x: nothing):\n    'doc'\n"
    assert len(watch(source + "assert f.__doc__ == 'doc'\nassert __doc__ == 'Text.'").named("held")) == 2


def test_our_own_future_imports_do_not_leak_into_tests():
    watch("def f(x: int):\n    pass\nassert f.__annotations__ == {'x': int}")


CHECK = """
def check():
    assert 1 == 2
    assert 2 == 2
    x = 1 / 0
    for i in (1, 2, 3):
        assert i != 2
    if True:
        assert 0
        assert 1 == 1
    def helper():
        assert 5 == 6
    helper()
    while True:
        assert 3 == 4
    assert 7 == 7
"""


def test_statements_of_check_are_isolated_from_one_another_but_not_inside_functions_and_while():
    told = watch(CHECK, "check", "check").named("held", "failed")
    assert told == [
        ("failed", 0, "AssertionError"),
        ("held", 1),
        ("failed", None, "ZeroDivisionError"),
        ("held", 2),
        ("failed", 2, "AssertionError"),
        ("held", 2),
        ("failed", 3, "AssertionError"),
        ("held", 4),
        ("failed", None, "AssertionError"),
        ("failed", None, "AssertionError"),
        ("held", 7),
    ]


def test_break_continue_return_and_imports_inside_check_keep_their_meaning():
    source = (
        "def check():\n"
        "    import math\n"
        "    for i in range(9):\n"
        "        if i == 1:\n"
        "            continue\n"
        "        if i == 3:\n"
        "            break\n"
        "        assert i in (0, 2)\n"
        "    assert math.floor(2.5) == 2\n"
        "    return\n"
        "    assert 0\n"
    )
    assert len(watch(source, "check", "check").named("held")) == 3


def test_a_try_of_the_tests_own_catches_what_it_caught_before():
    watch(
        "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    got = e\nelse:\n    got = None\nfinally:\n    done = 1\nassert got and done"
    )


def test_a_match_statement_is_gone_into():
    assert len(watch("match 3:\n    case 3:\n        assert 3 == 3\n    case _:\n        assert 0").named("held")) == 1


def test_asserts_are_evaluated_where_the_interpreter_strips_its_own():
    code = (
        "from assay.judge.instrument import instrument\n"
        "class R:\n"
        "    compare = staticmethod(lambda site, name, a, b: a == b)\n"
        "    held = settle = staticmethod(lambda *a: None)\n"
        "try:\n"
        "    exec(instrument('assert 1 == 2', '<t>').code, {'__assay__': R})\n"
        "except AssertionError:\n"
        "    print('raised')\n"
    )
    done = subprocess.run([sys.executable, "-O", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "raised\n"


@pytest.mark.parametrize(
    ("text", "vacuous"),
    [
        ("assert True", True),
        ("assert 1, 'text'", True),
        ("assert 'text'", True),
        ("assert (f(1) == 2, 'text')", True),
        ("assert False", False),
        ("assert ()", False),
        ("assert f(1)", False),
        ("assert f(1) == 2", False),
        ("assert 1 == 1", False),
    ],
)
def test_an_assert_that_could_not_fail_is_called_vacuous(text, vacuous):
    (site,) = instrument(text, "<test>").sites
    assert site.vacuous is vacuous


def test_a_test_that_is_no_python_is_a_syntax_error():
    with pytest.raises(SyntaxError):
        instrument("assert f(1) = 2", "<test>")


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("assert f(g(1)) == h", {"f", "g", "h"}),
        ("x = 1\nassert f(x)", {"f"}),
        ("import os as o\nassert f(o.sep)", {"f"}),
        ("def g(a):\n    return f(a) + a\nassert g(1)", {"f"}),
        ("def g():\n    f = 1\n    return f\ng()", set()),
        ("assert [f(i) for i in range(3)]", {"f", "range"}),
        ("for i in range(3):\n    pass\nassert f(i)", {"f", "range"}),
        ("class A(B):\n    x = c", {"B", "c"}),
        ("def g():\n    def h():\n        return f\n    return h", {"f"}),
        ("assert (lambda x: x + y)(1)", {"y"}),
    ],
)
def test_free_names_are_those_that_are_read_and_never_bound(source, names):
    assert free_names(source) == names


def test_definitions_are_imports_functions_and_classes_and_no_values():
    source = "import math\nfrom a import b\nX = 5\n\nclass C:\n    y = X\n\ndef f():\n    return X\n\nprint('hello')\n"
    kept = definitions(source)
    assert "import math" in kept
    assert "class C" in kept
    assert "def f" in kept
    assert "X = 5" not in kept
    assert "hello" not in kept


@pytest.mark.parametrize("ending", ["", "    return x + LIMIT\n"])
def test_helpers_of_a_prompt_are_all_but_the_entry_point_also_where_the_prompt_stops_in_the_middle(ending):
    namespace = {}
    exec(
        prompt_helpers(
            f"import math\nLIMIT = 3\n\ndef half(x):\n    return x / 2\n\ndef f(x):\n    'doc'\n{ending}", "f"
        ),
        namespace,
    )
    assert namespace["half"](4) == 2
    assert namespace["LIMIT"] == 3
    assert "f" not in namespace


@pytest.mark.parametrize("prompt", ["Write a function that adds one.", "def f(x):\n    'doc'\n", ""])
def test_a_prompt_without_helpers_gives_none(prompt):
    assert prompt_helpers(prompt, "f") is None
