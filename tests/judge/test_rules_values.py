"""What a test sees of a candidate's values is what Python itself gives: a table of kinds, each looked at here and in the real sandbox."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from court import judge, problem

from assay.engine import Settings

KINDS = tomllib.loads(Path(__file__).with_name("value_kinds.toml").read_text("utf-8"))["kind"]
NAMES = [kind["name"] for kind in KINDS]


def parts(number: int) -> tuple[str, str, str]:
    """The program of a kind, the statements before its test, and the expression that is true."""
    kind = KINDS[number]
    assert kind.keys() <= {"name", "program", "before", "truth"}
    return kind["program"], kind.get("before", ""), kind["truth"]


def asked(number: int, *, upside_down: bool):
    """A problem whose reference is the program, and whose test looks at what it gives; or for its contrary."""
    program, before, truth = parts(number)
    test = f"{before}\nseen = {truth}\nassert {'not seen' if upside_down else 'seen'}, 'this very assert'\n"
    return problem(program, test, id=f"{number}{' contrary' if upside_down else ''}")


@pytest.fixture(scope="module")
def found():
    """Every program judged as its own problem's sample, and every contrary."""
    cases = [
        (asked(number, upside_down=contrary), [parts(number)[0]])
        for number in range(len(KINDS))
        for contrary in (False, True)
    ]
    return judge(cases, Settings(workers=1))


def test_there_are_kinds_enough_and_each_has_a_name_of_its_own():
    assert len(KINDS) > 120
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("number", range(len(KINDS)), ids=NAMES)
def test_a_test_sees_what_python_itself_gives(number, found):
    program, before, truth = parts(number)
    namespace = {"__name__": "solution"}
    exec(compile(f"{program}\n{before}\n", "<kind>", "exec", dont_inherit=True), namespace)
    assert eval(truth, namespace) is True
    assert str(number) not in found.invalids
    verdict = found.verdicts[str(number), 0]
    assert verdict.passed, verdict.message


@pytest.mark.parametrize("number", range(len(KINDS)), ids=NAMES)
def test_the_contrary_is_seen_to_be_false_by_the_assert_itself(number, found):
    reason = found.invalids[f"{number} contrary"]
    assert reason.startswith("the reference fails its own tests")
    assert reason.endswith("this very assert")
