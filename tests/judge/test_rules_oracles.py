"""Oracles at work in the real sandbox: what they accept of candidates, and that no candidate's own claims count."""

from __future__ import annotations

from court import problem, trial

from assay.records import CallTests, Oracle, Outcome, Trust

ALWAYS_EQUAL = """
class Yes:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return hash(2)
    def __abs__(self): return 0
    def __mul__(self, other): return 0
    __rmul__ = __radd__ = __add__ = __mul__
    def __float__(self): return 3.0
def f(*args):
    return Yes()
"""
ALWAYS_EQUAL_NUMBER = """
class Yes(float):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __abs__(self): return 0.0
    __hash__ = float.__hash__
def f(*args):
    return Yes(7)
"""


def calls(*inputs: str, **oracle) -> dict:
    return {"tests": (CallTests(inputs=inputs, oracle=Oracle(**oracle)),)}


@trial(
    problem(
        "import re\ndef f(text):\n    return re.search('ab+', text)\n", **calls("['xabb']", "['x']", name="not_none")
    ),
    honest="import re\ndef f(text):\n    return re.match('.*ab+', text)\n",
    tells="def f(text):\n    return 'ab' in text\n",
    texts="def f(text):\n    return 'found' if 'ab' in text else None\n",
    always="import re\ndef f(text):\n    return re.search('', text)\n",
    never="def f(text):\n    return None\n",
    liar=ALWAYS_EQUAL,
)
def test_an_answer_that_stays_with_the_agent_is_judged_by_whether_there_is_one(verdicts):
    assert [verdicts[name].cases for name in verdicts] == ["11", "11", "11", "10", "01", "10"]
    assert {verdict.trust for verdict in verdicts.values()} == {Trust.ANCHORED}
    told = verdicts["always"].first_failure
    assert (told.call, told.expected) == ("f('x')", "False")


@trial(
    problem("def f(xs):\n    return 3.0\n", **calls("[[-9, 0, 1]]", "[[-3, 1]]", name="root", atol=1e-4)),
    other="def f(xs):\n    return -3 if len(xs) == 3 else 3\n",
    near="def f(xs):\n    return 3.1\n",
    liar=ALWAYS_EQUAL,
    number=ALWAYS_EQUAL_NUMBER,
    empties="def f(xs):\n    xs.clear()\n    return 1.0\n",
)
def test_a_zero_is_looked_for_in_the_tests_own_coefficients(verdicts):
    assert [verdicts[name].cases for name in verdicts] == ["11", "00", "00", "00", "00"]


@trial(
    problem(
        "def f(a, b):\n    return a + b\n", **calls("[5, 3]", "[1, 1]", name="formula", formula="lambda a, b: a - b")
    ),
    second="def f(a, b):\n    return a - b\n",
    mixed="def f(a, b):\n    return 8 if a == 5 else 0\n",
    neither="def f(a, b):\n    return a * b\n",
    liar=ALWAYS_EQUAL_NUMBER,
)
def test_a_formula_makes_a_second_answer_right_for_each_input(verdicts):
    assert [verdicts[name].cases for name in verdicts] == ["11", "11", "00", "00"]


@trial(
    problem("def f(n):\n    return n\n", **calls("[1]", "[2]", name="any_of", alternatives=("0", "(1, 2)"))),
    listed="def f(n):\n    return (1, 2) if n == 1 else 0\n",
    unlisted="def f(n):\n    return [1, 2] if n == 1 else 3\n",
)
def test_alternatives_are_right_for_every_input(verdicts):
    assert [verdicts[name].cases for name in verdicts] == ["11", "00"]


@trial(
    problem("def f(n):\n    return n > 1\n", **calls("[1]", "[2]", name="types")),
    bools="def f(n):\n    return n >= 2\n",
    numbers="def f(n):\n    return int(n > 1)\n",
)
def test_an_oracle_of_types_refuses_a_number_for_a_bool(verdicts):
    assert [verdicts[name].cases for name in verdicts] == ["11", "00"]


@trial(
    problem("def f(n):\n    return [1, 2, n]\n", **calls("[3]", name="set")),
    honest="def f(n):\n    return (n, 2, 1, 1)\n",
    liar=ALWAYS_EQUAL,
    liars=ALWAYS_EQUAL + "g = f\ndef f(n):\n    return [g(), 1]\n",
)
def test_elements_that_claim_to_be_equal_are_not(verdicts):
    assert verdicts["honest"].passed
    assert {verdicts[name].outcome for name in ("liar", "liars")} == {Outcome.WRONG_ANSWER}


@trial(
    problem("def f(n):\n    return n\n", **calls("[3]", name="formula", formula="f(n)")),
    any="def f(n):\n    return n\n",
)
def test_a_formula_that_is_no_lambda_makes_the_problem_invalid(reason):
    assert "the formula 'f(n)' is no lambda" in reason


@trial(problem("def f(n):\n    return n\n", **calls("[3]", name="magic")), any="def f(n):\n    return n\n")
def test_an_unknown_oracle_makes_the_problem_invalid(reason):
    assert reason == "the oracle 'magic' is unknown"


@trial(
    problem("def f(n):\n    return object()\n", **calls("[3]", name="close")), any="def f(n):\n    return object()\n"
)
def test_an_object_is_no_answer_to_an_oracle_that_looks_at_the_whole(reason):
    assert reason == "the reference's answer is an object that can't be copied and compared"


@trial(
    problem("def f(n):\n    return [n, n / 3]\n", **calls("[1]", "[7]", equality="lenient")),
    honest="def f(n):\n    return (float(n), n * (1 / 3))\n",
    wrong="def f(n):\n    return [n, n / 4]\n",
    claims=ALWAYS_EQUAL,
)
def test_a_lenient_oracle_takes_a_tuple_and_a_little_less_and_no_claim(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["wrong"].outcome is Outcome.WRONG_ANSWER
    assert verdicts["claims"].outcome is Outcome.WRONG_ANSWER


@trial(
    problem("def f(n):\n    return n > 1\n", **calls("[1]", "[7]", name="close", equality="types")),
    same="def f(n):\n    return bool(n - 1)\n",
    number="def f(n):\n    return int(n > 1)\n",
)
def test_an_equality_of_types_holds_under_any_oracle(verdicts):
    assert verdicts["same"].passed
    assert verdicts["number"].outcome is Outcome.WRONG_ANSWER
