"""Rules 1 and 2 of the proxy: what a name in a test stands for, and what an exception out of the candidate may do to a test."""

from __future__ import annotations

from court import problem, trial

from assay.records import CheckTests, Outcome, Trust

DOUBLE = "def f(x):\n    return 2 * x\n"

# -- rule 1: names


@trial(
    problem(DOUBLE, "def same(a, b):\n    return a == b\n\nassert same(f(2), 4)"),
    honest=DOUBLE,
    cheat="def f(x):\n    return 0\n\ndef same(a, b):\n    return True\n",
)
def test_a_helper_of_the_tests_is_never_the_candidates(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["cheat"].outcome is Outcome.WRONG_ANSWER


@trial(
    problem(DOUBLE, "assert same(f(2), 4)", setup="def same(a, b):\n    return a == b\n"),
    honest=DOUBLE,
    cheat="def f(x):\n    return 0\n\ndef same(a, b):\n    return True\n",
)
def test_a_name_of_the_setup_is_never_the_candidates(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["cheat"].outcome is Outcome.WRONG_ANSWER


SHIFT = "def encode(s):\n    return s[1:] + s[:1]\n\ndef f(s):\n"


@trial(
    problem(
        SHIFT + "    return s[-1:] + s[:-1]\n",
        prompt=SHIFT,
        prompt_is_code=True,
        tests=(
            CheckTests(
                source="def check(candidate):\n    for s in ('abc', 'de'):\n        assert candidate(encode(s)) == s\n"
            ),
        ),
    ),
    honest="def f(s):\n    return s[-1:] + s[:-1]\n",
    cheat="def encode(s):\n    return s\n\ndef f(s):\n    return s\n",
)
def test_a_helper_that_the_prompt_defines_comes_from_the_prompt(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["honest"].trust is Trust.ANCHORED
    assert verdicts["cheat"].outcome is Outcome.WRONG_ANSWER


@trial(
    problem(
        "def f(x):\n    return list(x)\n",
        "assert sorted(f([2, 1])) == [1, 2]",
        "assert len(f('abc')) == 3",
        "assert set(f([1, 1])) == {1}",
        "assert all(isinstance(x, int) for x in f([1, 2, 3])) and len(f([1])) == 1",
        "assert abs(len(f('ab')) - 2) < 1",
    ),
    honest="def f(x):\n    return [*x]\n",
    cheat=(
        "def f(x):\n    return [x]\n\n"
        "sorted = lambda x: [1, 2]\nlen = lambda x: 3\nset = lambda x: {1}\nall = isinstance = lambda *x: True\nabs = lambda x: 0\n"
        "AssertionError = ZeroDivisionError\n"
        "import builtins\n"
        "for name in 'sorted len set all isinstance abs AssertionError'.split():\n    setattr(builtins, name, globals()[name])\n"
    ),
)
def test_a_candidate_shadows_no_builtin_of_the_tests(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["cheat"].passed_cases == 0


@trial(
    problem(None, "assert sorted(f([2, 1])) == [1, 2]", "assert len(f('abc')) == 3"),
    honest="def f(x):\n    return list(x)\n",
    cheat="def f(x):\n    return [x]\n\nsorted = lambda x: [1, 2]\nlen = lambda x: 3\n",
)
def test_a_candidate_shadows_no_builtin_where_no_reference_says_which_names_there_are(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["cheat"].passed_cases == 0


@trial(
    problem("def sum(a, b):\n    return a + b + 1\n", "assert sum(2, 3) == 6", entry_point="sum"),
    honest="def sum(x, y):\n    return 1 + x + y\n",
    wrong="def sum(x, y):\n    return x + y\n",
)
def test_the_entry_point_may_have_the_name_of_a_builtin(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["wrong"].outcome is Outcome.WRONG_ANSWER


PAIR = "class Pair:\n    def __init__(self, a, b):\n        self.a, self.b = a, b\n\n"
TOTAL = PAIR + "def f(p):\n    return p.a + p.b\n"


@trial(
    problem(TOTAL, "assert f(Pair(1, 2)) == 3", "assert Pair(4, 5).a == 4"),
    honest=PAIR.replace("Pair", "Base")
    + "class Pair(Base):\n    pass\n\ndef f(p):\n    return sum(vars(p).values())\n",
    missing="def f(p):\n    return 3\n",
)
def test_another_name_that_the_reference_defines_is_the_candidates_and_delegated(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["honest"].trust is Trust.DELEGATED
    assert verdicts["missing"].outcome is Outcome.RUNTIME_ERROR
    assert "Pair" in verdicts["missing"].message


@trial(
    problem(
        "def eq(a, b):\n    return a == b\n\ndef f(x):\n    return 2 * x\n", "assert eq(f(1), 2)", "assert eq(f(2), 4)"
    ),
    honest="def eq(a, b):\n    return a == b\n\ndef f(x):\n    return x + x\n",
    alias="def f(*a):\n    return True\n\neq = f\n",
)
def test_one_function_under_two_names_claims_what_either_name_would(verdicts):
    assert {v.trust for v in verdicts.values()} == {Trust.DELEGATED}


@trial(
    problem(
        "E = [4, 5]\n\ndef f(x):\n    return 2 * x\n\ndef g():\n    return [4]\n",
        "assert f(2) in list(E)",
        "assert f(2) in list(g())",
    ),
    constant=(
        "class C:\n    def __iter__(self):\n        return iter([0])\n\nE = C()\n\ndef f(x):\n    return 0\n\n"
        "def g():\n    return [0]\n"
    ),
    generator="E = [0]\n\ndef f(x):\n    return 0\n\ndef g():\n    yield 0\n",
    both="class C:\n    def __iter__(self):\n        return iter([0])\n\nE = C()\ng = lambda: E\n\ndef f(x):\n    return 0\n",
)
def test_what_another_name_gives_item_by_item_is_a_claim_too(verdicts):
    assert {v.trust for v in verdicts.values()} == {Trust.DELEGATED}


@trial(
    problem(DOUBLE, "assert f(2) == TABLE['a']", setup="TABLE = {'a': 4}\n"),
    honest=DOUBLE,
)
def test_a_table_of_the_setup_is_the_setups(verdicts):
    assert verdicts["honest"].trust is Trust.ANCHORED


KEYS = "class K:\n    pass\n\nTABLE = {K(): 4}\n"


@trial(problem("TABLE = {'a': 4}\n" + DOUBLE, "assert f(2) == TABLE['a']"), objects=KEYS + DOUBLE)
def test_an_object_as_a_key_of_a_name_is_refused_while_the_program_is_loaded(verdicts):
    assert verdicts["objects"].outcome is Outcome.RUNTIME_ERROR
    assert verdicts["objects"].message == "the answer is an opaque K object, while the program was loaded"


@trial(
    problem(
        "import math\n\ndef f(x):\n    return math.sqrt(x)\n",
        "assert f(9) == math.sqrt(9)",
        "assert f(16) == math.sqrt(16)",
    ),
    honest="def f(x):\n    return x ** 0.5\n",
    cheat="class math:\n    sqrt = staticmethod(lambda x: 0)\n\ndef f(x):\n    return 0\n",
)
def test_a_module_that_the_tests_take_from_the_reference_is_the_judges_own(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["cheat"].outcome is Outcome.WRONG_ANSWER


@trial(problem(DOUBLE, "assert f(2) == 4"), renamed="def g(x):\n    return 2 * x\n", empty="# nothing yet\n")
def test_a_program_without_the_entry_point_fails_and_is_told_so(verdicts):
    for verdict in verdicts.values():
        assert verdict.outcome is Outcome.RUNTIME_ERROR
        assert "does not define 'f'" in verdict.message


@trial(problem(DOUBLE, "assert f(2) == 4"), data="f = 4\n", text="f = 'abc'\n")
def test_an_entry_point_that_is_plain_data_fails_and_harms_nobody(verdicts):
    assert {v.outcome for v in verdicts.values()} == {Outcome.RUNTIME_ERROR}


# -- rule 2: exceptions

RAISES = "def f(x):\n    if x < 0:\n        raise ValueError('negative', x)\n    return x\n"
CAUGHT = (
    "caught = None\n"
    "try:\n"
    "    f(-1)\n"
    "except ValueError as error:\n"
    "    caught = error.args\n\n"
    "assert caught == ('negative', -1)\n"
    "assert f(1) == 1"
)


@trial(
    problem(RAISES, CAUGHT),
    honest=RAISES,
    own="class Bad(ValueError):\n    pass\n\n" + RAISES.replace("raise ValueError", "raise Bad"),
    namesake="class ValueError(Exception):\n    pass\n\n" + RAISES,
    other=RAISES.replace("raise ValueError", "raise KeyError"),
)
def test_an_exception_is_caught_by_its_real_builtin_bases_and_by_nothing_else(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["own"].passed
    assert verdicts["namesake"].outcome is Outcome.RUNTIME_ERROR
    assert verdicts["other"].outcome is Outcome.RUNTIME_ERROR


CHAINED = "def f(x):\n    return x + 1\n"
STOPS = "def f(x):\n    raise StopIteration\n"


@trial(
    problem(
        CHAINED,
        "assert all(a == b for a, b in zip(map(f, [1, 2]), [2, 3]))",
        "assert [x for x in map(f, [1, 2]) if x not in (2, 3)] == []",
        "total = 0\nfor x in map(f, [1, 2]):\n    assert x in (2, 3)\n    total += 1\nassert total < 3",
        "assert not any(x == 0 for x in map(f, [1, 2]))",
    ),
    honest=CHAINED,
    cheat=STOPS,
    own="class Done(StopIteration):\n    pass\n\ndef f(x):\n    raise Done\n",
    later="def f(x):\n    if x == 2:\n        raise StopIteration\n    return x + 1\n",
)
def test_stop_iteration_out_of_a_call_ends_no_loop_of_the_test(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["cheat"].passed_cases == 0
    assert verdicts["own"].passed_cases == 0
    assert verdicts["later"].passed_cases == 0
    assert "StopIteration" in verdicts["cheat"].message


@trial(
    problem(
        "def f(n):\n    yield from range(n)\n", "it = f(2)\nassert [next(it), next(it), next(it, None)] == [0, 1, None]"
    ),
    honest="def f(n):\n    i = 0\n    while i < n:\n        yield i\n        i += 1\n",
    short="def f(n):\n    yield 0\n",
)
def test_stop_iteration_out_of_next_means_the_end(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["short"].outcome is Outcome.RUNTIME_ERROR
    assert verdicts["short"].message.endswith("StopIteration")


FORGIVING = "ok = False\ntry:\n    ok = f(1) == 1\nexcept BaseException:\n    ok = True\nassert ok"


@trial(
    problem("def f(x):\n    return x\n", FORGIVING, "assert f(2) == 2"),
    system="def f(x):\n    raise SystemExit(0)\n",
    keyboard="def f(x):\n    raise KeyboardInterrupt\n",
    generator="def f(x):\n    raise GeneratorExit\n",
    own="class Gone(BaseException):\n    pass\n\ndef f(x):\n    raise Gone\n",
    both="class Gone(SystemExit, ValueError):\n    pass\n\ndef f(x):\n    raise Gone\n",
)
def test_an_exit_out_of_a_call_ends_the_session_even_where_a_test_swallows_it(verdicts):
    for name, verdict in verdicts.items():
        assert verdict.outcome is Outcome.RUNTIME_ERROR, name
        assert verdict.passed_cases == 0, name
        assert "ended itself in a call" in verdict.message


SAYS = "def f(x):\n    raise ValueError('boom')\n"


@trial(
    problem(SAYS, "try:\n    f(1)\nexcept ValueError as error:\n    said = str(error)\nassert said == 'boom'"),
    honest=SAYS,
    own="class Own(ValueError):\n    def __str__(self):\n        return 'boom'\n\ndef f(x):\n    raise Own(5)\n",
    other="class Own(ValueError):\n    def __str__(self):\n        return 'bang'\n\ndef f(x):\n    raise Own('boom')\n",
)
def test_an_exceptions_own_text_is_what_the_test_reads(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["own"].passed
    assert verdicts["other"].outcome is Outcome.WRONG_ANSWER


LOUD = "class Loud(Exception):\n    def __str__(self):\n        {0}\n\ndef f(x):\n    raise Loud\n"


@trial(
    problem("def f(x):\n    return x\n", "assert f(1) == 1"),
    leaves=LOUD.format("import os; os._exit(0)"),
    raises=LOUD.format("raise SystemExit"),
    long=LOUD.format("return 'x' * 10_000_000"),
    lies=LOUD.format("return 5"),
)
def test_the_text_of_an_exception_is_made_by_the_candidates_side_and_cut(verdicts):
    for name, verdict in verdicts.items():
        assert verdict.outcome is Outcome.RUNTIME_ERROR, name
        assert len(verdict.message) < 600, name


@trial(
    problem(
        "def f(x):\n    return x\n",
        "assert f(1) == 1",
        "try:\n    got = f(2)\nexcept AssertionError:\n    got = 2\nassert got == 2",
    ),
    cheat="def f(x):\n    assert x == 1\n    return x\n",
    own="def f(x):\n    raise AssertionError('nothing is compared')\n",
)
def test_an_assertion_error_of_the_candidates_is_its_own_and_no_wrong_answer(verdicts):
    assert verdicts["own"].cases == "01"
    assert verdicts["own"].outcome is Outcome.RUNTIME_ERROR
    assert verdicts["own"].message == "f(1): AssertionError: nothing is compared (line 2)"
    assert verdicts["cheat"].passed, "this test asks for it"
