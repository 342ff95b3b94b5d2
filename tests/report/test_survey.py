from report_room import SOME, Judged, verdict, wrong

from assay.records import Failure, Outcome
from assay.report.survey import LISTED, Ranking, Spread, Survey, common_text
from assay.store import read_run


def test_a_run_is_counted_problem_by_problem(room):
    survey = Survey(read_run(room.run("run", SOME)))
    facts = survey.problems["t/2"]
    assert (survey.samples, survey.unjudged) == (9, 0)
    assert (facts.samples, facts.outcomes[Outcome.PASSED], facts.weak) == (3, 1, 0)
    assert survey.times.values == 9
    assert [row.sample_index for row in survey.slowest.rows()[:1]] == [2]


def test_wrong_samples_that_pass_every_base_case_are_weakly_tested(room):
    weak = wrong("t/1")
    weak.fields["groups"] = {"base": (1, 1), "plus": (0, 1)}
    survey = Survey(read_run(room.run("run", [weak, *SOME[1:]])))
    assert survey.problems["t/1"].weak == 1


def test_errors_are_equal_but_for_line_and_numbers():
    texts = ("KeyError: 36 (line 3)", "KeyError: 7 (line 12)", "NameError: name 'x2' is not defined (line 1)")
    found = [
        common_text(verdict(0, Judged("t/1", outcome=Outcome.RUNTIME_ERROR, fields={"message": text}), 1))
        for text in texts
    ]
    assert [each.text for each in found] == ["KeyError: N", "KeyError: N", "NameError: name 'x2' is not defined"]


def test_the_first_failing_case_is_not_taken_for_the_reason_of_another_end():
    failure = Failure(case=0, group="base", outcome=Outcome.WRONG_ANSWER, call="f(1)", expected="2", got="3")
    fields = {"first_failure": failure, "message": "f(1): expected 2, got 3"}
    assert common_text(verdict(0, Judged("t/1", outcome=Outcome.RUNTIME_ERROR, fields=fields), 1)) is None
    assert common_text(verdict(0, wrong("t/1"), 1)) is None


def test_sizes_are_counted_by_their_logarithm():
    spread = Spread()
    for value in (0.0, 0.001, 0.01, 0.1, 1.0):
        spread.add(value)
    assert sorted(spread.bins) == [-24, -16, -8, 0]
    assert spread.quantile(1.0) == spread.most == 1.0
    assert 0.01 <= spread.quantile(0.5) < 0.014


def test_a_ranking_keeps_the_greatest_and_of_equals_the_first():
    ranking = Ranking()
    for index in range(3 * LISTED):
        ranking.add(verdict(index, Judged("t/1"), 1), float(index // 2))
    assert [row.sample_index for row in ranking.rows()][:3] == [34, 35, 32]
    assert len(ranking.rows()) == LISTED
