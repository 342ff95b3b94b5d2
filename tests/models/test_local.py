"""A model in this process: slow, and needs the extra `local`. The model is made here, untrained: it says nothing, in the right form."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import anyio
import pytest

from assay.errors import ModelError, SettingsError
from assay.models import ModelSettings, Prompt, Question, open_model
from assay.models.prompting import Message
from assay.records import AssertTests, Mode, Problem, Sampling

if TYPE_CHECKING:
    from pathlib import Path

LACKING = [name for name in ("torch", "transformers") if importlib.util.find_spec(name) is None]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(LACKING), reason=f"{LACKING}: pip install torch transformers"),
    pytest.mark.filterwarnings("default"),  # other packages' warnings are their own affair
]

ROOM = 128
TEMPLATE = "{% for m in messages %}{{ m.content }}\n{% endfor %}{% if add_generation_prompt %}> {% endif %}"


def make_model(folder: Path, template: str | None) -> str:
    import torch  # noqa: PLC0415 (only where it is there)
    from tokenizers import ByteLevelBPETokenizer  # noqa: PLC0415 (see torch)
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast  # noqa: PLC0415 (see torch)

    learned = ByteLevelBPETokenizer()
    learned.train_from_iterator(["def f(n):\n    return n\n"], vocab_size=300, special_tokens=["<s>", "</s>"])
    learned.save(str(folder / "tokenizer.json"))
    tokens = PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"), bos_token="<s>", eos_token="</s>")
    tokens.chat_template = template
    tokens.save_pretrained(folder)
    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = LlamaConfig(vocab_size=300, max_position_embeddings=ROOM, bos_token_id=0, eos_token_id=1, **sizes)
    LlamaForCausalLM(config).save_pretrained(folder)
    return str(folder)


def ask(folder: str, prompt: Prompt, draws: int = 1, seed: int | None = None, **sampling):
    model = open_model(f"local:{folder}", ModelSettings(sampling=Sampling(**sampling)))
    problem = Problem(id="a", prompt="p", tests=(AssertTests(cases=("assert f",)),))
    return anyio.run(model.ask, Question(problem, prompt, tuple(range(draws)), seed))


CHAT = Prompt(problem_id="a", mode=Mode.CHAT, messages=(Message(role="user", content="hi"),), prefill="Sure:")
TEXT = Prompt(problem_id="a", mode=Mode.COMPLETION, text="def f(n):\n")


def test_answers_are_drawn_together_and_counted_one_by_one(tmp_path) -> None:
    reply = ask(make_model(tmp_path, TEMPLATE), CHAT, 3, temperature=1.0, max_tokens=8)
    assert len(reply.answers) == 3
    assert all(answer.finish_reason == ("length" if answer.tokens_out == 8 else "stop") for answer in reply.answers)
    assert reply.tokens_out == sum(answer.tokens_out for answer in reply.answers)


def test_a_seed_gives_the_same_answer_and_so_does_temperature_0(tmp_path) -> None:
    folder = make_model(tmp_path, TEMPLATE)
    assert ask(folder, TEXT, seed=5, temperature=1.0, max_tokens=8) == ask(
        folder, TEXT, seed=5, temperature=1.0, max_tokens=8
    )
    assert ask(folder, TEXT, temperature=0.0, max_tokens=8) == ask(folder, TEXT, temperature=0.0, max_tokens=8)


def test_an_answer_ends_where_the_context_does_and_a_longer_prompt_is_an_error(tmp_path) -> None:
    folder = make_model(tmp_path, TEMPLATE)
    reply = ask(folder, TEXT, temperature=0.0, max_tokens=10_000)
    assert reply.tokens_in + reply.tokens_out <= ROOM
    long = Prompt(problem_id="a", mode=Mode.COMPLETION, text="x " * ROOM)
    with pytest.raises(ModelError, match="context holds 128"):
        ask(folder, long, temperature=0.0)


def test_a_model_without_chat_template_is_no_chat_model(tmp_path) -> None:
    with pytest.raises(ModelError, match="no chat template"):
        ask(make_model(tmp_path, None), CHAT)


def test_what_is_no_model_is_one_clear_error(tmp_path) -> None:
    with pytest.raises(SettingsError, match="can't be loaded"):
        open_model(f"local:{tmp_path}", ModelSettings())
