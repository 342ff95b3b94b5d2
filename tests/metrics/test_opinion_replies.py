import pytest

from assay.metrics import RUBRICS, read_better, read_scores

CODE, ANSWER = RUBRICS["code"], RUBRICS["answer"]

READ = [
    '{"correct": 4}',
    'It fails for 0.\n\n{"correct": 4}\n\n',
    'So:\n```json\n{"correct": 4}\n```',
    'So:\n`{"correct": 4}`',
    '<think>{"correct": 1}? No.</think>\n{"correct": 4}',
    'At first {"correct": 1} seemed right.\n{"correct": 4}',
    '{"correct": 4}\nOnce more:\n{ "correct" : 4 }',
]
UNREAD = [
    "",
    "   \n",
    "4",
    "correct: 4",
    "I give it 4 of 5.",
    '{"correct": 4} is my score',
    '{"correct": 4}\nI hope that helps!',
    '{"correct": "4"}',
    '{"correct": 4.0}',
    '{"correct": 4.5}',
    '{"correct": true}',
    '{"correct": null}',
    '{"correct": 0}',
    '{"correct": 6}',
    '{"correct": -4}',
    '{"correct": 1e1}',
    '{"correct": NaN}',
    '{"correct": 4, "correct": 5}',
    '{"correct": 4, "clear": 4}',
    '{"Correct": 4}',
    '{"correct": NUMBER}',
    "{'correct': 4}",
    '[{"correct": 4}]',
    '{"score": {"correct": 4}}',
    '{"correct": 5}\n{"correct": 4}',
    '```json\n{"correct": 5}\n```\n{"correct": 4}',
    '<think>{"correct": 4}',
    '{"correct": ' + "9" * 5000 + "}",
    "{" * 100_000,
]


@pytest.mark.parametrize("reply", READ)
def test_a_score_in_the_form_that_was_asked_for_is_read(reply) -> None:
    assert read_scores(reply, CODE) == ({"correct": 4}, None, None)


@pytest.mark.parametrize("reply", UNREAD, ids=lambda reply: reply[:30])
def test_whatever_else_is_said_is_not_read_and_told_why(reply) -> None:
    found = read_scores(reply, CODE)
    assert found.scores is None
    assert found.unread
    assert len(found.unread) < 200


def test_a_reply_that_was_cut_says_nothing_even_if_it_looks_whole() -> None:
    assert read_scores('{"correct": 4}', CODE, "length").unread == "it was cut off at its limit of tokens"
    assert read_better('{"better": "tie"}', "length").better is None


def test_all_criteria_are_needed_and_come_in_the_order_of_the_rubric() -> None:
    assert read_scores('{"clear": 1, "accurate": 2, "complete": 3}', ANSWER).scores == {
        "accurate": 2,
        "complete": 3,
        "clear": 1,
    }
    assert read_scores('{"clear": 1, "accurate": 2}', ANSWER).scores is None


@pytest.mark.parametrize("place", ["first", "second", "tie"])
def test_a_preference_is_one_of_three_words(place) -> None:
    assert read_better(f'{{"better": "{place}"}}').better == place


@pytest.mark.parametrize("value", ['"First"', '"A"', '"both"', "1", "null", '["first"]', '""'])
def test_no_other_word_is_a_preference(value) -> None:
    found = read_better(f'{{"better": {value}}}')
    assert (found.better, "none of first, second, tie" in found.unread) == (None, True)


def test_what_is_told_of_a_reply_holds_no_control_characters() -> None:
    for reply in ('{"\\u001b[2J": 1}', '{"better": "\\u001b[2J"}'):
        assert read_better(reply).unread.isprintable()
    assert read_scores('{"correct": "\\u001b[2J"}', CODE).unread.isprintable()
