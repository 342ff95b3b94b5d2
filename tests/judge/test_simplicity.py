"""Which suites deal in values only, and what is said of the others. Nothing is run here: suites are only read."""

from __future__ import annotations

import ast

import pytest

from assay.judge.simplicity import NotSimple, imported, require_simple, why_not

SIMPLE = [
    "import unittest.mock\nassert f(unittest.mock.ANY)",
    "from unittest.mock import patch, MagicMock\nassert f(1)",  # an import alone
    "import os\nassert f(os.path.join('a', 'b')) == os.sep",
    "import sys\nsys.path.append('..')\nassert f(sys.maxsize)",
    "import unittest\nunittest.TestCase.maxDiff = None\nunittest.util._MAX_LENGTH = 9",
    "import numpy as np\nassert f(np.array([1])).sum() == np.float64(1)",
    "import random, json, datetime\nrandom.seed(1)\nassert json.dumps(f(datetime.date(2024, 1, 1)))",
    "def g(open):\n    return open(1)",
    "def g(os):\n    os.remove(1)\nassert f(lambda io: io.x)",
    "open = f\nassert open(1)",
    "class T:\n    def test(self):\n        self.items.append(f(1))\n        self.table['a'] = 1\n        T.seen.append(1)",
    "x = f(1)\nx.append(2)\nx[0] = 3\nassert x",
    "x = f(1)\nx.total += 1\nx.name = 'a'",
    "import warnings\nwith warnings.catch_warnings():\n    warnings.simplefilter('ignore')\n    f(1)",
    "class T:\n    def test(self):\n        with self.assertRaises((ValueError, KeyError)):\n            f.__call__(1)",
    "import mine\nmine.f(1)",
    "from mine import *\nfrom math import *\nf(sqrt(2))",
]

NOT_SIMPLE = {
    "from unittest.mock import patch\n@patch('a.b')\ndef test(m): pass": "unittest.mock.patch in line 2: what is replaced",
    "from unittest import mock as m\nwith m.patch.object(f, 'x'): pass": "unittest.mock.patch.object in line 2",
    "import unittest.mock\nf(unittest.mock.MagicMock())": "unittest.mock.MagicMock in line 2",
    "import random\nrandom.random = lambda: 4": "assignment to random.random in line 2: what is replaced",
    "import json\nsetattr(json, 'dumps', f)": "setattr(json, ...) in line 2: what is replaced",
    "import mine\nmine.LIMIT = 4": "assignment to LIMIT in line 2: what is replaced",
    "import sys, io\nsys.stdout = f": "assignment to sys.stdout in line 2",
    "import io\nbuffer = io.StringIO()": "io.StringIO in line 2: what the candidate prints",
    "from contextlib import redirect_stdout\nwith redirect_stdout(f): pass": "contextlib.redirect_stdout in line 2: what the cand",
    "class T:\n    def test(self):\n        with self.assertLogs() as log: f(1)": "assertLogs in line 3: what the candidate prints",
    "class T:\n    def test(self):\n        self.assertWarns(E, f)": "assertWarns in line 3: what the candidate prints",
    "import warnings\nwarnings.catch_warnings(record=True)": "warnings.catch_warnings(record=...) in line 2",
    "input()": "input in line 1: what the candidate prints",
    "open('a')": "open in line 1: the candidate runs elsewhere and sees other files",
    "import os\nassert not os.path.exists('a')": "os.path.exists in line 2: the candidate runs elsewhere",
    "import tempfile\nclass T:\n    D = tempfile.mkdtemp()": "tempfile.mkdtemp in line 3: the candidate runs elsewhere",
    "from pathlib import Path\nf(Path('a'))": "pathlib.Path in line 2: the candidate runs elsewhere",
    "import numpy\nnumpy.loadtxt('a')": "numpy.loadtxt in line 2: the candidate runs elsewhere",
    "from unittest.mock import *\npatch('a')": "unittest.mock.* in line 1: what is replaced",
    "from os import *": "os.* in line 1: the candidate runs elsewhere",
    "import inspect\ninspect.getsource(f)": "inspect.getsource in line 2: the candidate's code",
    "assert f.__doc__": "f.__doc__ in line 1: the candidate's code",
    "import mine\nassert mine.f.__code__": "f.__code__ in line 2: the candidate's code",
    "import doctest\ndoctest.testmod()": "doctest.testmod in line 2: the candidate's code",
    "import unittest\nclass T(unittest.IsolatedAsyncioTestCase): pass": "unittest.IsolatedAsyncioTestCase in line 2: only plain",
    "class T:\n    async def test(self): pass": "async def test in line 2: only plain calls",
    "import threading\nthreading.Thread(target=f)": "threading.Thread in line 2: only plain calls",
    "class T:\n    def test(self):\n        self.assertRaises(SystemExit, f)": "assertRaises(SystemExit) in line 3: it ends",
    "class T:\n    def test(self):\n        x.menu.append(2)": "x.menu.append in line 3: it would change a copy",
    "x = f(1)\nx.table['a']['b'] = 2": "assignment to x.table['a']['b'] in line 2: it would change a copy",
    "x = f(1)\ndel x.table['a']": "assignment to x.table['a'] in line 2: it would change a copy",
    "import pandas as pd\nf(pd.DataFrame())": "pandas in line 2: it is not known to deal in plain values only",
    "import matplotlib.pyplot as plt\nplt.close()": "matplotlib in line 2: it is not known",
    "def load_tests(*_): pass": "load_tests: the judge runs the suite itself",
    "re.compile(1)": "",
}
"""Of each, how the reason begins; nothing where the name means nothing special."""


def search(source: str, *others: str) -> None:
    require_simple(ast.parse(source), map(ast.parse, others), "f", frozenset({"mine"}))


@pytest.mark.parametrize("source", SIMPLE)
def test_a_suite_that_deals_in_values_is_simple(source):
    search(source)


@pytest.mark.parametrize("source", NOT_SIMPLE)
def test_the_first_construct_that_is_in_the_way_is_named_with_its_line(source):
    reason = ""
    try:
        search(source)
    except NotSimple as error:
        reason = str(error)
    assert reason.startswith(NOT_SIMPLE[source])
    assert bool(reason) == bool(NOT_SIMPLE[source])


def test_a_name_that_only_the_reference_imports_means_the_same_in_the_suite():
    with pytest.raises(NotSimple, match=r"os\.remove"):
        search("os.remove('a')", "import os\ndef f(x): pass")
    search("os.remove('a')", "import os", "from mine import os")


def test_the_longest_name_that_fits_counts():
    assert why_not("os.path.join") is None
    assert why_not("os.path") == why_not("os.path.getsize") == why_not("os")
    assert why_not("builtins.sorted") is None
    assert why_not("unknown.thing") is not None


def test_imports_are_found_wherever_they_stand():
    tree = ast.parse(
        "import a.b, c as d\ndef g():\n    from e.f import h as i\n    from mine import j\n    from . import k"
    )
    assert imported(tree, frozenset({"mine"})) == {
        "a": "a", "d": "c", "i": "e.f.h", "j": "<solution>.j", "k": "..k",
    }  # fmt: skip
