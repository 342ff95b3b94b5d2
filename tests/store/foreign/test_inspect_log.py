"""inspect's logs, as inspect_ai 0.3 writes them (`.eval` whole and in pieces, `.json`)."""

from __future__ import annotations

import io
import json
import tracemalloc
import zipfile

import pytest

from assay.benchmarks import load
from assay.store.samples import open_samples


def sample(number: int, epoch: int = 1, text: str | None = None, **others) -> dict:
    text = f"```python\ndef f{number}(n): return {epoch}\n```" if text is None else text
    message = {"id": "m", "content": text, "role": "assistant"}
    return {
        "id": f"HumanEval/{number}",
        "epoch": epoch,
        "input": "?",
        "target": "!",
        "messages": [],
        "output": {
            "model": "openai/gpt",
            "choices": [{"message": message, "stop_reason": "stop"}],
            "completion": text,
            "usage": {"input_tokens": 11, "output_tokens": 22, "total_tokens": 33},
        },
        "metadata": {"weight": float("nan")},
    } | others


def log(*samples: dict, **others) -> dict:
    return {"version": 2, "status": "success", "eval": {"task": "humaneval"}, "samples": list(samples)} | others


def eval_log(*samples: dict, pieces: bool = False, extra: dict[str, bytes] | None = None) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("_journal/start.json", "{}")
        for each in samples:
            name = f"samples/{each['id']}_epoch_{each['epoch']}"
            packed.writestr(f"{name}/sample.json" if pieces else f"{name}.json", json.dumps(each, indent=2))
            if pieces:
                packed.writestr(f"{name}/messages/0.json", "[]")
        for name, data in (extra or {}).items():
            packed.writestr(name, data)
        packed.writestr("header.json", "{}")
    return out.getvalue()


MIXED = (sample(10, 2), sample(1, 2), sample(10, 1), sample(2, 1), sample(1, 1))


@pytest.mark.parametrize("pieces", [False, True])
def test_answers_of_an_eval_log_are_chat_texts_by_problem_and_epoch(files, pieces):
    read = files.read(files.write(eval_log(*MIXED, pieces=pieces), "log.eval"), files.benchmark(12))
    assert list(read.samples) == ["HumanEval/1", "HumanEval/2", "HumanEval/10"]
    for number, epochs in ((1, (1, 2)), (2, (1,)), (10, (1, 2))):
        expected = [(f"```python\ndef f{number}(n): return {epoch}\n```", "chat") for epoch in epochs]
        assert read.samples[f"HumanEval/{number}"] == expected


@pytest.mark.parametrize("indent", [None, 2])
def test_a_json_log_gives_the_same(files, indent):
    data = json.dumps(log(*MIXED), indent=indent).encode()
    packed = files.read(files.write(eval_log(*MIXED), "log.eval"), files.benchmark(12))
    assert files.read(files.write(data), files.benchmark(12)).samples == packed.samples


def test_model_tokens_and_epoch_come_along(files):
    with open_samples(files.write(log(sample(1))), files.benchmark()) as opened:
        (found,) = opened.read("HumanEval/1")
    assert (found.model, found.finish_reason, found.tokens_in, found.tokens_out) == ("openai/gpt", "stop", 11, 22)
    assert found.extra == {"epoch": 1}


def test_a_whole_number_as_id_names_a_problem_by_its_decimal_text(files):
    row = {"task_id": 11, "text": "t", "code": "def f(): pass", "test_list": ["assert f()"]}
    problems = load("mbpp", data=files.rows([row], "mbpp.jsonl"))
    read = files.read(files.write(eval_log(sample(1, id=11)), "log.eval"), problems)
    assert list(read.samples) == ["11"]


def answers(output: dict, **others) -> dict:
    return sample(1, output=output, **others)


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ({"completion": "", "choices": [{"message": {"content": "b"}}]}, "b"),
        ({"choices": [{"message": {"content": "first"}}, {"message": {"content": "second"}}]}, "first"),
        (
            {
                "choices": [
                    {"message": {"content": [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "c"}]}}
                ]
            },
            "c",
        ),
        ({"choices": [{"message": {"content": [{"type": "text", "text": t} for t in "de"]}}]}, "d\ne"),
        ({"choices": [{"message": {"content": ""}}]}, ""),
    ],
)
def test_the_answer_is_what_inspect_takes_for_the_completion(files, output, text):
    assert files.read(files.write(log(answers(output)))).samples["HumanEval/1"] == [(text, "chat")]


def test_an_answer_that_is_kept_apart_is_fetched(files):
    kept = answers({"completion": "attachment://abc"}, attachments={"abc": "long text"})
    assert files.read(files.write(log(kept))).samples["HumanEval/1"] == [("long text", "chat")]
    lost = answers({"completion": "attachment://abd"}, attachments={"abc": "long text"})
    assert "samples[0]: the answer is kept apart" in files.refused(files.write(log(lost)))


