"""What a user may choose, and the one error that tells what may not be chosen."""

from __future__ import annotations

import platform
import sys
from typing import TYPE_CHECKING

import msgspec
import pytest
from court import problem

from assay.engine import Settings, check_ranges, interpreter
from assay.engine.settings import Keys
from assay.errors import SettingsError
from assay.records import AssertTests, CallTests, Isolation, Limits

if TYPE_CHECKING:
    from pathlib import Path

ASKED = problem("def f(x):\n    return x\n", "assert f(1) == 1", id="echo")


def test_the_users_limits_stand_in_place_of_the_problems():
    limits = Settings(time_s=1.5).limits(msgspec.structs.replace(ASKED, limits=Limits(time_s=9, disk_mib=3)))
    assert limits == Limits(time_s=1.5, disk_mib=3)


@pytest.mark.parametrize(
    "limits", [Limits(memory_mib=10**14), Limits(time_s=1e300), Limits(output_kib=-5), Limits(network=True)]
)
def test_a_problem_with_a_limit_out_of_range_is_named(limits):
    with pytest.raises(SettingsError, match="limits of problem echo: '"):
        Settings().limits(msgspec.structs.replace(ASKED, limits=limits))


@pytest.mark.parametrize(
    "change",
    [
        {"time_s": float("nan")},
        {"time_s": 0.0},
        {"memory_mib": 1},
        {"workers": -1},
        {"hash_seed": -1},
        {"workers": None},
        {"trials": 0},
        {"trials": 1000},
    ],
)
def test_a_setting_out_of_range_is_refused_by_its_name(change):
    with pytest.raises(SettingsError, match=f"^{next(iter(change))} .* is out of range\nhint: give a"):
        check_ranges(Settings(**change))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"seed": "a"}, "seed 'a' can't be used\nhint: give a whole number"),
        ({"python": 3}, "python 3 can't be used\nhint: give the path of an interpreter, or None"),
        ({"confirm": "no"}, "confirm 'no' can't be used\nhint: give True or False"),
        ({"cache": None}, "cache None can't be used\nhint: give True or False"),
        ({"minimum_level": "L9"}, "minimum_level 'L9' is unknown\nhint: known are L0, L1, L2, L3, L4, L5"),
        ({"equality": "x"}, "the equality 'x' is unknown\nhint: known are "),
        ({"hidden": "x"}, "hidden 'x' is unknown\nhint: known are off, flag, require"),
    ],
)
def test_a_setting_of_another_kind_is_refused_by_its_name(change, told):
    with pytest.raises(SettingsError) as caught:
        check_ranges(Settings(**change))
    assert str(caught.value).startswith(told)


def test_the_defaults_are_within_their_ranges():
    check_ranges(Settings())


def stand_in(folder: Path, script: str) -> str:
    path = folder / "python"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def test_the_interpreter_is_told_with_its_version():
    own = f"CPython {platform.python_version()}"
    assert interpreter(Settings()) == own
    assert interpreter(Settings(python=sys.executable)) == own


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("true", "is no Python: asked for its version, it said nothing"),
        ('echo "$@"', "is no Python: asked for its version, it said '-I -S"),
        ("printf '\\377\\n'", "is no Python: asked for its version, it said '\ufffd"),
        ("echo CPython 3.8.10", "is CPython 3.8.10, and 3.9 is the oldest that can be used"),
        ("echo CPython 2.7.18", "is CPython 2.7.18, and 3.9 is the oldest"),
        ("echo oh no >&2; exit 3", "can't be run: it ended with status 3: oh no"),
    ],
)
def test_what_is_no_python_of_a_usable_age_is_refused_with_what_it_said(tmp_path, script, said):
    with pytest.raises(SettingsError) as caught:
        interpreter(Settings(python=stand_in(tmp_path, script)))
    assert said in str(caught.value)
    assert f"hint: name an interpreter such as {sys.executable}" in str(caught.value)


def test_an_interpreter_of_another_age_is_taken(tmp_path):
    assert interpreter(Settings(python=stand_in(tmp_path, "echo CPython 3.14.0rc1+"))) == "CPython 3.14.0rc1+"


def test_trials_are_runs_of_one_trial_whose_seeds_are_further_on():
    settings = Settings(trials=3, seed=7, hash_seed=2**32 - 1, time_s=2.0)
    assert settings.in_trial(0) == Settings(seed=7, hash_seed=2**32 - 1, time_s=2.0)
    assert settings.in_trial(2) == Settings(seed=9, hash_seed=1, time_s=2.0)


def test_an_equality_is_put_into_the_oracles_of_inputs_and_nowhere_else():
    asked = problem(
        "def f(x):\n    return x\n", tests=(CallTests(inputs=("[1]",)), AssertTests(cases=("assert f(1) == 1",)))
    )
    assert Settings().posed(asked) is asked
    posed = Settings(equality="lenient").posed(asked)
    assert (posed.tests[0].oracle.equality, posed.tests[0].inputs) == ("lenient", ("[1]",))
    assert posed.tests[1] is asked.tests[1]


def test_an_unknown_equality_is_refused():
    with pytest.raises(SettingsError, match="the equality 'loose' is unknown\nhint: known are strict, types, lenient"):
        check_ranges(Settings(equality="loose"))


def test_a_job_is_another_under_other_trials_and_under_another_equality_only_where_that_decides():
    inputs = problem("def f(x):\n    return x\n", tests=(CallTests(inputs=("[1]",)),), id="inputs")
    isolation = Isolation(level="L4", layers=())

    def part(asked, **changes):
        return Keys(Settings(**changes), isolation, "CPython 3").problem_part(asked, ("base",))

    assert (
        len({part(inputs), part(inputs, trials=2), part(inputs, equality="strict"), part(inputs, equality="types")})
        == 4
    )
    assert part(ASKED) == part(ASKED, equality="types") == part(ASKED, confirm=False, workers=3)
