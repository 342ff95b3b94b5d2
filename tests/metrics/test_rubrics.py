import pytest

from assay.errors import DataError, SettingsError
from assay.metrics import RUBRICS, find_rubric

WHOLE = """
name = "support"
version = "2"
scale = 3
decides = "kind"
right_from = 3
[criteria]
solves = "Does it solve the problem?"
kind = "Is it kind?"
"""


def file(tmp_path, text: str) -> str:
    path = tmp_path / "r.toml"
    path.write_text(text)
    return str(path)


def test_a_file_says_all_that_a_rubric_is(tmp_path) -> None:
    found = find_rubric(file(tmp_path, WHOLE))
    assert (found.name, found.version, found.scale, found.decides, found.right_from) == ("support", "2", 3, "kind", 3)
    assert list(found.criteria) == ["solves", "kind"]


def test_what_is_left_out_has_a_usual_value(tmp_path) -> None:
    found = find_rubric(file(tmp_path, 'name = "x"\n[criteria]\nb = "B?"\na = "A?"\nc = "C?"\n'))
    assert (found.scale, found.decides, found.right_from, found.version) == (5, "b", 4, "1")
    two = find_rubric(file(tmp_path, 'name = "x"\nscale = 2\n[criteria]\nb = "B?"\n'))
    assert two.right_from == 2


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("scale = 3", "scale = 1", "its scale is 1, not 2 to 100"),
        ("scale = 3", "scale = 2", "right_from is 3, not 2 to 2"),
        ('decides = "kind"', 'decides = "sane"', "it decides by 'sane', which is none of its criteria"),
        ('kind = "Is it kind?"', 'kind = " "', "the criterion 'kind' asks nothing"),
        ('solves = "Does', '"a b" = "Does', "the criterion 'a b' is not one word"),
        ("scale = 3", "scael = 3", "no rubric: Object contains unknown field `scael`"),
        ("scale = 3", 'scale = "3"', "no rubric: Expected `int`, got `str`"),
        ("[criteria]", "[criteria", "no rubric: "),
    ],
)
def test_a_file_that_is_no_rubric_is_refused_with_the_reason(tmp_path, old, new, told) -> None:
    path = file(tmp_path, WHOLE.replace(old, new))
    with pytest.raises(DataError) as caught:
        find_rubric(path)
    assert f"{path}: {told}" in str(caught.value)
    assert caught.value.hint


def test_an_unknown_name_says_what_was_meant() -> None:
    with pytest.raises(SettingsError, match="did you mean 'code'"):
        find_rubric("cod")


def test_a_word_more_is_another_rubric(tmp_path) -> None:
    one = find_rubric(file(tmp_path, WHOLE))
    two = find_rubric(file(tmp_path, WHOLE.replace("Is it kind?", "Is it very kind?")))
    renamed = find_rubric(file(tmp_path, WHOLE.replace("support", "help")))
    assert one.digest != two.digest
    assert one.digest == renamed.digest


def test_rubrics_stay_as_they_are_until_their_version_changes() -> None:
    assert {f"{name}@{rubric.version}": rubric.digest for name, rubric in RUBRICS.items()} == PINNED


PINNED = {
    "code@1": "d98fe58260c2b6f1e535461f9ebde5e4",
    "answer@1": "bbcd1d0909f071638d5cf31cb459221f",
}
