"""Any server that speaks OpenAI's protocol, asked through the `openai` client.

What holds: the client alone tries again where a request fails (429, 5xx, a lost connection, no answer in time), and it heeds what the
server says about when; how long each of its tries takes is bounded in `tries.py`. Asked anew here is only what the client takes for a good
reply and is none (`OddReply`), and both share one number of tries. A request that a server refuses for its form (so many answers at once, a
name it does not know) is put otherwise, which is no try.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio

from assay.errors import ModelError, SettingsError
from assay.models.pace import Pace
from assay.models.refusals import Body, failure_of, put_otherwise, refusal_of
from assay.models.replies import OddReply, Stream, read_reply
from assay.models.secret import Secret, bare_url
from assay.models.tries import http_client, redirect_of, seconds_left

if TYPE_CHECKING:
    import openai

    from assay.models.asking import Question, Reply
    from assay.models.catalogue import ModelSettings
    from assay.models.prompting import Prompt

KEY_VARIABLE, ADDRESS_VARIABLE = "OPENAI_API_KEY", "OPENAI_BASE_URL"
"""What the client library reads as well."""
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.5, 8.0
"""The client's own waits between two tries, which grow by two."""


class _Said(NamedTuple):
    """A reply as it came: its body, or what was odd about a stream, and how many tries it took."""

    body: bytes | OddReply
    tries: int

    def read(self, prefill: str, key: Secret) -> Reply:
        """The answers in it, without the key.

        Raises:
            OddReply: There are none.
        """
        if isinstance(self.body, OddReply):
            raise self.body
        return key.hide_in(read_reply(self.body, prefill))


