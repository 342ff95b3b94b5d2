"""Rules 9 and 10 of the proxy: what may come through the channel, and that both interpreters agree about order, chance and depth."""

from __future__ import annotations

from court import judge, problem, trial

from assay.engine import Settings
from assay.records import CallTests, CheckTests, Limits, Outcome, Trust

ECHO = "def f(x):\n    return x\n"
WRITES = (
    "import os\n\n"
    "def say(data):\n"
    "    for fd in range(3, 20):\n"
    "        try:\n"
    "            os.write(fd, data)\n"
    "        except OSError:\n"
    "            pass\n\n"
)
SAYS = WRITES + "def f(x):\n    say({0})\n    return x\n"

# -- rule 9: the codec


@trial(
    problem(ECHO, "assert f(1) == 1", "assert f(2) == 2", limits=Limits(time_s=2)),
    garbage=SAYS.format("b'\\x05\\0\\0\\0hello'"),
    huge=SAYS.format("b'\\xff\\xff\\xff\\xff' + b'x' * 1000"),
    empty=SAYS.format("b'\\0\\0\\0\\0'"),
    text=SAYS.format("b'{\"passed\": true}\\n'"),
    pickled=SAYS.format("__import__('pickle').dumps('passed')"),
    zeros=SAYS.format("bytes(64)"),
    nested=SAYS.format("(50_000 * 5).to_bytes(4, 'little') + b'(\\x01\\0\\0\\0' * 50_000"),
    counts=SAYS.format("b'\\x05\\0\\0\\0(\\xff\\xff\\xff\\xff'"),
    at_load=WRITES + "say(b'\\x05\\0\\0\\0hello')\n" + ECHO,
)
def test_bytes_of_the_programs_own_on_the_channel_are_never_a_pass(verdicts):
    for name, verdict in verdicts.items():
        assert not verdict.passed, name
        assert verdict.outcome in (Outcome.FORBIDDEN, Outcome.TIME_LIMIT), (name, verdict.message)
    assert verdicts["garbage"].outcome is Outcome.FORBIDDEN
    assert verdicts["at_load"].outcome is Outcome.FORBIDDEN


FINDS = (
    "import sys\n\n"
    "frame = sys._getframe()\n"
    "while 'codec' not in frame.f_globals:\n"
    "    frame = frame.f_back\n"
    "codec = frame.f_globals['codec']\n"
)


@trial(
    problem("def f(x):\n    return [1]\n", "assert f([1, 2]) == [1]"),
    none=FINDS + "codec.Encoder = None\n" + ECHO,
    true=FINDS + "codec.Encoder.encode = lambda self, value: b'T'\n" + ECHO,
    handles=FINDS
    + (
        "codec.Encoder.encode = lambda self, value: "
        "b'(\\2\\0\\0\\0' + codec.encode('ok') + codec.handle(0, 'object', 'list')\n"
    )
    + ECHO,
    honest=FINDS + "def f(x):\n    return [1]\n",
)
def test_a_program_that_reaches_the_encoder_beside_it_gains_nothing(verdicts):
    assert verdicts.pop("honest").passed
    assert not any(v.passed for v in verdicts.values())


VALUES = (
    "10**6000",
    "-(2**63)",
    "float('inf')",
    "-0.0",
    "1 + 2j",
    "'\\ud800 \\0 \\U0001f600'",
    "b'\\0\\xff'",
    "bytearray(b'ab')",
    "[None, True, (1,), {2}, frozenset({3}), {(1, 2): [3]}]",
    "range(3, 9, 2)",
    "__import__('decimal').Decimal('1.10')",
    "__import__('fractions').Fraction(1, 3)",
    "__import__('datetime').date(2024, 2, 29)",
    "__import__('datetime').timedelta(1, 2, 3)",
    "__import__('collections').Counter('aab')",
    "__import__('collections').deque([1, 2], 3)",
    "__import__('collections').OrderedDict(a=1)",
    "int",
    "slice(1, 2)",
    "{}.keys() | {1}",
)


