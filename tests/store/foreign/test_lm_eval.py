"""lm-evaluation-harness's rows as its `save_results_samples` writes them."""

from __future__ import annotations

import json

PROMPT = "def f{n}(n):\n"


def row(number: int, *responses: str, made: object = None, sent: str | None = None, **others) -> dict:
    """A row of the task that asks to continue a prompt; `made` is what the filter gave (by default the first response)."""
    prompt = PROMPT.format(n=number)
    return {
        "doc_id": number,
        "doc": {"task_id": f"HumanEval/{number}", "prompt": prompt, "test": "..."},
        "target": "...",
        "arguments": {"gen_args_0": {"arg_0": prompt if sent is None else sent, "arg_1": {"until": ["\ndef"]}}},
        "resps": [list(responses)],
        "filtered_resps": [responses[0] if made is None else made],
        "filter": "none",
        "metrics": ["pass@1"],
        "pass@1": float("nan"),
    } | others


def test_what_the_filter_made_is_a_whole_program(files):
    made = [PROMPT.format(n=1) + text for text in ("  return 1", "  return 2")]
    path = files.rows([row(1, "  return 1", "  return 2", made=made, filter="create_test")])
    assert files.read(path).samples == {"HumanEval/1": [(text, "solution") for text in made]}


def test_one_text_that_the_filter_took_out_of_a_response_is_a_whole_program(files):
    path = files.rows([row(1, "Sure:\n```\ndef f1(n): 1\n```", made=["def f1(n): 1"], filter="extract_code")])
    assert files.read(path).samples == {"HumanEval/1": [("def f1(n): 1", "solution")]}


def test_where_the_filter_only_chose_all_responses_count(files):
    path = files.rows([row(1, "  return 1", "  return 2", "  return 3")])
    assert [text for text, _ in files.read(path).samples["HumanEval/1"]] == ["  return 1", "  return 2", "  return 3"]
    path = files.rows([row(1, "  return 1", "  return 2", "  return 3", made=["  return 1", "  return 2"])])
    assert len(files.read(path).samples["HumanEval/1"]) == 3


def test_a_response_to_a_request_that_ends_with_the_prompt_continues_it(files):
    path = files.rows([row(0, "  a"), row(1, "  b", sent="shots\n\n" + PROMPT.format(n=1).rstrip())])
    samples = files.read(path).samples
    assert samples == {"HumanEval/0": [("  a", "completion")], "HumanEval/1": [("  b", "completion")]}


def test_any_other_response_is_an_answer_with_code_in_it(files):
    asked = row(0, "def f0(n): pass", sent="Your code should pass these tests:\n...\n[BEGIN]\n")
    lost = row(1, "def f1(n): pass", arguments=None)
    assert {mode for [(_, mode)] in files.read(files.rows([asked, lost])).samples.values()} == {"chat"}


def test_arguments_may_be_written_as_lists(files):
    path = files.rows([row(1, "  b", arguments=[[PROMPT.format(n=1), {"until": []}]])])
    assert files.read(path).samples == {"HumanEval/1": [("  b", "completion")]}


def test_ids_match_as_in_any_file_and_the_others_are_listed(files):
    stranger = row(2, "x") | {"doc": {"task_id": "HumanEval/02"}}
    nameless = row(3, "x") | {"doc": {"question": "?"}}
    odd = row(4, "x") | {"doc": "HumanEval/4"}
    message = files.refused(files.rows([row(0, "a", "b"), stranger, nameless, odd]))
    assert "line 2: unknown task_id 'HumanEval/02'; did you mean 'HumanEval/2'?" in message
    assert "line 3: 'doc' has neither 'task_id' nor 'problem_id'" in message
    assert "line 4: 'doc' must be an object, not a text" in message


def test_bad_rows_of_all_kinds_are_listed_with_their_line(files):
    good = row(0, "a")
    bad = [
        row(1, "a") | {"resps": [[["-1.5", "True"]], [["-2.5", "False"]]], "filtered_resps": None},
        row(2, "a") | {"resps": [[]]},
        row(3, "a") | {"resps": "a"},
        row(4, "a") | {"filtered_resps": [[["a"]]]},
        row(0, "again"),
        {"doc_id": 5, "doc": {}},
        row(5, "a") | {"doc_id": 1.5},
    ]
    data = "".join(json.dumps(each) + "\n" for each in [good, *bad]) + '{"doc_id": 5, "doc'
    path = files.write(data.encode(), "samples.jsonl")
    message = files.refused(path)
    assert "8 rows can't be used" in message
    for line, reason in {
        2: "'resps' must hold the responses to one request, not a list of 2",
        3: "'resps' must hold texts, not nothing",
        4: "'resps' must hold the responses to one request, not a text",
        5: "'filtered_resps' must hold texts, not a list",
        6: "the document 0 is there already, in line 1",
        7: "not a row of lm-eval's sample log: 'resps' is missing",
        8: "'doc_id' must be a whole number, not a number (1.5)",
        9: "not JSON",
    }.items():
        assert f"line {line}: {reason}" in message
    assert files.read(path, skip=True).samples == {"HumanEval/0": [("a", "completion")]}


def test_a_bad_row_among_several_responses_is_told_by_its_number(files):
    path = files.rows([row(1, "a", "b") | {"doc": {"task_id": "nobody"}}, row(2, "c")])
    message = files.refused(path)
    assert "line 1, response 1: unknown task_id 'nobody'" in message
    assert "line 1, response 2: unknown task_id 'nobody'" in message


def test_rows_of_two_filters_would_count_twice_and_are_refused(files):
    rows = [row(1, "a", filter="strict"), row(1, "a", filter="loose")]
    message = files.refused(files.rows(rows), skip=True)
    assert "rows of two filters, 'strict' in line 1 and 'loose' in line 2" in message
    assert "jq" in message


def test_a_row_that_is_two_things_at_once_is_refused_with_a_way_out(files):
    message = files.refused(files.rows([row(1, "a") | {"task_id": "HumanEval/1", "completion": "b"}]), skip=True)
    assert "at the same time" in message
    assert "jq -c 'del(.resps)'" in message


def test_rows_of_ours_may_carry_some_of_its_fields(files):
    path = files.rows([{"task_id": "HumanEval/1", "completion": "b", "doc_id": 3, "resps": [["x"]]}])
    assert files.read(path).samples == {"HumanEval/1": [("b", "completion")]}


def test_a_first_row_that_is_bad_does_not_hide_the_form(files):
    data = b"null\n\n" + json.dumps(row(1, "a")).encode() + b"\n"
    message = files.refused(files.write(data, "samples.jsonl"))
    assert "1 row can't be used" in message
    assert "line 1: not an object but null" in message
