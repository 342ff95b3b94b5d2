"""The backend of other protocols, against a server on the loopback: slow, and needs the extra `any-llm`."""

from __future__ import annotations

import importlib.util

import anyio
import pytest
from stub_server import StubServer

from assay.errors import ModelError, SettingsError
from assay.models import ModelSettings, Prompt, Question, open_model
from assay.models.prompting import Message
from assay.records import AssertTests, Mode, Problem, Sampling

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("any_llm") is None, reason="any_llm: pip install any-llm-sdk"),
    pytest.mark.filterwarnings("default"),  # other packages' warnings are their own affair
]


def ask(server: StubServer, word: str, **settings):
    given = {"base_url": server.url, "api_key_variable": "A_KEY", "tries": 3, "timeout_s": 5.0, **settings}
    model = open_model("any-llm:openai/m", ModelSettings(sampling=Sampling(temperature=0.5), **given))
    problem = Problem(id="a", prompt="p", tests=(AssertTests(cases=("assert f",)),))
    prompt = Prompt(problem_id="a", mode=Mode.CHAT, messages=(Message(role="user", content=word),))

    async def run():
        try:
            return await model.ask(Question(problem, prompt, (0,), 7))
        except ModelError as error:
            return error
        finally:
            await model.close()

    return anyio.run(run)


@pytest.fixture(autouse=True)
def key(monkeypatch) -> None:
    monkeypatch.setenv("A_KEY", "sk-not-to-be-seen")


def test_an_answer_comes_with_its_reason_and_tokens() -> None:
    with StubServer({"hi": [{"text": "x", "finish": "length"}]}) as server:
        reply = ask(server, "hi")
    assert (reply.answers[0].text, reply.answers[0].finish_reason, reply.tokens_out) == ("x", "length", 7)
    assert (server.requests[0]["temperature"], server.requests[0]["seed"]) == (0.5, 7)


@pytest.mark.parametrize("fault", [{"http": 503}, {"choices": []}])
def test_a_fault_is_tried_again_and_not_more_often_than_the_user_wants(fault: dict) -> None:
    with StubServer({"hi": [fault, {"text": "x"}], "no": [fault]}) as server:
        assert ask(server, "hi").answers[0].text == "x"
        assert isinstance(ask(server, "no"), ModelError)
    assert server.asked() == {"hi": 2, "no": 3}


def test_a_wrong_key_is_fatal_and_not_shown() -> None:
    with StubServer({"hi": [{"http": 401, "says": "wrong key sk-not-to-be-seen"}]}) as server:
        error = ask(server, "hi")
    assert (error.fatal, len(server.requests)) == (True, 1)
    assert "wrong key ***" in error.message


@pytest.mark.parametrize("name", ["openai", "no-such-provider/m"])
def test_a_name_without_a_known_provider_is_refused(name: str) -> None:
    with pytest.raises(SettingsError):
        open_model(f"any-llm:{name}", ModelSettings(base_url="http://localhost/v1"))
