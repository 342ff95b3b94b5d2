from report_room import Judged, verdict, wrong

from assay.records import Failure, Mode, Outcome, Problem, Sample
from assay.report.answers import code_lines, group_answers, marked_line

CODE = "def f(n):\n"
ASKED = Problem(id="t/1", prompt=CODE, tests=(), entry_point="f", prompt_is_code=True)


def sample(index, text, mode=Mode.COMPLETION):
    return Sample(problem_id="t/1", index=index, text=text, mode=mode)


def failed(index, text):
    return verdict(index, Judged("t/1", outcome=Outcome.RUNTIME_ERROR, fields={"message": text}), 1)


def test_equal_programs_that_ended_alike_are_one_answer_the_most_frequent_first():
    texts = ["    return 1\n", "    return 2\n", "    return 2\n", "    return 1\n", "    return 2\n"]
    verdicts = {i: verdict(i, wrong("t/1") if "2" in text else Judged("t/1"), 2) for i, text in enumerate(texts)}
    verdicts[3] = verdict(3, wrong("t/1"), 2)
    found = group_answers(ASKED, [sample(i, text) for i, text in enumerate(texts)], verdicts)
    assert [each.indices for each in found.shown] == [(1, 2, 4), (0,), (3,)]
    assert (found.samples, found.different, found.right) == (5, 3, 1)


def test_the_line_is_marked_in_the_program_that_was_run():
    found = group_answers(ASKED, [sample(0, "    return 1 / 0\n")], {0: failed(0, "f(1): ZeroDivisionError (line 2)")})
    assert [(line.text, line.marked) for line in found.shown[0].lines] == [
        ("def f(n):", False),
        ("    return 1 / 0", True),
    ]


def with_frames(*frames, message="E: x (line 1)"):
    failure = Failure(case=0, group="base", outcome=Outcome.RUNTIME_ERROR, message=message, frames=frames)
    return verdict(0, Judged("t/1", outcome=Outcome.RUNTIME_ERROR, fields={"first_failure": failure}), 1)


def test_the_frames_of_an_error_are_marked_rather_than_the_line_that_a_message_names():
    (answer,) = group_answers(ASKED, [sample(0, "    x\n    y\n")], {0: with_frames((2, "f"), (3, "f"))}).shown
    assert [(line.marked, line.passed_by) for line in answer.lines] == [(False, False), (False, True), (True, True)]
    assert answer.traceback == "line 2 in f, line 3 in f"


def test_a_recursion_is_told_by_how_often_and_by_what_may_be_left_out():
    deep = with_frames(*[(2, "f")] * 3, *[(2, "f")] * 6, (3, "\x1b[31m"))
    (answer,) = group_answers(ASKED, (), {0: deep}).shown
    assert answer.traceback == "line 2 in f (3 times), ..., line 2 in f (6 times), line 3 in \u241b[31m"


def test_what_the_failing_case_says_is_not_said_twice():
    failure = Failure(case=0, group="base", outcome=Outcome.TIME_LIMIT, message="over 1 s")
    fields = {"message": "over 1 s", "first_failure": failure}
    stopped = verdict(0, Judged("t/1", outcome=Outcome.TIME_LIMIT, fields=fields), 1)
    (answer,) = group_answers(ASKED, (), {0: stopped}).shown
    assert (answer.gist, answer.failure.message, answer.message) == ("over 1 s", "over 1 s", "")


def test_rows_of_earlier_releases_know_one_time_and_no_traceback():
    (answer,) = group_answers(ASKED, (), {0: failed(0, "no line")}).shown
    assert (answer.spent, answer.traceback) == ("10 ms, 0.5 MiB", "")


def test_no_line_is_marked_where_the_program_is_not_known():
    found = group_answers(None, [sample(0, "    return 1 / 0\n")], {0: failed(0, "f(1): ZeroDivisionError (line 1)")})
    assert [line.marked for line in found.shown[0].lines] == [False]
    assert found.shown[0].extracted == "as the model wrote it (completion)"


def test_a_chat_answer_shows_code_and_all_that_was_said():
    text = "Sure:\n```python\ndef f(n):\n    return n\n```\n"
    (answer,) = group_answers(ASKED, [sample(0, text, Mode.CHAT)], {0: verdict(0, Judged("t/1"), 1)}).shown
    assert answer.said == text
    assert answer.lines[0].text == "def f(n):"


def test_without_texts_equal_ends_stand_together():
    verdicts = {i: failed(i, text) for i, text in enumerate(("a", "b", "a"))}
    assert [each.indices for each in group_answers(ASKED, (), verdicts).shown] == [(0, 2), (1,)]


def test_rare_programs_beyond_so_many_are_counted_by_outcome():
    samples = [sample(i, f"    return {i}\n") for i in range(6)]
    verdicts = {i: verdict(i, Judged("t/1") if i % 2 else wrong("t/1"), 2) for i in range(6)}
    found = group_answers(ASKED, samples, verdicts, 2)
    assert len(found.shown) == 2
    assert dict(found.others) == {"wrong answer": 2, "passed": 2}


def test_the_last_line_that_a_message_names_is_the_one():
    assert marked_line(failed(0, "ValueError: bad (line 3) (line 7)")) == 7
    assert marked_line(failed(0, "no line")) is None


def test_long_programs_are_cut_and_say_by_how_much():
    lines, more = code_lines("x = 1\n" * 1000)
    assert (len(lines), more) == (300, 700)
    assert code_lines("") == ((), 0)
