"""Plain references share an agent: these ways to leave a trace in it, or to reach the interpreter, must not count as plain."""

from __future__ import annotations

import pytest

from assay.judge import is_plain_program, is_repeatable

PLAIN = [
    "def f(x):\n    return sorted(v * 2 for v in x if v)",
    "import math, re, collections\ndef f(x):\n    return re.sub('a', 'b', x), math.pi, collections.Counter(x).most_common(1)",
    "from collections import defaultdict as d\nfrom datetime import datetime, time\ndef f(x):\n    return d(list), datetime.time",
    "class Node:\n    def __init__(self, v):\n        self.v = v\n        self.next = None\ndef f(x):\n    return Node(x).v",
    "import sys\ndef f(x):\n    return min(x, sys.maxsize)",
    "count = 0\ndef f(x):\n    global count\n    count += 1\n    return x[count:]",
    "from functools import lru_cache\n@lru_cache\ndef f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)",
    "def f(x):\n    try:\n        return x[0]\n    except IndexError:\n        print(x)\nif __name__ == '__main__':\n    f([])",
]

WAYS_OUT = [
    "import os",
    "from os import path",
    "import random\nrandom.seed(1)",
    "from random import seed",
    "import math\nmath.pi = 3",
    "import math as m\nm.pi = 3",
    "import math\ndel math.pi",
    "import sys\nsys.setrecursionlimit(9)",
    "import sys as s\ns.setrecursionlimit(9)",
    "from sys import setrecursionlimit",
    "import sys\ng = sys\ng.setrecursionlimit(9)",
    "import re\nre.enum.sys.setrecursionlimit(9)",
    "import collections\ncollections.abc.sys.modules.clear()",
    "from re import enum",
    "from fractions import sys",
    "from math import *\nmath = 1\nfrom os import *",
    "from . import x",
    "eval('1')",
    "g = exec\ng('import os')",
    "__import__('os')",
    "setattr(int, 'x', 1)",
    "vars()['x'] = 1",
    "globals()['x'] = 1",
    "getattr('', 'join')",
    "open('x', 'w')",
    "().__class__.__base__.__subclasses__()",
    "def f(x):\n    return x.__dict__",
    "import operator\noperator.attrgetter('__globals__')",
    "import decimal\ndecimal.getcontext().prec = 3",
    "from decimal import setcontext",
    "import collections\ncollections.UserDict.register(int)",
    "def f(x):\n    f.calls = 1\n    return x",
    "class A(list, metaclass=f):\n    pass",
    "@f\nclass A:\n    pass",
    "with f:\n    pass",
    "async def f(x):\n    await x",
    "import threading\nthreading.Thread(target=f).start()",
    "def f(:",
]


@pytest.mark.parametrize("source", PLAIN)
def test_a_program_of_functions_and_values_is_plain(source):
    assert is_plain_program(source)


@pytest.mark.parametrize("source", WAYS_OUT)
def test_a_program_that_could_leave_a_trace_is_not_plain(source):
    assert not is_plain_program(source)


def test_a_program_that_names_no_clock_says_the_same_another_day():
    assert is_repeatable("import math\ndef f(x):\n    return x\n")
    assert not is_repeatable("from datetime import date\ndef f():\n    return date.today()\n")
