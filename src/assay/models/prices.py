"""What answers cost, by a table that the user gives: assay knows no prices, since they change.

currency = "USD"

[models."gpt-x-mini"]
input_per_million = 0.15     # tokens of prompts
output_per_million = 0.60    # tokens of answers
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec

from assay.errors import DataError, SettingsError, did_you_mean
from assay.records import Record

_MILLION = 1_000_000


class Price(Record):
    """What a million tokens of prompts, and of answers, cost in the table's currency."""

    input_per_million: float
    output_per_million: float
    currency: str = "USD"

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        """What so many tokens cost.

        >>> Price(input_per_million=0.5, output_per_million=2.0).cost(1_000_000, 500_000)
        1.5
        """
        return (tokens_in * self.input_per_million + tokens_out * self.output_per_million) / _MILLION


class _Row(Record):
    input_per_million: float
    output_per_million: float


class _Table(Record):
    models: dict[str, _Row]
    currency: str = "USD"


def read_price(path: str, model: str) -> Price:
    """The price of a model out of a table in TOML, or in JSON of the same shape.

    Raises:
        SettingsError: The file can't be read, or the model is not in it.
        DataError: It is no such table, or a price is negative.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror or error}", hint="check the path of the price table") from None
    table = _decoded(data, path)
    if model not in table.models:
        meant = did_you_mean(model, table.models)
        hint = f"did you mean {meant!r}?" if meant else f'add a section [models."{model}"]'
        raise SettingsError(f"{path} has no price for the model {model!r}", hint=hint)
    row = table.models[model]
    if not (0 <= row.input_per_million < float("inf") and 0 <= row.output_per_million < float("inf")):
        raise DataError(f"the price of {model!r} is no price", path=path, hint="give a number, 0 or more")
    return Price(
        input_per_million=row.input_per_million, output_per_million=row.output_per_million, currency=table.currency
    )


def _decoded(data: bytes, path: str) -> _Table:
    try:
        if data.lstrip()[:1] == b"{":
            return msgspec.json.decode(data, type=_Table)
        return msgspec.convert(tomllib.loads(data.decode("utf-8")), type=_Table)
    except (msgspec.DecodeError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        hint = 'write [models."NAME"] with input_per_million and output_per_million, as docs/generation.md shows'
        raise DataError(f"no price table: {error}", path=path, hint=hint) from None
