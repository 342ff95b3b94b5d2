"""The backend against a real HTTP server on the loopback that misbehaves by a script."""

from __future__ import annotations

import time

import anyio
import pytest
from stub_server import StubServer

from assay.errors import ModelError, SettingsError
from assay.models import ModelSettings, Prompt, Question, open_model
from assay.models.prompting import Message
from assay.records import AssertTests, Mode, Problem, Sampling

KEY = "sk-not-to-be-seen-anywhere"


@pytest.fixture(autouse=True)
def key(monkeypatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def question(word: str = "hi", draws: int = 1, seed: int | None = None, *, text: str = "", **more) -> Question:
    problem = Problem(id="a", prompt="p", tests=(AssertTests(cases=("assert f",)),))
    messages = () if text else (Message(role="user", content=word),)
    prompt = Prompt(problem_id="a", mode=Mode.CHAT, text=text, messages=messages, **more)
    return Question(problem, prompt, tuple(range(draws)), seed)


def ask(server: StubServer, *questions: Question, **settings):
    """Replies or errors, in the order of the questions."""
    model = open_model("openai:m", ModelSettings(base_url=server.url, **{"tries": 3, "timeout_s": 5.0, **settings}))

    async def run() -> list:
        found = []
        for each in questions:
            try:
                found.append(await model.ask(each))
            except ModelError as error:
                found.append(error)
        await model.close()
        return found

    return anyio.run(run)


def script(*replies: dict) -> StubServer:
    return StubServer({"hi": list(replies)})


@pytest.mark.parametrize("stream", [False, True])
def test_an_answer_comes_with_its_reason_and_tokens(stream: bool) -> None:
    with script({"text": "a\nb", "finish": "length"}) as server:
        (reply,) = ask(server, question(), stream=stream, sampling=Sampling(temperature=0.5, body={"top_k": 4}))
    (answer,) = reply.answers
    assert (answer.text, answer.finish_reason, answer.tokens_out, reply.tokens_in) == ("a\nb", "length", 7, 10)
    (request,) = server.requests
    assert (request["model"], request["temperature"], request["top_k"]) == ("m", 0.5, 4)
    assert request["path"] == "/v1/chat/completions"
    assert server.headers[0]["authorization" if "authorization" in server.headers[0] else "Authorization"].endswith(KEY)


@pytest.mark.parametrize("stream", [False, True])
def test_a_completion_model_is_asked_at_its_own_address(stream: bool) -> None:
    with StubServer(usual={"text": "    return n"}) as server:
        (reply,) = ask(server, question(text="def f(n):"), stream=stream)
    assert reply.answers[0].text == "    return n"
    assert (server.requests[0]["path"], server.requests[0]["prompt"]) == ("/v1/completions", "def f(n):")


CUT = {"text": "half\nof it\n", "cut": True}


@pytest.mark.parametrize(
    ("fault", "stream"),
    [
        ({"http": 503}, False),
        (CUT, True),
        ({"choices": []}, False),
        pytest.param({"http": 503}, True, marks=pytest.mark.slow),
        pytest.param(CUT, False, marks=pytest.mark.slow),
        pytest.param({"choices": []}, True, marks=pytest.mark.slow),
        pytest.param({"raw": "<html>"}, False, marks=pytest.mark.slow),
        pytest.param({"raw": "<html>"}, True, marks=pytest.mark.slow),
    ],
)
def test_a_fault_is_tried_again(fault: dict, stream: bool) -> None:
    with script(fault, {"text": "whole"}) as server:
        (reply,) = ask(server, question(), stream=stream)
    assert [answer.text for answer in reply.answers] == ["whole"]
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "fault",
    [
        {"hang_s": 60},
        pytest.param({"http": 500}, marks=pytest.mark.slow),
        pytest.param({"choices": []}, marks=pytest.mark.slow),
        pytest.param({"text": "half", "cut": True}, marks=pytest.mark.slow),
    ],
)
def test_tries_are_counted_over_all_faults_and_then_it_is_an_error(fault: dict) -> None:
    with script(fault) as server:
        (error,) = ask(server, question(), tries=2, timeout_s=0.8)
    assert len(server.requests) == 2
    assert error.retryable
    assert "2 tries" in error.message


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("status", [200, 400])
def test_a_server_that_drips_is_left_when_the_try_is_over_and_asked_again(status: int, stream: bool) -> None:
    with script({"http": status, "text": "a\nb", "drip_s": 0.1}, {"text": "whole"}) as server:
        (reply,) = ask(server, question(), timeout_s=1.0, stream=stream)
    assert [answer.text for answer in reply.answers] == ["whole"]
    assert len(server.requests) == 2


@pytest.mark.parametrize("stream", [False, True])
def test_a_server_that_drips_for_ever_is_an_error_that_names_the_time(stream: bool) -> None:
    with script({"text": "a\nb", "drip_s": 0.1}) as server:
        (error,) = ask(server, question(), tries=2, timeout_s=0.5, stream=stream)
    assert error.message == "no whole answer within 0.5 s (2 tries)"
    assert (error.retryable, len(server.requests)) == (True, 2)


def test_waiting_for_a_turn_is_no_part_of_a_try() -> None:
    with script({"text": "x"}) as server:
        replies = ask(server, question(), question(), tries=1, timeout_s=0.4, requests_per_minute=60)
    assert [reply.answers[0].text for reply in replies] == ["x", "x"]


