from __future__ import annotations

import pytest

from assay.errors import DataError, SettingsError
from assay.models.prices import read_price

TABLE = '[models."gpt-x"]\ninput_per_million = 0.5\noutput_per_million = 2\n'


@pytest.mark.parametrize(
    "text",
    [
        'currency = "EUR"\n' + TABLE,
        '{"currency": "EUR", "models": {"gpt-x": {"input_per_million": 0.5, "output_per_million": 2}}}',
    ],
)
def test_a_table_in_toml_or_json_gives_the_cost_of_tokens(tmp_path, text: str) -> None:
    path = tmp_path / "prices"
    path.write_text(text)
    price = read_price(str(path), "gpt-x")
    assert (price.cost(2_000_000, 1_000), price.currency) == (1.002, "EUR")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("models = 3", "no price table"),
        ('[models."gpt-x"]\ninput_per_million = 1', "output_per_million"),
        (TABLE.replace("0.5", "-1"), "is no price"),
        (TABLE.replace("0.5", "nan"), "is no price"),
        (TABLE + 'discount = "all"', "discount"),
        ("[models", "no price table"),
        ("\udcff", "no price table"),
    ],
)
def test_a_table_that_is_none_is_one_clear_error(tmp_path, text: str, told: str) -> None:
    path = tmp_path / "prices.toml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(DataError, match=told):
        read_price(str(path), "gpt-x")


def test_a_model_that_is_not_in_the_table_is_told_with_what_was_meant(tmp_path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(TABLE)
    with pytest.raises(SettingsError, match="did you mean 'gpt-x'"):
        read_price(str(path), "gpt-y")
    with pytest.raises(SettingsError, match="No such file"):
        read_price(str(tmp_path / "none"), "gpt-x")
