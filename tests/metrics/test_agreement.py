from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.metrics import Rated, agreement, cohen_kappa

NAMES = "abc"
counts = st.dictionaries(st.sampled_from(NAMES), st.integers(0, 30))


def brute_force(table: dict[str, dict[str, int]]) -> Fraction | None:
    """Kappa by its definition, thing by thing."""
    things = [(one, two) for one, row in table.items() for two, count in row.items() for _ in range(count)]
    if not things:
        return None
    total = len(things)
    same = Fraction(sum(one == two for one, two in things), total)
    chance = Fraction(sum(one == two for one, _ in things for _, two in things), total * total)
    return None if chance == 1 else (same - chance) / (1 - chance)


@given(st.dictionaries(st.sampled_from(NAMES), counts))
@settings(max_examples=60, deadline=None)
def test_kappa_is_that_of_its_definition(table) -> None:
    table = {one: {two: count % 7 for two, count in row.items()} for one, row in table.items()}
    expected = brute_force(table)
    found = cohen_kappa(table)
    assert found == (None if expected is None else pytest.approx(float(expected), rel=1e-12, abs=1e-12))


def test_raters_who_say_one_thing_only_have_no_kappa_and_no_interval() -> None:
    found = agreement([Rated(f"t/{i}", "right", "right") for i in range(20)])
    assert (found.raw, found.kappa, found.kappa_low) == (1.0, None, None)
    assert found.raw_low < 0.9  # twenty of twenty is not certainty


def test_nothing_rated_is_null_and_not_zero() -> None:
    found = agreement([])
    assert (found.samples, found.raw, found.kappa, found.table) == (0, None, None, {})


def rows(problems: int, each: int) -> list[Rated]:
    """In two problems of five the raters differ, in all samples of it."""
    words = ("right", "wrong")
    return [
        Rated(f"t/{i}", words[i % 2], words[i % 2 if i % 5 > 1 else 1 - i % 2])
        for i in range(problems)
        for _ in range(each)
    ]


def test_more_samples_of_the_same_problems_make_no_interval_narrower() -> None:
    one, many = agreement(rows(50, 1)), agreement(rows(50, 20))
    assert one.kappa == pytest.approx(many.kappa)
    widths = [found.kappa_high - found.kappa_low for found in (one, many)]
    assert widths[1] == pytest.approx(widths[0])
    assert one.kappa_low < one.kappa < one.kappa_high
    assert many.raw_high - many.raw_low > 0.15


def test_the_mean_is_over_problems() -> None:
    found = agreement([Rated("t/0", "a", "a"), *[Rated("t/1", "a", "b")] * 9])
    assert (found.raw, found.samples, found.problems) == (0.5, 10, 2)


def test_the_interval_is_the_same_each_time() -> None:
    assert agreement(rows(30, 2)) == agreement(rows(30, 2))
