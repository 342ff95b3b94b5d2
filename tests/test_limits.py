from __future__ import annotations

import msgspec
import pytest

from assay.limits import RANGES, Range, limits_flaw
from assay.records import Limits


def changed(name: str, value: object) -> Limits:
    return msgspec.structs.replace(Limits(), **{name: value})


def test_every_number_of_the_limits_has_a_range() -> None:
    assert [*RANGES, "network"] == [field.name for field in msgspec.structs.fields(Limits)]


def test_the_defaults_and_both_ends_of_every_range_are_right() -> None:
    assert limits_flaw(Limits()) is None
    ends = [(name, end) for name, allowed in RANGES.items() for end in (allowed.least, allowed.most)]
    assert [(name, end) for name, end in ends if limits_flaw(changed(name, end)) is not None] == []


@pytest.mark.parametrize("name", RANGES)
def test_what_is_beyond_either_end_is_named_with_value_and_range(name: str) -> None:
    allowed = RANGES[name]
    for value in (allowed.least / 2 if name.endswith("_s") else allowed.least - 1, allowed.most + 1, -1, 0, 10**14):
        flaw = limits_flaw(changed(name, value))
        assert flaw == f"{name!r} must be {allowed}, not {value!r}"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), True, "5", None, pytest.param(10**5000, id="huge")])
def test_what_is_no_number_or_has_no_end_is_refused(value: object) -> None:
    for name in ("time_s", "memory_mib"):
        assert limits_flaw(changed(name, value)) is not None


def test_a_count_has_no_fraction() -> None:
    assert not Range(1, 9).holds(2.5)
    assert Range(1, 9, whole=False).holds(2.5)


def test_a_network_is_not_to_be_had() -> None:
    assert (
        limits_flaw(Limits(network=True))
        == "'network' must be false, not True: samples have no network in this release"
    )