@trial(
    problem(
        f"VALUES = [{', '.join(VALUES)}]\n\ndef f(n):\n    return VALUES[n]\n",
        *(f"assert f({n}) == {text}" for n, text in enumerate(VALUES)),
        "assert type(f(7)) is bytearray and type(f(3)) is float and str(f(3)) == '-0.0'",
    ),
    honest=f"def f(n):\n    return [{', '.join(VALUES)}][n]\n",
    none="def f(n):\n    return None\n",
)
def test_plain_values_of_every_kind_come_through_as_they_are(verdicts):
    assert verdicts["honest"].cases == "1" * (len(VALUES) + 1)
    assert verdicts["honest"].trust is Trust.ANCHORED
    assert verdicts["none"].passed_cases == 0


LETTERS = "def f(d):\n    return list(d)\n"


@trial(
    problem(LETTERS, "assert list(f({'b': 1, 'a': 2})) == ['b', 'a']", "assert f({'b': 1}) == ['b']"),
    honest=LETTERS,
    keys="def f(d):\n    return d.keys()\n",
    values="def f(d):\n    return {k: k for k in d}.values()\n",
)
def test_a_view_keeps_its_order_and_is_no_list(verdicts):
    assert verdicts["honest"].cases == "11"
    assert verdicts["keys"].cases == verdicts["values"].cases == "10"
    assert "dict_keys(['b'])" in verdicts["keys"].message


NUMBERS = "import array\n\ndef f(x):\n    x.append(4)\n    return x\n"


@trial(
    problem(
        NUMBERS,
        "import array\nx = array.array('i', [3])\nassert f(x) == array.array('i', [3, 4])\nassert list(x) == [3, 4]",
        "import array\nx = array.array('i', [3])\nassert f(x) is x",
    ),
    honest=NUMBERS,
    list="def f(x):\n    x.append(4)\n    return list(x)\n",
)
def test_an_array_of_numbers_is_changed_in_place_and_is_no_list(verdicts):
    assert verdicts["honest"].cases == "11"
    assert verdicts["list"].cases == "00"


NESTED = "def f(n):\n    out = []\n    for _ in range(n):\n        out = [out]\n    return out\n"


