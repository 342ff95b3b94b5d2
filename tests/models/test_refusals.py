from __future__ import annotations

import pytest

from assay.models.prompting import Message, Prompt
from assay.models.refusals import Body, Refusal, failure_of, put_otherwise, refusal_of
from assay.models.secret import Secret
from assay.records import Mode, Sampling

STOPS = tuple("abcdef")


def chat(**more) -> Prompt:
    fields = {"mode": Mode.CHAT, "messages": (Message(role="user", content="hi"),), "stop": STOPS, **more}
    return Prompt(problem_id="a", **fields)


def request(draws=1, otherwise=(), sampling=None) -> Body:
    sampling = sampling or Sampling(max_tokens=9, temperature=0.5)
    return Body(chat(), sampling, draws, None, frozenset(otherwise))


def test_a_request_holds_what_was_chosen_and_nothing_else() -> None:
    assert Body(chat(stop=()), Sampling(), 1, None).fields() == {"messages": [{"role": "user", "content": "hi"}]}
    fields = Body(chat(), Sampling(temperature=0.0, top_p=0.9, max_tokens=5, body={"top_k": 3}), 4, 7).fields()
    assert fields == {
        "messages": [{"role": "user", "content": "hi"}],
        "temperature": 0.0,
        "top_p": 0.9,
        "max_tokens": 5,
        "seed": 7,
        "n": 4,
        "stop": list(STOPS),
        "top_k": 3,
    }


def test_a_text_is_completed_and_a_prefill_is_the_last_message() -> None:
    completion = Prompt(problem_id="a", mode=Mode.COMPLETION, text="def f(")
    assert Body(completion, Sampling(), 1, None).fields() == {"prompt": "def f("}
    messages = Body(chat(prefill="Sure:"), Sampling(), 1, None).fields()["messages"]
    assert messages[-1] == {"role": "assistant", "content": "Sure:"}


def refusal(text="no", status=400, code="") -> Refusal:
    return Refusal(status, text, code)


def test_too_many_answers_at_once_are_halved_down_to_one() -> None:
    assert put_otherwise(refusal("Field 'n': Value must be between 1 <= value <= 4"), request(9)) == (4, frozenset())
    assert put_otherwise(refusal("n > 1 is not supported"), request(2)) == (1, frozenset())
    assert put_otherwise(refusal("n"), request(1)) is None


def test_a_prompt_that_is_too_long_is_not_asked_again_with_fewer_answers() -> None:
    text = "request (3001 tokens) exceeds the available context size (1024 tokens), try increasing it"
    assert put_otherwise(refusal(text), request(8)) is None
    assert put_otherwise(refusal("bad", code="context_length_exceeded"), request(8)) is None


def test_stop_sequences_become_fewer_and_then_none() -> None:
    told = refusal("Invalid 'stop': array too long. Expected at most 4")
    first = put_otherwise(told, request())
    assert first == (1, frozenset({"few stops"}))
    assert request(otherwise=first[1]).fields()["stop"] == list("abcd")
    second = put_otherwise(told, request(otherwise=first[1]))
    assert "stop" not in request(otherwise=second[1]).fields()
    assert put_otherwise(told, request(otherwise=second[1])) is None


def test_the_limit_of_tokens_gets_the_name_that_the_server_wants() -> None:
    told = refusal("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
    _, otherwise = put_otherwise(told, request())
    fields = request(otherwise=otherwise).fields()
    assert (fields.get("max_tokens"), fields["max_completion_tokens"]) == (None, 9)


def test_how_answers_are_drawn_is_never_changed() -> None:
    told = refusal("Unsupported value: 'temperature' does not support 0.5 with this model")
    assert put_otherwise(told, request()) is None
    assert "--temperature default" in (failure_of(told, 1).hint or "")


@pytest.mark.parametrize("status", [401, 403, 404, 429, 500])
def test_only_a_refused_form_is_put_otherwise(status: int) -> None:
    assert put_otherwise(refusal("n stop max_completion_tokens", status), request(4)) is None


@pytest.mark.parametrize(
    ("status", "code", "retryable", "fatal"),
    [
        (400, "", False, False),
        (401, "", False, True),
        (403, "", False, False),
        (404, "", False, True),
        (429, "", True, False),
        (429, "insufficient_quota", True, True),
        (503, "", True, False),
    ],
)
def test_a_status_says_whether_to_try_again_and_whether_all_would_fail(status, code, retryable, fatal) -> None:
    error = failure_of(refusal("no", status, code), 3)
    assert (error.retryable, error.fatal, error.status) == (retryable, fatal, status)
    assert f"refuses with {status}: no" in error.message


@pytest.mark.parametrize(
    ("body", "text", "code"),
    [
        ({"message": "bad\nkey sk-12345678", "code": "invalid_api_key"}, "bad key ***", "invalid_api_key"),
        ({"detail": [{"msg": "n"}]}, '[{"msg": "n"}]', ""),
        ({"error": "plain words"}, "plain words", ""),
        ("<html>", "<html>", ""),
        (None, "", ""),
    ],
)
def test_what_a_server_says_is_read_in_any_form_and_without_the_key(body, text: str, code: str) -> None:
    assert refusal_of(400, body, Secret("sk-12345678")) == Refusal(400, text, code)
