import random
import sys
import tracemalloc

import pytest

from assay.metrics import Tally, score
from assay.metrics.tally import KINDS, solves
from assay.records import InvalidProblem, Isolation, Manifest, Outcome, Trust, Verdict


def verdict(problem="t/0", index=0, outcome=Outcome.PASSED, groups=None, **fields):
    groups = {"base": (3, 3)} if groups is None else groups
    passed, total = (sum(pair[i] for pair in groups.values()) for i in (0, 1))
    given = {
        "problem_id": problem,
        "sample_index": index,
        "outcome": outcome,
        "passed_cases": passed,
        "total_cases": total,
        "groups": groups,
        "cases": "",
        "trust": Trust.ANCHORED,
        "time_s": 0.01,
        "peak_mib": 1.0,
        "message": "",
        "job_digest": "",
    }
    return Verdict(**(given | fields))


def manifest(**fields):
    given = {
        "created": "",
        "benchmark": "b",
        "benchmark_version": None,
        "benchmark_digest": "d",
        "split": None,
        "limit": None,
        "problems": 1,
        "invalid": (),
        "samples": "s",
        "samples_digest": "d",
        "settings": {},
        "isolation": Isolation(level="L4", layers=()),
        "interpreter": "CPython",
        "versions": {},
        "seed": 0,
    }
    return Manifest(**(given | fields))


def kinds_solved(row):
    return {kind for kind in KINDS if solves(row, kind)}


WRONG = Outcome.WRONG_ANSWER


@pytest.mark.parametrize(
    ("outcome", "groups", "solved"),
    [
        (Outcome.PASSED, {"base": (3, 3), "plus": (20, 20)}, {"all", "base"}),
        (WRONG, {"base": (3, 3), "plus": (19, 20)}, {"base"}),
        (Outcome.TIME_LIMIT, {"base": (3, 3), "plus": (0, 20)}, {"base"}),
        (Outcome.TIME_LIMIT, {"base": (1, 3), "plus": (0, 20)}, set()),
        (WRONG, {"base": (2, 3), "plus": (20, 20)}, set()),
        (WRONG, {"base": (3, 3), "challenge": (0, 2)}, {"all", "base"}),
        (WRONG, {"base": (2, 3), "challenge": (2, 2)}, {"challenge"}),
        (Outcome.PASSED, {"base": (3, 3), "challenge": (2, 2)}, {"all", "base", "challenge"}),
        (Outcome.PASSED, {"base": (3, 3), "challenge": (1, 2)}, {"all", "base"}),
        (Outcome.FORBIDDEN, {"base": (3, 3), "plus": (19, 20)}, set()),
        (WRONG, {"base": (3, 3), "plus": (20, 20)}, set()),  # a failure that no case explains
        (Outcome.NO_CODE, {}, set()),
    ],
)
def test_each_kind_of_tests_is_decided_by_its_own_cases(outcome, groups, solved):
    assert kinds_solved(verdict(outcome=outcome, groups=groups)) == solved


def test_special_cased_samples_are_counted_whatever_became_of_them():
    tally = Tally()
    tally.add(verdict(special_cased=True, hidden=(0, 24)))
    tally.add(verdict(index=1, outcome=WRONG, special_cased=True, hidden=(1, 24)))
    tally.add(verdict(index=2, hidden=(4, 4)))
    assert tally.special_cased == 2
    assert tally.problems["t/0"].solved["all"] == 2


def test_system_errors_are_no_verdict():
    tally = Tally()
    tally.add(verdict())
    tally.add(verdict(index=1, outcome=Outcome.SYSTEM_ERROR, groups={"base": (0, 3)}, trust=Trust.CO_RESIDENT))
    counts = tally.problems["t/0"]
    assert (counts.samples, counts.lost, counts.lacking, counts.solved) == (1, 1, 1, {"all": 1, "base": 1})
    assert tally.outcomes == {Outcome.PASSED: 1, Outcome.SYSTEM_ERROR: 1}
    assert tally.trust == {Trust.ANCHORED: 1}


def test_samples_that_are_not_judged_yet_are_lacking():
    tally = Tally({"t/0": 3, "t/1": 0})
    tally.add(verdict())
    assert [tally.problems[id_].lacking for id_ in ("t/0", "t/1")] == [2, 0]


