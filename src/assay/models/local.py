"""A model in this process, by `transformers`: for machines without a server, and models of one's own.

What holds: the answers to one question are drawn together, in a thread, so that judging goes on meanwhile; one question at a time, since
there is one model. A server (vLLM, llama.cpp) is many times faster.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio

from assay.errors import ModelError, SettingsError
from assay.models.asking import Answer, Reply

if TYPE_CHECKING:
    from assay.models.asking import Question
    from assay.models.catalogue import ModelSettings
    from assay.models.prompting import Prompt

_HINT = "pip install 'assay[local]'"


class LocalModel:
    """A causal language model, loaded by name or folder; see `Model`.

    Args:
        name: Its name on the Hugging Face hub, or a folder.
        settings: How answers are drawn. Fields of `body` are passed to the loading of model and tokenizer (`gguf_file`, `dtype` ...).

    Raises:
        SettingsError: The packages are not there, or the model can't be loaded.
    """

    needs_prompt = True
    server: str | None = None

    def __init__(self, name: str, settings: ModelSettings) -> None:
        self.label = name
        self._settings = settings
        self._torch, transformers = _packages()
        try:
            options = settings.sampling.body
            self._tokens = transformers.AutoTokenizer.from_pretrained(name, **_for_tokenizer(options))
            model = transformers.AutoModelForCausalLM.from_pretrained(name, **options)
        except Exception as error:
            message = f"the model {name} can't be loaded: {type(error).__name__}: {error}"
            raise SettingsError(message, hint="give its name on the hub, or a folder that holds it") from error
        self._device = "cuda" if self._torch.cuda.is_available() else "cpu"
        self._model = model.to(self._device).eval()
        self._turn = anyio.Lock()

    async def ask(self, question: Question) -> Reply:
        """Draws all answers of the question.

        Raises:
            ModelError: The prompt is too long, or the memory too small.
        """
        async with self._turn:
            try:
                return await anyio.to_thread.run_sync(self._draw, question)
            except self._torch.cuda.OutOfMemoryError:
                hint = "ask for fewer answers at once: --draws"
                raise ModelError("the memory is too small", retryable=True, hint=hint) from None
            except (RuntimeError, ValueError, IndexError) as error:
                raise ModelError(f"{type(error).__name__}: {error}"[:600]) from None

    def _draw(self, question: Question) -> Reply:
        assert question.prompt is not None
        text = self._text(question.prompt)
        given = self._tokens(text, return_tensors="pt", add_special_tokens=not question.prompt.messages).to(
            self._device
        )
        length = given["input_ids"].shape[1]
        most = self._settings.sampling.max_tokens or 2048
        room = getattr(self._model.config, "max_position_embeddings", None)
        if room is not None and length >= room:
            raise ModelError(f"the prompt has {length} tokens, and the model's context holds {room}")
        most = most if room is None else min(most, room - length)
        if question.seed is not None:
            self._torch.manual_seed(question.seed)
        with self._torch.inference_mode():
            found = self._model.generate(**given, **self._options(len(question.draws)), max_new_tokens=most)
        answers = tuple(self._answer(row[length:].tolist(), most) for row in found)
        return Reply(answers=answers, tokens_in=length, tokens_out=sum(answer.tokens_out or 0 for answer in answers))

    def _text(self, prompt: Prompt) -> str:
        """What the model goes on from: the conversation by its own template, and the beginning of the answer."""
        if not prompt.messages:
            return prompt.text
        said = [{"role": message.role, "content": message.content} for message in prompt.messages]
        if self._tokens.chat_template is None:
            raise ModelError("the model has no chat template", fatal=True, hint="--endpoint completion")
        text: str = self._tokens.apply_chat_template(said, tokenize=False, add_generation_prompt=True)
        return text + prompt.prefill

    def _options(self, draws: int) -> dict[str, Any]:
        sampling, padding = self._settings.sampling, self._tokens.pad_token_id
        heat = sampling.temperature
        end = {"pad_token_id": self._tokens.eos_token_id if padding is None else padding}
        if heat == 0:
            return {**end, "do_sample": False, "num_return_sequences": 1}
        drawn = {"do_sample": True, "num_return_sequences": draws, "temperature": heat, "top_p": sampling.top_p}
        return end | {key: value for key, value in drawn.items() if value is not None}

    def _answer(self, tokens: list[int], most: int) -> Answer:
        ends = _ends(self._model.generation_config.eos_token_id)
        at = next((place for place, token in enumerate(tokens) if token in ends), None)
        kept = tokens if at is None else tokens[:at]
        text = self._tokens.decode(kept, skip_special_tokens=True)
        reason = "length" if at is None and len(tokens) >= most else "stop"
        return Answer(text=text, finish_reason=reason, tokens_out=len(kept))

    async def close(self) -> None:
        """The memory goes with the process."""


def _ends(found: object) -> frozenset[object]:
    return frozenset(found if isinstance(found, list) else () if found is None else (found,))


def _for_tokenizer(options: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in options.items() if key in ("gguf_file", "revision", "trust_remote_code")}


def _packages() -> tuple[Any, Any]:
    try:
        import torch  # noqa: PLC0415 (seconds, and hundreds of MiB, that only who uses it should pay)
        import transformers  # noqa: PLC0415 (see torch)
    except ImportError:
        raise SettingsError("a model in this process needs torch and transformers", hint=_HINT) from None
    return torch, transformers
