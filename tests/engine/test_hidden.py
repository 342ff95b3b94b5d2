"""Hidden inputs in a run: a limit that is hit over them changes no verdict, slow references have them too, and settings that can change a
row are part of its job.
"""

from __future__ import annotations

import pytest
from court import judge, problem

from assay.engine import Settings, check_ranges
from assay.engine.settings import Keys
from assay.errors import SettingsError
from assay.records import Isolation, Outcome, StdioCase, StdioTests

REFERENCE = "def f(x):\n    return x * x\n"
TESTS = ("assert f(3) == 9", "assert f(20) == 400", "assert f(11) == 121")
TABLE = "T = {3: 9, 20: 400, 11: 121}\ndef f(x):\n"


def verdict_of(source: str, reference: str = REFERENCE, **settings):
    asked = problem(reference, *TESTS, id="p")
    found = judge([(asked, [source])], Settings(**({"workers": 1, "cache": False} | settings)))
    assert found.invalids == {}
    return found.verdicts["p", 0]


def test_a_limit_on_time_that_is_hit_over_hidden_inputs_leaves_the_verdict_alone() -> None:
    # the first question uses up what the tests left of the time
    source = f"{TABLE}    while x not in T: pass\n    return T[x]\n"
    verdict = verdict_of(source, time_s=0.2)
    assert verdict.passed, verdict.message
    assert verdict.special_cased
    assert verdict.time_s < 0.2


def test_a_limit_on_output_that_is_hit_over_hidden_inputs_leaves_the_verdict_alone() -> None:
    source = f"{TABLE}    if x not in T: print('x' * 10**8)\n    return x * x\n"
    verdict = verdict_of(source)
    assert verdict.passed, verdict.message


def test_a_limit_that_the_tests_hit_counts_as_ever() -> None:
    source = f"{TABLE}    print('x' * 10**8)\n    return x * x\n"
    assert verdict_of(source).outcome is Outcome.OUTPUT_LIMIT
    source = f"{TABLE}    while x == 11: pass\n    return x * x\n"
    assert verdict_of(source, time_s=0.3).outcome is Outcome.TIME_LIMIT


def test_a_reference_that_does_not_come_back_from_some_inputs_is_asked_others() -> None:
    reference = "def f(x):\n    while x % 5 == 4: pass\n    return x * x\n"
    verdict = verdict_of(REFERENCE, reference, time_s=1.0)
    assert verdict.passed
    assert verdict.hidden is not None
    assert verdict.hidden[0] == verdict.hidden[1]
    table = verdict_of(f"{TABLE}    return T.get(x)\n", reference, time_s=1.0)
    assert table.special_cased
    assert table.hidden[1] > 4


def test_a_reference_that_answers_by_chance_has_no_hidden_inputs() -> None:
    reference = "import random\ndef f(x):\n    return x * x if x in (3, 20, 11) else random.random()\n"
    assert verdict_of(f"{TABLE}    return T.get(x)\n", reference, hidden="require").hidden is None


def test_too_few_questions_decide_nothing() -> None:
    asked = problem(REFERENCE, "assert f(0) == 0", "assert f(5) == 25", id="p")  # the other numbers from 0 to 7 are 6
    found = judge([(asked, ["def f(x):\n    return {0: 0, 5: 25}.get(x)\n"])], Settings(workers=1, hidden="require"))
    assert [(v.passed, v.hidden, v.special_cased) for v in found.verdicts.values()] == [(True, None, False)]


def test_who_is_too_slow_for_the_screen_is_asked_it_again_and_no_more() -> None:
    assert verdict_of("import time\ndef f(x):\n    time.sleep(0.1)\n    return x * x\n").hidden == (4, 4)


def test_a_problem_without_a_reference_or_of_whole_programs_has_none_either() -> None:
    tests = (StdioTests(cases=(StdioCase(stdin="", stdout="1"),)),)
    cases = [
        (problem(None, *TESTS, id="none"), [f"{TABLE}    return T.get(x)\n"]),
        (problem("print(1)", id="stdio", entry_point=None, tests=tests), ["print(1)"]),
    ]
    found = judge(cases, Settings(workers=1, hidden="require"))
    assert {(v.passed, v.hidden) for v in found.verdicts.values()} == {(True, None)}


def test_the_mode_is_part_of_the_job_where_it_can_change_the_row() -> None:
    place = Isolation(level="L4", layers=())

    def parts(asked) -> set[str]:
        modes = ("off", "flag", "require")
        return {Keys(Settings(hidden=mode), place, "CPython").problem_part(asked, ("base",)) for mode in modes}

    assert len(parts(problem(REFERENCE, *TESTS))) == 3
    assert len(parts(problem(None, *TESTS))) == 1


def test_a_mode_that_is_none_is_refused() -> None:
    with pytest.raises(SettingsError, match="hidden 'yes' is unknown\nhint: known are off, flag, require"):
        check_ranges(Settings(hidden="yes"))