def test_rows_of_problems_that_the_run_lacks_are_counted_apart():
    tally = Tally({"t/0": 1})
    tally.add(verdict())
    tally.add(verdict("t/77"))
    assert (tally.orphans, tally.ids(), tally.outcomes[Outcome.PASSED]) == (1, ["t/0"], 1)


def test_ids_are_in_natural_order():
    assert Tally({"Mbpp/10": 1, "Mbpp/2": 1}).ids() == ["Mbpp/2", "Mbpp/10"]


def test_the_order_of_rows_changes_no_digit():
    rows = [verdict("t/0", i, WRONG, {"base": (i % 7, 7), "plus": (i % 3, 11)}) for i in range(50)]
    fractions = set()
    for seed in range(5):
        random.Random(seed).shuffle(rows)
        tally = Tally()
        for row in rows:
            tally.add(row)
        fractions.add(tally.problems["t/0"].fraction("all", 50))
    assert len(fractions) == 1


def test_base_numbers_are_there_only_where_they_differ_from_all():
    def kinds(*groups):
        tally = Tally()
        for i, group in enumerate(groups):
            tally.add(verdict(index=i, groups=group))
        return tally.kinds()

    assert kinds({"base": (3, 3)}) == ("all",)
    assert kinds({"base": (3, 3)}, {"base": (3, 3), "plus": (1, 1)}) == ("all", "base")
    assert kinds({"base": (3, 3), "challenge": (1, 1)}) == ("all", "challenge")


def test_problems_without_plus_tests_are_named_where_others_have_some():
    tally = Tally()
    for id_, groups in (("t/10", {"base": (3, 3)}), ("t/2", {"base": (3, 3), "challenge": (1, 1)})):
        tally.add(verdict(id_, groups=groups))
    assert tally.without_plus() == []  # nothing in this set has plus tests
    tally.add(verdict("t/3", groups={"base": (3, 3), "plus": (1, 1)}))
    tally.add(verdict("t/4", groups={}))
    assert tally.without_plus() == ["t/2", "t/10"]


def test_a_tally_of_a_run_knows_its_samples_and_leaves_out_invalid_problems():
    invalid = (InvalidProblem(id="t/1", reason="its reference fails"),)
    tally = Tally.of_run(manifest(expected={"t/0": 2, "t/1": 2}, invalid=invalid))
    assert (tally.ids(), tally.problems["t/0"].expected, tally.doubt) == (["t/0"], 2, None)
    assert Tally.of_run(manifest(expected={"t/0": 2}, samples_changed=True)).doubt
    assert not Tally.of_run(manifest()).closed


def test_memory_grows_with_problems_and_not_with_samples():
    tally = Tally()
    rows = [verdict(f"t/{i}", 0, WRONG, {"base": (1, 3), "plus": (5, 20)}) for i in range(10)]
    for row in rows:
        tally.add(row)
    tracemalloc.start()
    for _ in range(500):
        for row in rows:
            tally.add(row)
    grown, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert grown < 10_000, sys.version


def test_a_tally_of_counts_scores_like_one_of_verdicts():
    counted = Tally.of_counts({"t/0": (4, 1), "t/1": (2, 2), "t/2": (0, 0)})
    rows = Tally({"t/0": 4, "t/1": 2, "t/2": 0})
    for id_, word in (("t/0", "PWWW"), ("t/1", "PP")):
        for i, letter in enumerate(word):
            outcome = Outcome.PASSED if letter == "P" else WRONG
            rows.add(verdict(id_, i, outcome, {"base": (int(letter == "P"), 1)}))
    for missing in (None, "skip", "fail"):
        assert score(counted, [1, 2], missing=missing) == score(rows, [1, 2], missing=missing)
    assert counted.outcomes == rows.outcomes


@pytest.mark.parametrize("pair", [(2, 3), (2, -1), (-1, 0)])
def test_counts_that_can_not_be_are_refused_by_name(pair):
    with pytest.raises(ValueError, match="t/7: right samples must lie"):
        Tally.of_counts({"t/7": pair})
