"""Which models there are, by the word before the colon in `--model`, and how one is made.

Built-in ones are import strings, so that choosing one loads no other's packages; further ones come from installed packages, by the entry
point group `assay.models`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

from assay.errors import PluginError, SettingsError, did_you_mean
from assay.records import Record, Sampling

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.models.asking import Model

GROUP = "assay.models"
"""The entry point group of models in other packages: each is called like `OpenAIModel`, with a name and `ModelSettings`."""


class ModelInfo(NamedTuple):
    """A kind of model: how it is written in `--model`, what it is, and where it is made."""

    form: str
    description: str
    made_by: str


MODELS = {
    "openai": ModelInfo(
        "openai:NAME",
        "any OpenAI-compatible server, its address by --base-url (extra `openai`)",
        "openai_api:OpenAIModel",
    ),
    "any-llm": ModelInfo(
        "any-llm:PROVIDER/NAME",
        "whatever any-llm-sdk reaches: Anthropic, Gemini, Mistral ... (extra `any-llm`)",
        "any_llm:AnyLLMModel",
    ),
    "local": ModelInfo(
        "local:NAME",
        "a model of the Hugging Face hub, or a folder, in this process (extra `local`)",
        "local:LocalModel",
    ),
    "reference": ModelInfo(
        "reference", "the references of the problems, as if a model had written them", "canned:References"
    ),
    "mutants": ModelInfo(
        "mutants:RATE",
        "references, of which that share (0.5 if none is given) is changed in one place, usually wrong, by --seed",
        "mutants:Mutants",
    ),
}
"""The kinds of models that assay brings, but for `replay:FILE`, which reads a file of samples and is made by who reads it."""

REPLAY = "replay"
_REPLAY = ModelInfo("replay:FILE", "the samples of a file, those of a temperature where its rows name theirs", "")
CANNED = (REPLAY, "reference", "mutants")
"""Kinds that draw nothing by a temperature, nor are shown a prompt."""


def _say_nothing(_: str) -> None:
    """Nobody waits."""


class ModelSettings(Record):
    """Where and how a model is asked.

    `tries` is how often a request is made at most, `timeout_s` how long each try may take in all. `requests_per_minute` is a
    budget, None for none. `stream` lets the server send answers in pieces, for connections that don't outlive a long silence.
    `api_key_variable` names an environment variable; the key itself is nowhere else. `tell` is given what a person who waits should know.
    """

    sampling: Sampling = Sampling()
    base_url: str | None = None
    api_key_variable: str | None = None
    tries: int = 5
    timeout_s: float = 600.0
    requests_per_minute: float | None = None
    stream: bool = False
    tell: Callable[[str], None] = _say_nothing


def model_kinds() -> tuple[ModelInfo, ...]:
    """Every kind that `--model` takes without further packages' models."""
    return (*MODELS.values(), _REPLAY)


def split_name(spec: str) -> tuple[str, str]:
    """The kind and the name in `--model`.

    >>> split_name("openai:org/model:7b"), split_name("reference")
    (('openai', 'org/model:7b'), ('reference', ''))
    """
    kind, _, name = spec.partition(":")
    return kind, name


def open_model(spec: str, settings: ModelSettings) -> Model:
    """The model that a user names.

    Args:
        spec: Its kind and name, `openai:gpt-x`.
        settings: Where and how it is asked.

    Raises:
        SettingsError: There is no such kind, its name is missing, or a package that it needs is.
        PluginError: Another package's model can't be loaded.
    """
    kind, name = split_name(spec)
    if kind in MODELS:
        info = MODELS[kind]
        if not name and info.form.endswith("NAME"):
            raise SettingsError(f"the model {spec!r} has no name", hint=f"write {info.form}")
        file, _, made_by = info.made_by.partition(":")
        make = getattr(import_module(f"assay.models.{file}"), made_by)
    else:
        make = _plugin(kind, spec)
    return cast("Model", make(name, settings))


def _plugin(kind: str, spec: str) -> Callable[[str, ModelSettings], Model]:
    from importlib.metadata import entry_points  # noqa: PLC0415 (25 ms that only an unknown kind should pay)

    found = entry_points(group=GROUP, name=kind)
    if not found:
        known = [*MODELS, REPLAY]
        meant = did_you_mean(kind, known)
        guess = f"did you mean {meant!r}? " if meant else f"for a server write openai:{spec}; " if kind == spec else ""
        raise SettingsError(f"the kind of model {kind!r} is unknown", hint=f"{guess}known are {', '.join(known)}")
    try:
        return cast("Callable[[str, ModelSettings], Model]", next(iter(found)).load())
    except Exception as error:
        raise PluginError(f"the model {kind!r} can't be loaded: {type(error).__name__}: {error}") from error
