from __future__ import annotations

import msgspec
import pytest

from assay.errors import SettingsError
from assay.models import STYLES, choose_shots, find_style, render, require_place, warnings_about
from assay.models.prompting import shows_shots
from assay.records import AssertTests, Problem

THREE = find_style("mbpp-3-shot")
PLAIN = find_style("evalplus-api")


def problem(id_: str, split: str | None = None, *, solved: bool = True) -> Problem:
    return Problem(
        id=id_,
        prompt=f"Do {id_}.",
        tests=(AssertTests(cases=(f"assert f('{id_}')",)),),
        entry_point="f",
        reference="def f(n): ..." if solved else None,
        split=split,
    )


MANY = [problem(str(n), "prompt" if n < 11 else "train") for n in range(1, 31)]


def ids(shots) -> list[str]:
    return [shot.id for shot in shots]


def test_the_prescribed_problems_come_in_the_prescribed_order():
    assert ids(choose_shots(THREE, MANY[::-1])) == ["2", "3", "4"]
    assert ids(choose_shots(THREE, [problem(f"Mbpp/{n}") for n in range(9)])) == ["Mbpp/2", "Mbpp/3", "Mbpp/4"]


def test_problems_of_another_data_set_are_not_the_prescribed_ones():
    with pytest.raises(SettingsError, match="missing are 2, 3, 4"):
        choose_shots(THREE, [problem(f"HumanEval/{n}") for n in range(9)])


def test_a_seed_draws_the_same_problems_whatever_their_order_in_the_file():
    drawn = choose_shots(THREE, MANY, seed=1)
    assert ids(drawn) == ids(choose_shots(THREE, MANY[::-1], seed=1))
    assert len(drawn) == 3
    assert len({tuple(ids(choose_shots(THREE, MANY, seed=seed))) for seed in range(20)}) > 15


def test_shots_come_from_the_split_that_is_named():
    drawn = choose_shots(PLAIN, MANY, count=5, split="train")
    assert {shot.split for shot in drawn} == {"train"}
    assert len(set(ids(drawn))) == 5


@pytest.mark.parametrize(("count", "split"), [(31, None), (11, "prompt"), (1, "nowhere"), (-1, None)])
def test_more_shots_than_there_are_is_an_error(count, split):
    with pytest.raises(SettingsError, match="shots are asked for"):
        choose_shots(PLAIN, MANY, count=count, split=split)


def test_problems_that_cannot_be_shown_are_not_drawn():
    unsolved = [msgspec.structs.replace(each, reference=None) for each in MANY[1:]]
    assert ids(choose_shots(PLAIN, [MANY[0], *unsolved], count=1)) == ["1"]
    untested = msgspec.structs.replace(MANY[0], tests=())
    assert ids(choose_shots(THREE, [untested, MANY[1]], count=1, seed=0)) == ["2"]


def test_no_shots_are_no_shots():
    assert choose_shots(PLAIN, MANY) == ()
    assert choose_shots(THREE, MANY, count=0) == ()


def test_a_shot_that_is_graded_too_is_told():
    (warning,) = warnings_about(find_style("zero-shot-no-test"), MANY, MANY[1:4])
    assert warning == "the prompt shows the solutions of 3 problems that are graded as well: 2, 3, 4"


def test_a_prompt_that_holds_its_test_is_told():
    (warning,) = warnings_about(PLAIN, MANY)
    assert warning.startswith("the prompt shows tests that decide the verdict, for 30 of 30 problems: 1, 2, 3")


def test_who_is_told_of_shown_tests_is_told_of_a_style_that_shows_none():
    (warning,) = warnings_about(find_style("evalplus-api"), MANY)
    _, _, hint = warning.partition("\nhint: ")
    assert hint == "--prompt zero-shot-no-test shows none"
    assert warnings_about(find_style("zero-shot-no-test"), MANY) == ()


def test_where_every_style_for_a_kind_of_model_shows_tests_none_is_named():
    (warning,) = warnings_about(find_style("evalplus-base"), MANY)
    assert "hint" not in warning


def test_a_prompt_without_tests_and_shots_needs_no_warning():
    assert warnings_about(find_style("zero-shot-no-test"), MANY) == ()


def test_a_style_without_a_place_for_shots_says_so_and_names_those_that_have_one():
    with pytest.raises(SettingsError, match="'evalplus-api' has no place for solved problems \\(--shots 2\\)") as told:
        require_place(PLAIN, ("--shots 2",))
    assert "styles that show them: mbpp-3-shot," in str(told.value)
    require_place(PLAIN)
    require_place(THREE, ("--shots 2",))


def test_every_style_that_shows_shots_shows_them():
    shots = MANY[4:6]
    for style in STYLES.values():
        asked = msgspec.structs.replace(MANY[0], prompt='def f(n):\n    """Do."""\n', prompt_is_code=True)
        changed = render(style, asked, shots) != render(style, asked)
        assert shows_shots(style) == changed, style.name