class OpenAIModel:
    """A model behind an OpenAI-compatible server; see `Model`.

    Args:
        name: The model's name, as the server knows it.
        settings: Where and how it is asked.

    Raises:
        SettingsError: The package `openai` is not there, or a key is needed and there is none.
    """

    needs_prompt = True

    def __init__(self, name: str, settings: ModelSettings) -> None:
        self._openai = _package()
        self.label = name
        self._settings = settings
        address = settings.base_url or os.environ.get(ADDRESS_VARIABLE) or None
        self._key = Secret.from_environment(settings.api_key_variable or KEY_VARIABLE, needed=address is None)
        self._pace = Pace(settings.requests_per_minute)
        self._client = self._connect(_checked(address))
        self.server: str | None = bare_url(str(self._client.base_url))
        self._most_draws: int | None = None
        self._otherwise: frozenset[str] = frozenset()

    def _connect(self, address: str | None) -> openai.AsyncOpenAI:
        settings = self._settings
        # The HTTP client waits for turns, so that what the client tries again waits as well.
        client = http_client(self._openai, settings.timeout_s, self._pace.turn, self._say_unreached)
        try:
            made: openai.AsyncOpenAI = self._openai.AsyncOpenAI(
                api_key=self._key.reveal(),
                base_url=address,
                timeout=settings.timeout_s,
                max_retries=settings.tries - 1,
                http_client=client,
            )
        except (self._openai.OpenAIError, ValueError) as error:
            raise SettingsError(
                self._key.hide(f"the server can't be asked: {error}"), hint="give its address: --base-url URL"
            ) from None
        return made

    def _say_unreached(self) -> None:
        more = self._settings.tries - 1
        if more:
            times = "once more" if more == 1 else f"{more} more times"
            self._settings.tell(f"{self.server} can't be reached, trying again, {times}")

    async def ask(self, question: Question) -> Reply:
        """Asks for the draws, or for as many of them as the server gives at once.

        Raises:
            ModelError: It has no answer after all tries, or refuses the request.
        """
        left, waits_s = self._settings.tries, _FIRST_WAIT_S
        while True:
            said = await self._said(question, left)
            left -= said.tries
            try:
                assert question.prompt is not None
                return said.read(question.prompt.prefill, self._key)
            except OddReply as odd:
                if left <= 0:
                    text = self._key.hide(f"{odd} ({self._settings.tries} tries)")
                    raise ModelError(text, retryable=True) from None
            await anyio.sleep(waits_s)
            waits_s = min(2 * waits_s, _LONGEST_WAIT_S)

    async def _said(self, question: Question, tries: int) -> _Said:
        """What the server says to the request, put as it takes it."""
        draws = min(len(question.draws), self._most_draws or len(question.draws))
        otherwise = self._otherwise
        while True:
            assert question.prompt is not None
            body = Body(question.prompt, self._settings.sampling, draws, question.seed, otherwise)
            try:
                said = await self._send(question.prompt, body.fields(stream=self._settings.stream), tries)
            except self._openai.APIStatusError as error:
                if (elsewhere := redirect_of(error.response, self._key)) is not None:
                    raise elsewhere from None
                refusal = refusal_of(error.status_code, error.body, self._key)
                changed = put_otherwise(refusal, body)
                if changed is None:
                    raise failure_of(refusal, tries) from None
                draws, otherwise = changed
            else:
                # Only now: a prompt that is too long is refused whatever the number of answers.
                self._otherwise = otherwise
                if draws < len(question.draws):
                    self._most_draws = draws
                return said

    async def _send(self, prompt: Prompt, fields: dict[str, Any], tries: int) -> _Said:
        """One request of the client, with all its tries.

        Raises:
            ModelError: No connection, or no whole answer in time.
            openai.APIStatusError: The server refused.
        """
        try:
            return await self._request(prompt, fields, tries)
        except self._openai.APITimeoutError:
            text = f"no whole answer within {self._settings.timeout_s:g} s ({tries} tries)"
            raise ModelError(text, retryable=True, hint="give it more time: --reply-timeout") from None
        except self._openai.APIStatusError:
            raise
        except self._openai.OpenAIError as error:
            raise self._lost(error, tries) from None

    def _lost(self, error: Exception, tries: int) -> ModelError:
        cause = f"{type(error.__cause__).__name__}: {error.__cause__}" if error.__cause__ else str(error)
        text = self._key.hide(f"{self.server} can't be reached: {cause} ({tries} tries)")
        return ModelError(text, retryable=True, hint="is the server up, and is --base-url right?")

    async def _request(self, prompt: Prompt, fields: dict[str, Any], tries: int) -> _Said:
        client = self._client if tries == self._settings.tries else self._client.with_options(max_retries=tries - 1)
        create: Any
        if prompt.messages:
            create, first = client.chat.completions.with_raw_response.create, {"messages": fields.pop("messages")}
        else:
            create, first = client.completions.with_raw_response.create, {"prompt": fields.pop("prompt")}
        stream = fields.pop("stream", False)
        # What is not named here goes as it is: the client must not know better than the server.
        raw = await create(model=self.label, stream=stream, extra_body=fields, **first)
        tries_taken = raw.retries_taken + 1
        if not stream:
            return _Said(raw.http_response.content, tries_taken)
        try:
            return _Said(await self._read_stream(raw.http_response, fields.get("n", 1)), tries_taken)
        except OddReply as odd:
            return _Said(odd, tries_taken)

    async def _read_stream(self, response: Any, wanted: int) -> bytes:
        pieces = Stream()
        try:
            with anyio.fail_after(seconds_left(response)):
                async for line in response.aiter_lines():
                    if pieces.add(line):
                        break
        except TimeoutError:
            raise OddReply(f"no whole answer within {self._settings.timeout_s:g} s") from None
        except (OddReply, anyio.get_cancelled_exc_class()):
            raise
        except Exception as error:  # noqa: BLE001 (the client's HTTP library, and so its errors, differ by its release)
            raise OddReply(f"the stream was cut: {type(error).__name__}") from None
        finally:
            await response.aclose()
        return pieces.body(wanted)

    async def close(self) -> None:
        """Closes all connections."""
        await self._client.close()


def _checked(address: str | None) -> str | None:
    """Lets an address pass that can be one.

    Raises:
        SettingsError: It has no scheme, say.
    """
    if address is not None and not re.match(r"https?://[^/\s]", address):
        hint = "for example --base-url http://localhost:8000/v1"
        shown = "what stands there" if "@" in address else repr(bare_url(address))  # it may be a password's place
        raise SettingsError(f"--base-url: {shown} is no address of a server", hint=hint)
    return address


def _package() -> Any:
    try:
        import openai  # noqa: PLC0415 (0.8 s of processor time that only who asks a server should pay)
    except ImportError:
        hint = "pip install 'assay[openai]'"
        raise SettingsError("asking a server needs the package openai", hint=hint) from None
    return openai
