import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.metrics import TEXT_METRICS
from assay.metrics.text import (
    bleu,
    chrf,
    edit_similarity,
    edits,
    exact_match,
    longest_common,
    rouge_l,
    syntax_match,
    token_f1,
)

CODE = "def f(x):\n    return x + 1\n"


@given(st.text(max_size=30), st.text(max_size=30))
def test_every_metric_lies_between_0_and_1(one, two):
    for metric in TEXT_METRICS.values():
        assert 0 <= metric(one, two) <= 1


@pytest.mark.parametrize("name", TEXT_METRICS)
def test_equal_texts_score_1(name):
    assert TEXT_METRICS[name](CODE, CODE) == pytest.approx(1.0)


@pytest.mark.parametrize("name", TEXT_METRICS)
def test_a_text_has_nothing_in_common_with_an_empty_one(name):
    assert TEXT_METRICS[name]("", CODE) == TEXT_METRICS[name](CODE, "") == 0.0


@pytest.mark.parametrize(
    ("candidate", "reference", "of_bleu", "of_chrf"),
    [  # sacrebleu 2.6.0, sentence_bleu and sentence_chrf, divided by 100
        ("the cat sat on a mat", "the cat sat on the mat", 0.537284965911771, 0.6597965990995549),
        (CODE.replace("x", "n").strip(), CODE.strip(), 0.2984745896009822, 0.5611613876319759),
        ("return 3.5-2", "return 3.5 - 2", 1.0, 1.0),
        ("a", "a b c d e f", 0.00673794699908547, 0.2),
    ],
)
def test_bleu_and_chrf_are_sacrebleus(candidate, reference, of_bleu, of_chrf):
    assert bleu(candidate, reference) == pytest.approx(of_bleu, rel=1e-12)
    assert chrf(candidate, reference) == pytest.approx(of_chrf, rel=1e-12)


def plain_edits(one, two):
    row = list(range(len(two) + 1))
    for i, a in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(two, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


def plain_longest_common(one, two):
    row = [0] * (len(two) + 1)
    for a in one:
        before = 0
        for j, b in enumerate(two, 1):
            before, row[j] = row[j], before + 1 if a == b else max(row[j], row[j - 1])
    return row[-1]


SHORT = st.text(alphabet="abc", max_size=12)


@given(SHORT, SHORT)
def test_bit_vectors_count_as_the_table_of_dynamic_programming_does(one, two):
    assert edits(one, two) == plain_edits(one, two)
    assert longest_common(one, two) == plain_longest_common(one, two)


def test_order_counts_for_rouge_and_not_for_token_f1():
    assert token_f1("return a - b", "return b - a") == 1.0
    assert rouge_l("return a - b", "return b - a") < 1.0


def test_right_code_written_another_way_scores_below_wrong_code_that_looks_alike():
    reference = "def largest(numbers):\n    return max(numbers)\n"
    wrong = "def largest(numbers):\n    return min(numbers)\n"
    right = (
        "def largest(values):\n    top, *rest = values\n    for each in rest:\n"
        "        if each > top:\n            top = each\n    return top\n"
    )
    for metric in (token_f1, bleu, chrf, rouge_l, edit_similarity, syntax_match):
        assert metric(wrong, reference) > metric(right, reference)
    assert exact_match(wrong, reference) == 0.0


def test_syntax_looks_at_structure_alone_and_finds_none_in_what_is_no_python():
    assert syntax_match("def g(y):\n    return y + 2", CODE) == 1.0
    assert syntax_match("def f(x):\n    return x", CODE) < 1.0
    assert syntax_match("def f(:", CODE) == syntax_match("\0", CODE) == 0.0


def test_code_that_is_nested_to_the_limit_is_no_trouble():
    deep = " + ".join(["x"] * 3000)
    assert 0 <= syntax_match(deep, CODE) <= 1
    assert syntax_match("(" * 5000, CODE) == 0.0