def test_samples_without_an_answer_and_other_oddities_are_bad_rows_with_their_place(files):
    samples = [
        sample(0),
        answers({}, error={"message": "context window exceeded", "traceback": "..."}),
        answers({"choices": [], "error": "refused by a filter"}, epoch=2),
        answers(None, epoch=3),
        answers({"completion": 5}, epoch=4),
        sample(1, epoch=5, id=None),
        sample(1, epoch=6) | {"epoch": "6"},
        sample(77, epoch=7),
        sample(0),
        "text",
        answers({"choices": [{"message": {"content": [{"type": "text", "text": None}]}}]}, epoch=9),
    ]
    message = files.refused(files.write(log(*samples)))
    assert "10 rows can't be used" in message
    for place, reason in {
        1: "no answer of a model: the sample ended with 'context window exceeded'",
        2: "no answer of a model: the sample ended with 'refused by a filter'",
        3: "'output' must be an object, not null",
        4: "'completion' must be a text, not a number",
        5: "'task_id' must be a text or a whole number, not null",
        6: "'epoch' must be a whole number, not a text",
        7: "unknown task_id 'HumanEval/77'",
        8: "the sample 'HumanEval/0' of epoch 1 is given twice",
        9: "not an object but a text",
        10: "'completion' must be a text, not a list",
    }.items():
        assert f"samples[{place}]: {reason}" in message
    assert list(files.read(files.write(log(*samples)), skip=True).samples) == ["HumanEval/0"]


def test_a_bad_entry_is_told_by_its_name(files):
    extra = {
        "samples/HumanEval/2_epoch_1.json": b"{",
        "samples/HumanEval/3_epoch_1.json": json.dumps(sample(4)).encode(),
        "samples/HumanEval/3_epoch_2.json": b'{"id": "a", "id": "b"}',
        "samples/HumanEval/5_epoch_1.json": b"\xff",
        "samples/HumanEval/5_epoch_" + "9" * 5000 + ".json": b"a number without bounds is no epoch",
        "../samples/HumanEval/5_epoch_2.json": b"not below samples/",
    }
    path = files.write(eval_log(sample(1), extra=extra), "log.eval")
    message = files.refused(path)
    assert "4 rows can't be used" in message
    assert "samples/HumanEval/2_epoch_1.json: not JSON" in message
    assert "samples/HumanEval/3_epoch_1.json: the entry holds another sample: id 'HumanEval/4', epoch 1" in message
    assert "samples/HumanEval/3_epoch_2.json: the key 'id' is given twice" in message
    assert "samples/HumanEval/5_epoch_1.json: not UTF-8" in message
    assert list(files.read(path, skip=True).samples) == ["HumanEval/1"]


def test_a_sample_that_is_there_whole_and_in_pieces_counts_once(files):
    extra = {"samples/HumanEval/1_epoch_1/sample.json": json.dumps(sample(1, text="pieces")).encode()}
    read = files.read(files.write(eval_log(sample(1, text="whole"), extra=extra), "log.eval"))
    assert read.samples["HumanEval/1"] == [("whole", "chat")]


@pytest.mark.parametrize("data", [log(), log(samples=None), {"version": 2, "status": "error", "eval": {}}])
def test_a_log_without_samples_is_one_clear_error(files, data):
    assert "the log holds no samples" in files.refused(files.write(data))


def test_an_eval_log_without_samples_is_one_clear_error(files):
    assert "the log holds no samples" in files.refused(files.write(eval_log(), "log.eval"))


def test_another_zip_archive_is_named_as_such(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("notes.txt", "x")
    assert "a zip archive, but no log of inspect" in files.refused(files.write(out.getvalue(), "a.zip"))


def test_a_cut_log_is_one_clear_error(files):
    assert "not a whole zip archive" in files.refused(files.write(eval_log(*MIXED)[:-200], "log.eval"))
    cut = json.dumps(log(*MIXED), indent=2).encode()[:-100]
    assert "not JSON" in files.refused(files.write(cut))


def test_a_number_with_thousands_of_digits_is_a_bad_entry_and_no_crash(files):
    data = json.dumps(sample(1)).replace('"epoch": 1', '"epoch": ' + "1" * 5000).encode()
    path = files.write(eval_log(extra={"samples/HumanEval/1_epoch_1.json": data}), "log.eval")
    assert "samples/HumanEval/1_epoch_1.json: a number has more than 4,300 digits" in files.refused(path)
    document = json.dumps(log(sample(1))).replace('"epoch": 1', '"epoch": ' + "1" * 5000).encode()
    assert "line 1: a number has more than 4,300 digits" in files.refused(files.write(document))


def test_an_eval_log_is_read_entry_by_entry(files):
    many = (sample(number, epoch, text="x" * 5000) for number in range(6) for epoch in range(1, 101))
    path = files.write(eval_log(*many), "log.eval")
    tracemalloc.start()
    try:
        with open_samples(path, files.benchmark()) as samples:
            held, peak = tracemalloc.get_traced_memory()
            assert samples.count == 600
    finally:
        tracemalloc.stop()
    assert held < 300_000
    assert peak < 2_000_000  # its directory, and one entry
