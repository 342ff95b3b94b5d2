from __future__ import annotations

import re
from pathlib import Path

import pytest

from assay.benchmarks import LimitsFile, declared_limits, limits_text
from assay.cli.flags import Judging, Repeating, Selection, read_ks
from assay.engine import Settings
from assay.errors import SettingsError


def test_no_flags_are_the_engines_own_defaults() -> None:
    assert Judging().settings() == Settings()


def test_how_often_samples_are_judged_reaches_the_engine_beside_the_rest() -> None:
    repeated = Repeating().settings()
    assert (repeated.trials, repeated.confirm, repeated.hidden) == (1, True, "flag")
    assert Repeating(hidden="require").settings().hidden == "require"
    repeated = Repeating(judging=Judging(timeout=1.5, equality="types"), trials=4, unconfirmed=True).settings()
    assert (repeated.time_s, repeated.equality, repeated.trials, repeated.confirm) == (1.5, "types", 4, False)
    with pytest.raises(SettingsError, match=r"--trials 0 is out of range\nhint: give a whole number from 1 to 100"):
        Repeating(trials=0).settings()


def test_every_judging_flag_reaches_the_engine() -> None:
    judging = Judging(workers=3, timeout=1.5, memory=256, challenge=True, python="/usr/bin/python3", unsafe=True)
    assert judging.settings() == Settings(
        workers=3, time_s=1.5, memory_mib=256, challenge=True, python="/usr/bin/python3", minimum_level="L0"
    )


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        *(("timeout", value) for value in (0, -0.5, 0.001, 86401, 1e300, float("nan"), float("inf"))),
        *(("memory", value) for value in (-1, 15, 1 << 21, 99999999999999)),
        *(("workers", value) for value in (-1, 5000)),
    ],
)
def test_a_number_out_of_range_is_refused_by_the_name_of_its_flag(flag: str, value: float) -> None:
    with pytest.raises(
        SettingsError, match=rf"--{flag} {re.escape(str(value))} is out of range\nhint: give a (whole )?number from"
    ):
        Judging(**{flag: value}).settings()


@pytest.mark.parametrize("text", ["", "0", "-1", "1.5", "1,,2", "ten", "²"])
def test_a_k_that_is_no_positive_whole_number_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match="positive whole number"):
        read_ks(text)


def test_a_selection_is_read_under_the_limits_file_of_the_judging_flags(tmp_path) -> None:
    path = str(tmp_path / "limits.json")
    digest = Selection().read("basics").digest
    limits = {"basics/2": {"time_s": 20.0}}
    Path(path).write_bytes(limits_text(LimitsFile(benchmark="basics", digest=digest, limits=limits)))
    assert declared_limits(Selection().read("basics").problems) == {}
    assert declared_limits(Selection(limit=2).read("basics", Judging(limits=path)).problems) == limits


def test_a_selection_narrows_the_benchmark() -> None:
    assert [problem.id for problem in Selection(limit=2).read("basics").problems] == ["basics/1", "basics/2"]