@pytest.mark.parametrize(("status", "stream"), [(302, False), (307, False), (308, True)])
def test_a_redirect_is_not_followed_and_where_it_leads_is_told(status: int, stream: bool) -> None:
    with StubServer() as other:
        address = other.url.replace("//", "//me:secret@") + "/chat/completions?token=secret"
        with script({"http": status, "headers": {"Location": address}}) as server:
            (error,) = ask(server, question(), stream=stream)
    assert not other.requests
    assert (len(server.requests), error.fatal, error.status) == (1, True, status)
    assert error.message == f"the server leads to {other.url}/chat/completions ({status}), and is not followed there"
    assert error.hint.endswith(f"--base-url {other.url}")


def test_a_redirect_within_a_server_and_one_to_nowhere_are_told_too() -> None:
    with script({"http": 307, "headers": {"Location": f"/{KEY}/login"}}) as server:
        (error,) = ask(server, question())
    assert f"{server.url.removesuffix('/v1')}/***/login" in error.message
    with script({"http": 307, "headers": {"Location": "http://[::1"}}) as server:
        (error,) = ask(server, question())
    assert error.message == "the server leads elsewhere (307), to no address"


def test_the_client_and_odd_replies_share_one_number_of_tries() -> None:
    with script({"http": 503}, {"choices": []}, {"http": 503}, {"choices": []}, {"text": "too late"}) as server:
        (error,) = ask(server, question(), tries=4)
    assert isinstance(error, ModelError)
    assert len(server.requests) == 4


def test_a_server_that_says_when_to_come_back_is_heeded() -> None:
    with script({"http": 429, "headers": {"retry-after-ms": "700"}}, {"text": "x"}) as server:
        begun_s = time.monotonic()
        (reply,) = ask(server, question())
    assert reply.answers
    assert time.monotonic() - begun_s >= 0.7


def test_a_request_that_is_wrong_is_asked_once() -> None:
    with script({"http": 400, "says": f"no such thing, {KEY}"}) as server:
        (error,) = ask(server, question())
    assert (len(server.requests), error.status, error.retryable) == (1, 400, False)
    assert error.message == "the server refuses with 400: no such thing, ***"


def test_answers_at_once_are_fewer_where_the_server_has_fewer_places_and_stay_so() -> None:
    with script({"text": "x", "n_most": 4}) as server:
        first, second = ask(server, question(draws=9), question(draws=9))
    assert (len(first.answers), len(second.answers)) == (4, 4)
    assert [request.get("n", 1) for request in server.requests] == [9, 4, 4]


def test_a_prompt_that_is_too_long_leaves_the_number_of_answers_as_it_was() -> None:
    too_long = {"http": 400, "says": "request (3001 tokens) exceeds the available context size (1024 tokens)"}
    with StubServer({"long": [too_long], "hi": [{"text": "x"}]}) as server:
        error, reply = ask(server, question("long", 4), question("hi", 4))
    assert "--max-tokens" in error.hint
    assert len(reply.answers) == 4
    assert len(server.requests) == 2


def test_a_server_that_ignores_the_number_gives_one_answer_with_its_own_tokens() -> None:
    with script({"text": "x", "ignore_n": True}) as server:
        (reply,) = ask(server, question(draws=3))
    assert (len(reply.answers), reply.exact) == (1, True)


def test_a_form_that_was_refused_once_is_not_sent_again() -> None:
    told = {"http": 400, "says": "Use 'max_completion_tokens' instead of 'max_tokens'"}
    with StubServer({"one": [told, {"text": "x"}], "two": [{"text": "x"}]}) as server:
        ask(server, question("one"), question("two"), sampling=Sampling(max_tokens=9))
    assert ["max_tokens" in request for request in server.requests] == [True, False, False]
    assert server.requests[2]["max_completion_tokens"] == 9


@pytest.mark.slow
def test_what_is_tried_again_waits_for_its_turn_too() -> None:
    with script({"http": 503, "headers": {"retry-after-ms": "1"}}, {"text": "x"}) as server:
        begun_s = time.monotonic()
        ask(server, question(), question(), requests_per_minute=150)
    assert len(server.requests) == 3
    assert time.monotonic() - begun_s >= 0.8


def test_a_server_that_is_not_there_is_told_with_its_address_and_without_secrets() -> None:
    with StubServer() as server:
        pass
    server.url = server.url.replace("http://", "http://me:secret@")
    (error,) = ask(server, question(), tries=1)
    assert error.message.startswith("http://127.0.0.1:")
    assert "can't be reached" in error.message
    assert "secret" not in error.message


@pytest.mark.parametrize(
    ("tries", "told"),
    [(3, ["can't be reached, trying again, 2 more times"]), (2, ["trying again, once more"]), (1, [])],
)
def test_a_server_that_is_not_there_is_told_once_after_the_first_try(tries: int, told: list[str]) -> None:
    with StubServer() as server:
        pass
    lines: list[str] = []
    ask(server, question(), question(), tries=tries, tell=lines.append)
    assert len(lines) == len(told)
    assert all(end in line and server.url in line for end, line in zip(told, lines, strict=True))


@pytest.mark.parametrize("url", ["localhost:8000/v1", "http:///v1", "ftp://host/v1"])
def test_an_address_that_is_none_is_told_before_anything_is_asked(url: str) -> None:
    with pytest.raises(SettingsError, match="no address of a server"):
        open_model("openai:m", ModelSettings(base_url=url))


def test_without_key_and_address_there_is_nobody_to_ask(monkeypatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(SettingsError, match="no key in the environment variable OPENAI_API_KEY"):
        open_model("openai:m", ModelSettings())
    with pytest.raises(SettingsError, match="OTHER_KEY"):
        open_model("openai:m", ModelSettings(api_key_variable="OTHER_KEY"))
