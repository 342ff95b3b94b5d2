"""Models behind other protocols than OpenAI's, asked through `any-llm-sdk`, which turns their replies into OpenAI's form.

What holds: as for `openai_api.py`, but the tries are made here, since not every provider's library makes any: those that would are told not
to. The waits between two are the usual doubling.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import anyio

from assay.errors import ModelError, SettingsError
from assay.models.pace import Pace
from assay.models.refusals import Body, failure_of, refusal_of
from assay.models.replies import OddReply, read_reply
from assay.models.secret import Secret, bare_url

if TYPE_CHECKING:
    from assay.models.asking import Question, Reply
    from assay.models.catalogue import ModelSettings

_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.5, 8.0


class AnyLLMModel:
    """A model of any provider that `any-llm-sdk` knows; see `Model`. The provider's own environment variable holds its key.

    Args:
        name: Provider and model, `anthropic/claude-x`.
        settings: Where and how it is asked.

    Raises:
        SettingsError: The package is not there, or the name lacks a part.
    """

    needs_prompt = True

    def __init__(self, name: str, settings: ModelSettings) -> None:
        provider, _, model = name.partition("/")
        if not provider or not model:
            raise SettingsError(
                f"the model 'any-llm:{name}' has no provider", hint="write any-llm:PROVIDER/NAME, say any-llm:mistral/x"
            )
        self.label = model
        self._settings = settings
        variable = settings.api_key_variable
        self._key = Secret.from_environment(variable or "", needed=variable is not None)
        self._client = self._connect(provider, None if variable is None else self._key.reveal())
        if (
            variable is None
        ):  # the provider's library has found its key by itself; what it says goes through `hide` all the same
            usual = getattr(self._client, "ENV_API_KEY_NAME", None) or ""
            self._key = Secret.from_environment(str(usual), needed=False)
        self.server: str | None = provider if settings.base_url is None else bare_url(settings.base_url)
        self._pace = Pace(settings.requests_per_minute)

    def _connect(self, provider: str, key: str | None) -> Any:
        made_by = _package()
        where = {"api_key": key, "api_base": self._settings.base_url}
        for tries in ({"max_retries": 0}, {}):
            try:
                return made_by.create(provider, **where, **tries)
            except Exception as error:  # noqa: BLE001 (each provider's library has errors of its own)
                if tries and type(error).__name__ == "UnsupportedParameterError":
                    continue  # its library tries nothing again by itself
                text = self._key.hide(f"any-llm can't ask {provider}: {error}")
                raise SettingsError(text, hint="see any-llm's list of providers, and --api-key-env") from None
        raise AssertionError("the second way returns or raises")

    async def ask(self, question: Question) -> Reply:
        """Asks for one answer; chat models only.

        Raises:
            ModelError: There is none after all tries, or the prompt is for a completion model.
        """
        assert question.prompt is not None
        if not question.prompt.messages:
            raise ModelError("any-llm asks chat models only", fatal=True, hint="choose a prompt style for chat models")
        wait_s = _FIRST_WAIT_S
        for left in reversed(range(self._settings.tries)):
            try:
                return await self._try(question)
            except ModelError as error:
                if not error.retryable or not left:
                    raise
            await anyio.sleep(wait_s)
            wait_s = min(2 * wait_s, _LONGEST_WAIT_S)
        raise AssertionError("the last try returns or raises")

    async def _try(self, question: Question) -> Reply:
        assert question.prompt is not None
        fields = Body(question.prompt, self._settings.sampling, 1, question.seed).fields()
        await self._pace.turn()
        try:
            with anyio.fail_after(self._settings.timeout_s):
                said = await self._client.acompletion(self.label, **fields)
            return self._key.hide_in(read_reply(said.model_dump_json().encode("utf-8"), question.prompt.prefill))
        except TimeoutError:
            raise ModelError(f"no answer within {self._settings.timeout_s:g} s", retryable=True) from None
        except OddReply as odd:
            raise ModelError(self._key.hide(str(odd)), retryable=True) from None
        except Exception as error:  # noqa: BLE001 (each provider's library has errors of its own)
            raise self._failure(error) from None

    def _failure(self, error: Exception) -> ModelError:
        """What a provider's error says; those that carry no status may be a matter of the connection."""
        cause = getattr(error, "original_exception", None) or error
        status = getattr(cause, "status_code", None)
        if isinstance(status, int):
            return failure_of(refusal_of(status, getattr(cause, "body", None) or str(cause), self._key), 1)
        return ModelError(self._key.hide(f"{type(cause).__name__}: {cause}")[:600], retryable=True)

    async def close(self) -> None:
        """Closes the connections of those providers' libraries that have some to close."""
        close = getattr(getattr(self._client, "client", None), "close", None)
        if close is not None:
            ended = close()
            if inspect.isawaitable(ended):
                await ended


def _package() -> Any:
    try:
        from any_llm import AnyLLM  # noqa: PLC0415 (2 s of processor time that only who uses it should pay)
    except ImportError:
        raise SettingsError("this needs the package any-llm-sdk", hint="pip install 'assay[any-llm]'") from None
    return AnyLLM
