from __future__ import annotations

from itertools import chain

from assay.benchmarks.evalplus import _RESTORERS
from assay.benchmarks.evalplus_tasks import (
    ARGUMENT_KINDS,
    HUMANEVALPLUS_RELEASES,
    MBPPPLUS_RELEASES,
    ORACLES,
    oracle_of,
)
from assay.benchmarks.oracle_column import ORACLE_NAMES, read_oracle
from assay.records import Oracle


def test_no_task_has_its_arguments_restored_in_two_ways():
    numbers = list(chain.from_iterable(ARGUMENT_KINDS.values()))
    assert len(numbers) == len(set(numbers))


def test_every_kind_of_argument_can_be_restored():
    kinds = {kind.removesuffix(" ...") for kinds in ARGUMENT_KINDS for kind in kinds.split(", ")}
    assert kinds <= _RESTORERS.keys()


def test_every_special_oracle_is_one_that_a_row_of_anyone_might_name():
    for _, oracle in ORACLES.values():
        assert oracle.name in ORACLE_NAMES
        given = {"name": oracle.name, "rtol": oracle.rtol, "atol": oracle.atol}
        more = {"formula": oracle.formula} if oracle.formula else {}
        assert read_oracle({"oracle": given | more}) == oracle


def test_the_tolerance_of_a_row_is_taken_in_the_place_of_the_usual_one():
    assert oracle_of("Mbpp/82", "volume_sphere", 1e-4) == Oracle(name="close", rtol=1e-7, atol=1e-4)
    assert oracle_of("HumanEval/32", "find_zero", 1e-5).atol == 1e-5
    assert oracle_of("HumanEval/32", "find_zero", 0).atol == 1e-4


def test_no_digest_names_two_releases():
    both = MBPPPLUS_RELEASES | HUMANEVALPLUS_RELEASES
    assert len(both) == len(MBPPPLUS_RELEASES) + len(HUMANEVALPLUS_RELEASES)
    for releases in (MBPPPLUS_RELEASES, HUMANEVALPLUS_RELEASES):
        assert len(set(releases.values())) == len(releases)
