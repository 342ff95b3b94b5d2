"""Plain tests share a judge fork: these ways to leave a trace in it, or to reach the interpreter, must not count as plain."""

from __future__ import annotations

import pytest

from assay.judge import is_plain
from assay.records import AssertTests, CallTests, CheckTests, Oracle, Problem, UnittestTests

PLAIN = [
    "assert f([1, 2]) == [2, 3]",
    "assert set(f((1, 2))) == set((1, 2)), 'text'",
    "assert not f(1) and f(2) is True",
    "import math\nassert f(1) == 0.5",
    "x = [3, 1]\nf(x)\nassert x == [1, 3] and sorted(x)[0] == 1",
    "assert f(lambda v: v + 1, [i for i in range(3)]) == {1: 'a'.upper()}",
    "try:\n    f(-1)\n    hit = False\nexcept ValueError:\n    hit = True\nassert hit",
    "total = 0\nfor x in f(3):\n    total += x\nassert total == 6",
]

WAYS_OUT = [
    "import os\nassert f(1) == os.getpid()",
    "from os import path\nassert f(1)",
    "import random\nrandom.seed(3)\nassert f(1)",
    "import math as m\nassert m.floor(f(1)) == 1",
    "from math import *\nassert f(1)",
    "__import__('os').system('true')\nassert f(1)",
    "exec('import os')\nassert f(1)",
    "eval('1')\nassert f(1)",
    "open('x', 'w')\nassert f(1)",
    "setattr(f, 'x', 1)\nassert f(1)",
    "globals()['f'] = 1\nassert f",
    "import math\nmath.pi = 3\nassert f(1)",
    "import math\ndel math.pi\nassert f(1)",
    "assert ().__class__.__base__.__subclasses__()",
    "assert (i for i in ()).gi_frame.f_builtins['exec']",
    "import re\nre.enum.sys.modules.clear()\nassert f(1)",
    "import collections\ncollections.abc.sys.modules.clear()\nassert f(1)",
    "import typing\ntyping.get_type_hints(f)\nassert f(1)",
    "from typing import get_type_hints\nassert f(1)",
    "import string\nstring.Formatter().get_field('0.__class__', (1,), {})\nassert f(1)",
    "import decimal\ndecimal.getcontext().clear_flags()\nassert f(1)",
    "os.remove('x')\nassert f(1)",
    "sys.modules.clear()\nassert f(1)",
    "class A:\n    pass\nassert f(A())",
    "while f(1):\n    pass\nassert f(2)",
    "global g\ng = 1\nassert f(g)",
    "@f\ndef g():\n    pass\nassert f(1)",
    "with f(1):\n    pass\nassert f(2)",
    "print(f(1))\nassert f(1)",
    "assert f(",
    "from re import enum as math\nmath.bltns.exec('1')\nassert f(1)",
    "from statistics import sys as math\nassert f(1)",
    "import re\n(re,)[0].enum.sys.modules.clear()\nassert f(1)",
    "import re\n(lambda: re)().enum\nassert f(1)",
    "import statistics\nmath = statistics\nmath.sys.modules.clear()\nassert f(1)",
    "import statistics\nlist = statistics\nlist.sys.modules.clear()\nassert f(1)",
    "import fractions\nfractions.Fraction.register(float)\nassert f(1)",
    "import math\nassert math.floor(f(1)) == 1",
    "assert '{0.__globals__}'.format(f)",
    "assert '{x}'.format_map(f(1))",
    "try:\n    f(1)\nexcept ValueError as __assay__:\n    pass\nassert f(1)",
    "def g(__assay__):\n    return 1\nassert f(1)",
    "def __assay__():\n    return 1\nassert f(1)",
    "__assay__ = 1\nassert f(1)",
    "assert f(1).real.__class__",
    "[os][0].remove('x')\nassert f(1)",
    "(os if 1 else 0).remove('x')\nassert f(1)",
    "max(os, 1).remove('x')\nassert f(1)",
    "def check(candidate):\n    os = 1\n    assert candidate(os)\n\nos.remove('x')",
    "(lambda v: v.remove('x'))(os)\nassert f(1)",
    "def g(v):\n    v.remove('x')\n\ng(os)\nassert f(1)",
]


def problem(*cases: str, **fields: object) -> Problem:
    return Problem(id="p", prompt="", tests=(AssertTests(cases=cases),), entry_point="f", **fields)


@pytest.mark.parametrize("case", PLAIN)
def test_calls_and_comparisons_are_plain(case):
    assert is_plain(problem(case), ("base",))


@pytest.mark.parametrize("case", WAYS_OUT)
def test_what_could_leave_a_trace_is_not_plain(case):
    assert not is_plain(problem("assert f(1) == 1", case), ("base",))


def test_only_the_groups_that_run_count():
    tests = (AssertTests(cases=("assert f(1)",)), AssertTests(cases=(WAYS_OUT[0],), group="challenge"))
    two = Problem(id="p", prompt="", tests=tests, entry_point="f")
    assert is_plain(two, ("base",))
    assert not is_plain(two, ("base", "challenge"))


def test_setup_may_only_import_harmless_modules():
    assert is_plain(problem("assert f(1)", setup="import math\n"), ("base",))
    assert not is_plain(problem("assert f(1)", setup="import os\n"), ("base",))
    assert not is_plain(problem("assert f(1)", setup="def g(): pass\n"), ("base",))


def test_a_prompt_that_brings_helpers_of_its_own_is_not_plain():
    asked = 'from typing import List\n\n\ndef f(x: List[int]):\n    """Do it."""\n'
    helped = "def helper():\n    return 1\n\n\n" + asked
    assert is_plain(problem("assert f(1)", prompt_is_code=True), ("base",))
    for prompt, plain in ((asked, True), (helped, False)):
        check = CheckTests(source="def check(candidate):\n    assert candidate(1) == 1\n")
        one = Problem(id="p", prompt=prompt, tests=(check,), entry_point="f", prompt_is_code=True)
        assert is_plain(one, ("base",)) is plain


def test_inputs_are_plain_and_other_kinds_of_tests_are_not():
    calls = Problem(id="p", prompt="", tests=(CallTests(inputs=("[1]",)),), entry_point="f")
    suite = Problem(id="p", prompt="", tests=(UnittestTests(source=""),), entry_point="f")
    assert is_plain(calls, ("base",))
    assert not is_plain(suite, ("base",))


def test_a_formula_is_code_that_might_do_anything():
    oracle = Oracle(name="formula", formula="lambda n: n")
    calls = Problem(id="p", prompt="", tests=(CallTests(inputs=("[1]",), oracle=oracle),), entry_point="f")
    assert not is_plain(calls, ("base",))
