"""Flags of the commands that ask a model: which model, how its answers are drawn, what it is shown, how hard its server is pressed."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from assay.cli.flags import Switch
from assay.engine import Asking
from assay.errors import SettingsError
from assay.models import (
    CANNED,
    Endpoint,
    ModelSettings,
    PromptStyle,
    altered,
    default_style,
    find_style,
    require_place,
    split_name,
)
from assay.records import Benchmark, Sampling

USUAL_TEMPERATURE = 0.8
"""The literature's temperature for several samples a problem."""


@Parameter(name="*")
@dataclass(frozen=True)
class Drawing:
    """Which model, and how its answers are drawn."""

    model: str
    """Who is asked (see `assay list`): openai:NAME, any-llm:PROVIDER/NAME, local:NAME, replay:FILE, reference, mutants:RATE (usual 0.5)."""
    base_url: str | None = None
    """The address of an OpenAI-compatible server, such as http://localhost:8000/v1."""
    api_key_env: str | None = None
    """The environment variable that holds the key, in place of the usual one. The key itself is written nowhere."""
    samples: Annotated[int, Parameter(name=["--samples", "-n"])] = 1
    """How many answers to each problem."""
    temperature: float | Literal["default"] | None = None
    """Left out: that of the answers that are there, else 0 for one answer a problem, 0.8 for several. `default` leaves it to the server."""
    top_p: float | None = None
    """Draw from the most likely tokens that make up this share; left out, the server decides."""
    max_tokens: int = 2048
    """No answer is longer; one that would be is kept as it is and marked `length`."""
    seed: int | None = None
    """Give each answer a seed of its own, made of this one: another run asks for the same answers, and gets them from servers that can."""
    body: str | None = None
    """Further fields of each request as a JSON object, for what only this server knows: '{"top_k": 20}'."""

    def sampling(self) -> Sampling:
        """How answers are drawn.

        Raises:
            SettingsError: A number is out of range, or `--body` is no JSON object.
        """
        canned = split_name(self.model)[0] in CANNED
        chosen = self.temperature
        if chosen is None and not canned:
            chosen = 0.0 if self.samples == 1 else USUAL_TEMPERATURE
        heat = None if chosen == "default" else chosen
        _require(heat is None or 0 <= heat <= 100, "--temperature", heat, "a number from 0")
        _require(self.top_p is None or 0 < self.top_p <= 1, "--top-p", self.top_p, "a number above 0, up to 1")
        _require(self.max_tokens >= 1, "--max-tokens", self.max_tokens, "a whole number from 1")
        _require(self.samples >= 1, "-n", self.samples, "a whole number from 1")
        return Sampling(
            temperature=heat,
            top_p=self.top_p,
            max_tokens=None if canned else self.max_tokens,
            seed=self.seed,
            body=_object(self.body),
        )


def checked_place(output: str) -> str:
    """Lets the name of a file or folder pass.

    Raises:
        SettingsError: It stands for standard output.
    """
    if output == "-":
        hint = "name a file or folder"
        raise SettingsError("answers are not written to a pipe: the same command goes on with what is there", hint=hint)
    return output


def _object(text: str | None) -> dict[str, Any]:
    try:
        found = json.loads(text or "{}")
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise SettingsError(f"--body {text} is no JSON object", hint="for example --body '{\"top_k\": 20}'")
    return found


def _require(holds: bool, flag: str, value: object, wanted: str) -> None:
    if not holds:
        raise SettingsError(f"{flag} {value} is out of range", hint=f"give {wanted}")