@trial(
    problem(NESTED, "x, depth = f(20_000), 0\nwhile x:\n    x, depth = x[0], depth + 1\nassert depth == 20_000"),
    honest=NESTED,
    shallow=NESTED.replace("range(n)", "range(n // 2)"),
)
def test_depth_never_meets_the_recursion_limit(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["shallow"].outcome is Outcome.WRONG_ANSWER


@trial(
    problem(
        "def f(n):\n    out = [1]\n    out.append(out)\n    return out\n",
        "x = f(1)\nassert x[1] is x and x[1][1][0] == 1",
    ),
    honest="def f(n):\n    out = [1, 0]\n    out[1] = out\n    return out\n",
    finite="def f(n):\n    return [1, [1, [1]]]\n",
)
def test_a_value_that_holds_itself_comes_through_as_one(verdicts):
    assert verdicts["honest"].passed
    assert not verdicts["finite"].passed


BIG = "def f(n):\n    return 'x' * n\n"


@trial(
    problem(BIG, "assert len(f(12_000_000)) == 12_000_000", limits=Limits(time_s=20)),
    honest=BIG,
    double=BIG.replace("* n", "* 2 * n"),
    flood=BIG.replace("* n", "* 6 * n"),
)
def test_a_reply_may_be_twice_as_large_as_the_references_and_no_more(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["double"].outcome is Outcome.WRONG_ANSWER
    assert not verdicts["flood"].passed


# -- rule 10: hash order, chance, depth

WORDS = "['ash', 'birch', 'cedar', 'elm', 'fir', 'oak', 'pine', 'yew']"
ORDER = "def f(words):\n    return list(set(words))\n"


def test_sets_have_the_same_order_on_both_sides_whatever_the_hash_seed():
    asked = problem(ORDER, f"assert f({WORDS}) == list(set({WORDS}))", id="p")
    shuffled = set()
    for seed in (0, 3):
        source = ORDER + f"\nif list(set({WORDS})) == sorted({WORDS}):\n    pass\n"
        found = judge(
            [(asked, [ORDER, source, "def f(words):\n    raise ValueError(list(set(words)))\n"])],
            Settings(workers=1, hash_seed=seed),
        )
        assert found.verdicts["p", 0].passed
        shuffled.add(found.verdicts["p", 2].message)
    assert len(shuffled) == 2, "the seeds give the same order, so that the test shows nothing"


@trial(
    problem(
        "import random\n\ndef f(n):\n    return [random.random() for _ in range(n)]\n",
        tests=(
            CallTests(inputs=("[3]", "[2]")),
            CheckTests(source="import random\n\ndef check(candidate):\n    assert candidate(1)[0] < 1\n"),
        ),
    ),
    honest=(
        "from random import random\n\n"
        "def f(n):\n"
        "    out = []\n"
        "    while len(out) < n:\n"
        "        out.append(random())\n"
        "    return out\n"
    ),
    other="import random\nrandom.seed(99)\n\ndef f(n):\n    return [random.random() for _ in range(n)]\n",
)
def test_chance_is_seeded_alike_for_the_reference_and_for_candidates(verdicts):
    assert verdicts["honest"].cases == "111"
    assert verdicts["other"].cases == "001"


FRAMES = (
    "import sys\n\n"
    "def f(x):\n"
    "    frame, count = sys._getframe(), 0\n"
    "    while frame:\n"
    "        frame, count = frame.f_back, count + 1\n"
    "    return count\n"
)


@trial(problem(None, "assert 0 < f(1)", "assert f(1) <= 11"), frames=FRAMES)
def test_the_agent_adds_at_most_ten_frames_to_the_stack(verdicts):
    assert verdicts["frames"].passed, verdicts["frames"].message


@trial(
    problem("import random\n\ndef f():\n    return random.random()\n", "import random\nassert f() == random.random()"),
    honest="from random import random as f\n",
    other="def f():\n    return 0.5\n",
)
def test_chance_in_the_tests_is_seeded_as_in_the_program(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["other"].outcome is Outcome.WRONG_ANSWER


@trial(
    problem(
        "import sys\n\ndef f(x):\n    return True\n",
        "assert f('main') is True",
        "assert f('stdin') is True",
        "assert f('alone') is True",
        "assert f('source') is True",
        "assert f('thread') is True",
    ),
    looks=(
        "import sys, threading, inspect\n\ndef f(x):\n"
        "    return {\n"
        "        'main': __name__ != '__main__',\n"
        "        'stdin': sys.stdin.read() == '',\n"
        "        'alone': sys.modules[__name__].f is f,\n"
        "        'source': inspect.getsource(f).startswith('def f'),\n"
        "        'thread': threading.current_thread() is threading.main_thread(),\n"
        "    }[x]\n"
    ),
    guarded="def f(x):\n    return True\n\nif __name__ == '__main__':\n    input()\n",
)
def test_a_function_test_is_no_main_program_and_has_one_module_source_and_thread(verdicts):
    assert verdicts["looks"].cases == "11111"
    assert verdicts["guarded"].passed


@trial(
    problem(
        "def f(g, x):\n    return g(x)\n",
        "assert f(sum, [1, 2]) == 3",
        "assert f(eval, '1 + 1') == 2",
        "x = [2, 1]\nassert f(sorted, x) == [1, 2] and x == [2, 1]",
    ),
    honest="def f(g, x):\n    return g(x)\n",
    judge_killer="def f(g, x):\n    g(\"__import__('os')._exit(0)\")\n    return g(x)\n",
)
def test_a_builtin_that_a_test_passes_on_is_the_agents_own(verdicts):
    assert verdicts["honest"].passed
    assert verdicts["judge_killer"].outcome is Outcome.RUNTIME_ERROR  # it ended itself, not the judge
