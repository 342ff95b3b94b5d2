from __future__ import annotations

import json

import pytest

from assay.models.replies import OddReply, Stream, read_reply


def body(*choices, **more) -> bytes:
    return json.dumps({"choices": list(choices), **more}).encode()


def chat(content, finish="stop", **more) -> dict:
    return {"message": {"role": "assistant", "content": content, **more}, "finish_reason": finish}


@pytest.mark.parametrize(
    ("reply", "complaint"),
    [
        (b"", "no JSON"),
        (b"<html>bad gateway</html>", "no JSON: '<html>"),
        (b'{"choices": [{"message": {"content": "half', "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"[]", "no object"),
        (b"{}", "no choices"),
        (b'{"choices": null}', "no choices"),
        (b'{"choices": "x"}', "no choices"),
        (b'{"choices": []}', "no choices"),
        (b'{"error": {"message": "overloaded"}}', "an error: overloaded"),
        (body(chat("half", "error")), "broke the answer off: error"),
        (body({**chat("half"), "error": {"message": "upstream died"}}), "broke the answer off: upstream died"),
    ],
)
def test_what_holds_no_whole_answer_is_odd(reply: bytes, complaint: str) -> None:
    with pytest.raises(OddReply, match=complaint):
        read_reply(reply)


def test_null_content_is_an_answer_that_says_nothing() -> None:
    (answer,) = read_reply(body(chat(None, "content_filter"))).answers
    assert (answer.text, answer.finish_reason) == ("", "content_filter")


def test_a_message_that_never_gets_a_content_says_nothing_either() -> None:
    (answer,) = read_reply(body({"message": {"role": "assistant"}, "finish_reason": "length"})).answers
    assert (answer.text, answer.finish_reason) == ("", "length")


NO_TEXTS = [{"text": "x"}, 7, 0, False, {}, ["x"], [None], [{"type": "text"}], [{"type": "text", "text": 7}]]


@pytest.mark.parametrize("content", NO_TEXTS)
def test_content_that_is_no_text_is_odd(content) -> None:
    with pytest.raises(OddReply, match="of an answer"):
        read_reply(body(chat(content)))
    stream = Stream()
    with pytest.raises(OddReply, match="of an answer"):
        stream.add(event(choices=[{"index": 0, "delta": {"content": content}}]))


@pytest.mark.parametrize(
    "choice", [{"message": None}, {"message": {}}, {"message": "x"}, {"message": 7}, {}, {"text": None}, {"text": 7}]
)
def test_a_choice_without_message_and_text_is_odd(choice: dict) -> None:
    with pytest.raises(OddReply, match=r"of an answer is none|neither message nor text"):
        read_reply(body({**choice, "finish_reason": "stop"}))


@pytest.mark.parametrize("delta", ["x", 7, ["x"]])
def test_a_piece_of_a_stream_that_is_no_object_is_odd(delta) -> None:
    with pytest.raises(OddReply, match="no object"):
        Stream().add(event(choices=[{"index": 0, "delta": delta}]))


def test_odd_answers_among_others_are_left_out() -> None:
    assert [answer.text for answer in read_reply(body(chat("a"), chat(7), chat(None))).answers] == ["a", ""]


def test_a_stream_in_parts_is_one_text_and_one_without_content_says_nothing() -> None:
    stream = Stream()
    stream.add(event(choices=[{"index": 0, "delta": {"content": [{"type": "text", "text": "a"}]}}]))
    stream.add(event(choices=[{"index": 0, "delta": None, "finish_reason": "stop"}]))
    stream.add(event(choices=[{"index": 1, "delta": {}, "finish_reason": "length"}]))
    assert [answer.text for answer in read_reply(stream.body(2)).answers] == ["a", ""]


def test_content_in_parts_is_one_text() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]
    assert read_reply(body(chat(parts))).answers[0].text == "ab"


@pytest.mark.parametrize("name", ["reasoning", "reasoning_content"])
def test_reasoning_that_the_server_sends_apart_is_kept_apart(name: str) -> None:
    (answer,) = read_reply(body(chat("code", **{name: "hm"}))).answers
    assert (answer.text, answer.fields) == ("code", {"reasoning": "hm"})


def test_a_completion_is_read_like_a_chat_answer() -> None:
    reply = read_reply(body({"text": "  return 1", "finish_reason": "length"}))
    assert (reply.answers[0].text, reply.answers[0].finish_reason) == ("  return 1", "length")


def test_the_prefill_is_taken_off_where_the_server_gives_it_back() -> None:
    assert read_reply(body(chat("Sure:\ncode")), "Sure:\n").answers[0].text == "code"
    assert read_reply(body(chat("code")), "Sure:\n").answers[0].text == "code"


def test_tokens_of_one_answer_are_its_own_and_those_of_several_are_at_least_so_many() -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 60}
    alone = read_reply(body(chat("a"), usage=usage))
    assert (alone.answers[0].tokens_out, alone.tokens_in, alone.tokens_out, alone.exact) == (60, 10, 60, True)
    several = read_reply(body(chat("a"), chat("b"), usage=usage))
    assert [answer.tokens_out for answer in several.answers] == [None, None]
    assert (several.tokens_out, several.exact) == (60, False)


@pytest.mark.parametrize("usage", [None, [], {"prompt_tokens": "x", "completion_tokens": -1}])
def test_usage_that_is_none_counts_nothing(usage) -> None:
    reply = read_reply(body(chat("a"), usage=usage))
    assert (reply.tokens_in, reply.tokens_out) == (None, None)


def event(**fields) -> str:
    return f"data: {json.dumps(fields)}"


def piece(text=None, finish=None, index=0) -> str:
    return event(choices=[{"index": index, "delta": {"content": text} if text else {}, "finish_reason": finish}])


def test_the_pieces_of_a_stream_make_the_reply() -> None:
    stream = Stream()
    lines = [": keep-alive", "", piece("a", index=1), piece("x"), piece("b", index=1), piece(None, "stop", 1)]
    lines += [piece(None, "length"), event(choices=[], usage={"completion_tokens": 5})]
    assert [stream.add(line) for line in lines] == [False] * len(lines)
    assert stream.add("data: [DONE]")
    reply = read_reply(stream.body(2))
    assert [(answer.text, answer.finish_reason) for answer in reply.answers] == [("x", "length"), ("ab", "stop")]
    assert reply.tokens_out == 5


def test_a_stream_that_ends_before_its_answer_does_is_odd() -> None:
    stream = Stream()
    stream.add(piece("half"))
    with pytest.raises(OddReply, match="the stream was cut: 0 of 1"):
        stream.body(1)


def test_a_stream_without_any_answer_is_odd() -> None:
    with pytest.raises(OddReply, match="no choices"):
        read_reply(Stream().body(1))


def test_an_error_within_a_stream_is_told() -> None:
    stream = Stream()
    stream.add(piece("half"))
    stream.add(event(error={"message": "out of memory"}))
    with pytest.raises(OddReply, match="out of memory"):
        read_reply(stream.body(1))
