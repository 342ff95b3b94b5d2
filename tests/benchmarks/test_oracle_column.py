from __future__ import annotations

import pytest

from assay.benchmarks.fields import UnusableRow
from assay.benchmarks.oracle_column import ORACLE_NAMES, read_oracle
from assay.judge.oracles import ORACLES
from assay.records import Oracle


def test_the_names_are_those_of_the_registry():
    assert set(ORACLE_NAMES) == ORACLES.keys()


@pytest.mark.parametrize(
    ("given", "oracle"),
    [
        (None, Oracle()),
        ("types", Oracle(name="types")),
        ("not_none", Oracle(name="not_none")),
        ({"name": "root", "atol": 0.5}, Oracle(name="root", atol=0.5)),
        ({"name": "set", "equality": "lenient"}, Oracle(name="set", equality="lenient")),
        ({"name": "any_of", "alternatives": [0, "a", [1]]}, Oracle(name="any_of", alternatives=("0", "'a'", "[1]"))),
        ({"name": "any_of", "alternatives": "[(1, 2), {3}]"}, Oracle(name="any_of", alternatives=("(1, 2)", "{3}"))),
        ({"name": "formula", "formula": "lambda a: -a"}, Oracle(name="formula", formula="lambda a: -a")),
    ],
)
def test_an_oracle_is_a_name_or_an_object_with_what_it_needs(given, oracle):
    assert read_oracle({"oracle": given}) == oracle


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("any_of", "'any_of' needs 'alternatives'"),
        ({"name": "any_of", "alternatives": []}, "'any_of' needs 'alternatives'"),
        ({"name": "any_of", "alternatives": 3}, "'alternatives' must be a list of values"),
        ({"name": "any_of", "alternatives": "[open()]"}, "'alternatives' is no Python literal"),
        ({"name": "close", "alternatives": [0]}, "'alternatives' is for 'any_of' only"),
        ({"name": "not_none", "equality": "types"}, "'not_none' compares no answers, so it has no 'equality'"),
        ({"name": "exact", "equality": "loose"}, "Invalid enum value 'loose'"),
        ("formula", "'formula' needs 'formula'"),
        ({"name": "formula", "formula": "a - b"}, "'formula' must be a lambda"),
        ({"name": "formula", "formula": "lambda a:"}, "'formula' must be a lambda"),
        ({"name": "formula", "formula": "x = lambda: 1"}, "'formula' must be a lambda"),
        ({"name": "exact", "formula": "lambda a: a"}, "'formula' is for 'formula' only"),
        ("root", "'root' needs 'atol'"),
        ({"name": "close", "atol": float("inf")}, "tolerances must not be negative or infinite"),
        ({"name": "close", "rtol": float("nan")}, "tolerances must not be negative or infinite"),
        ({"name": "close", "formula": 3}, "formula"),
        ("nearly", "'nearly' is unknown, known are exact, types, close"),
        ([], "'oracle' a list ([])"),
    ],
)
def test_an_oracle_that_lacks_what_it_needs_or_has_what_it_does_not_use_is_refused(given, reason):
    with pytest.raises(UnusableRow) as caught:
        read_oracle({"oracle": given})
    assert reason in str(caught.value)