@Parameter(name="*")
@dataclass(frozen=True)
class Prompting:
    """What a model is shown."""

    prompt: str | None = None
    """The prompt style, a name of `assay list` or a Jinja file of your own. Left out: EvalPlus's for the kind of model."""
    endpoint: Endpoint = "chat"
    """Which kind of model it is, where no prompt style says so."""
    system: str | None = None
    """The system message, in place of the style's."""
    prefill: str | None = None
    """How the answer is begun for the model, in place of the style's; an empty text begins nothing, for servers that take no beginnings."""
    stop: Annotated[tuple[str, ...], Switch] = ()
    """A further text that ends an answer; the flag may be given several times."""
    shots: int | None = None
    """How many solved problems the prompt shows, in place of the style's number. Most styles have no place for any: see --prompt."""
    shot_split: str | None = None
    """Draw them from this split."""
    shot_seed: int | None = None
    """Draw them by this seed."""

    def given(self) -> tuple[str, ...]:
        """The flags that the user gave, as they are written."""
        flags = {f"--{name.replace('_', '-')}": value for name, value in asdict(self).items() if name != "endpoint"}
        return tuple(f"{flag} {value}" for flag, value in flags.items() if value not in (None, ()))

    def style(self, benchmark: Benchmark) -> PromptStyle:
        """The style for a benchmark.

        Raises:
            SettingsError: There is none of that name, or it has no place for the solved problems that are wanted.
        """
        if not benchmark.problems:
            raise SettingsError(f"{benchmark.name} has no problem to ask", hint="do --split and --limit leave any in?")
        first = benchmark.problems[0]
        style = default_style(first, self.endpoint) if self.prompt is None else find_style(self.prompt)
        style = altered(style, system=self.system, prefill=self.prefill, stop=self.stop or None)
        require_place(style, () if self.shots == 0 else [flag for flag in self.given() if flag.startswith("--shot")])
        return style


@Parameter(name="*")
@dataclass(frozen=True)
class Traffic:
    """How hard a server is pressed, and when it is given up."""

    concurrency: int = 8
    """How many requests are under way at most."""
    rate: float | None = None
    """How many requests may start in a minute, those that are tried again among them."""
    draws: int | None = None
    """Ask for so many answers in one request (the field `n`), where the server bills a prompt once for all of them; otherwise one."""
    tries: int = 5
    """How often a request is made at most, where the server is busy, broken or silent."""
    reply_timeout: float = 600.0
    """Seconds that each try may take in all, from the request to the last word of the answer."""
    give_up_after: int = 10
    """Ask no more after so many failed requests in a row. A wrong key or an unknown model ends it at once."""
    stream: Annotated[bool, Switch] = False
    """Let the server send answers in pieces: for connections that break when nothing comes for long."""
    prices: str | None = None
    """A table of what tokens cost (TOML or JSON, see docs/generation.md): the cost is then shown too."""

    def check(self, drawing: Drawing) -> None:
        """Lets numbers in their ranges pass.

        Raises:
            SettingsError: One is not.
        """
        for flag in ("concurrency", "tries", "give_up_after"):
            value = getattr(self, flag)
            _require(value >= 1, f"--{flag.replace('_', '-')}", value, "a whole number from 1")
        _require(self.draws is None or self.draws >= 1, "--draws", self.draws, "a whole number from 1")
        if self.draws not in (None, 1) and drawing.seed is not None:
            hint = "leave one of them out: each answer has a seed of its own, and a request has one seed"
            raise SettingsError("--draws and --seed exclude each other", hint=hint)
        _require(self.rate is None or self.rate > 0, "--rate", self.rate, "a number above 0")
        _require(self.reply_timeout > 0, "--reply-timeout", self.reply_timeout, "a number above 0")

    def asking(self, per_problem: int, seed: int | None) -> Asking:
        """How the engine asks."""
        return Asking(
            per_problem=per_problem,
            draws=self.draws,
            concurrency=self.concurrency,
            give_up_after=self.give_up_after,
            seed=seed,
        )

    def settings(self, drawing: Drawing, sampling: Sampling) -> ModelSettings:
        """Where and how the model is asked."""
        return ModelSettings(
            sampling=sampling,
            base_url=drawing.base_url,
            api_key_variable=drawing.api_key_env,
            tries=self.tries,
            timeout_s=self.reply_timeout,
            requests_per_minute=self.rate,
            stream=self.stream,
        )


USUAL_PROMPTING, USUAL_TRAFFIC = Prompting(), Traffic()
"""What holds where no flag of a kind is given."""
