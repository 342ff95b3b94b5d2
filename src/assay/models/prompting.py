"""From a problem to what a model is asked: a prompt style is data, and rendering it is a pure function.

What holds: the same style, problem and shots give the same bytes, and every byte of a prompt comes from the style's templates and the
data; so the style's digest and the problem's decide the prompt, and `Prompt.digest` names it in every sample. A template never sees the
reference of the problem that it asks, only those of the shots.

    style = find_style("evalplus-chat")
    prompt = render(style, problem, shots=())
    answer = ask(prompt.messages, prefill=prompt.prefill, stop=prompt.stop)      # or prompt.text, for a completion model
    sample = {"problem_id": problem.id, **prompt.sample_fields(answer)}
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from assay.errors import SettingsError
from assay.models.statement import Asked, asked_of
from assay.records import Mode, Record
from assay.records.base import digest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jinja2 import Environment, Template, nodes

    from assay.records import Problem

Endpoint = Literal["completion", "chat"]
"""What a model takes: a text that it continues, or messages that it answers."""

_FIELD_OF = {Mode.SOLUTION: "solution", Mode.COMPLETION: "completion", Mode.CHAT: "text"}


class Message(Record):
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


class PromptStyle(Record):
    r"""A way to ask, as data: Jinja templates and what goes with them.

    Args:
        name: How it is called; with the version what people quote.
        version: Changes whenever a byte of any prompt may change.
        description: A line for `assay list`.
        endpoint: Which kind of model it is for.
        mode: What the answer is: a chat answer with code in it, a completion of the problem's prompt, or a whole program.
        template: The text of a completion prompt, or of the user's message.
        system: The system message; none where it renders to nothing.
        prefill: How the model's answer begins, written for it.
        stop: Where generation ends; the text itself is not part of the answer.
        stop_after_code: More of these where the problem's prompt is code; `stop_after_words` where it is words.
        stop_after_words: See `stop_after_code`.
        needs: What a problem must have: tests that can be shown, or a prompt that begins the program.
        shots: How many solved problems are shown.
        shot_ids: The ids of these, where the style prescribes them.
        shot_answer: With a chat style, the assistant's message after a shot; where it is empty, the template shows the shots itself.
    """

    name: str
    version: str
    description: str
    endpoint: Endpoint
    mode: Mode
    template: str
    system: str = ""
    prefill: str = ""
    stop: tuple[str, ...] = ()
    stop_after_code: tuple[str, ...] = ()
    stop_after_words: tuple[str, ...] = ()
    needs: Literal["", "tests", "code"] = ""
    shots: int = 0
    shot_ids: tuple[str, ...] = ()
    shot_answer: str = ""

    @property
    def digest(self) -> str:
        """32 hexadecimal digits over all that decides a prompt: everything but name, version and description."""
        bare = msgspec.structs.replace(self, name="", version="", description="")
        return digest(msgspec.json.encode(bare))


def altered(
    style: PromptStyle, *, system: str | None = None, prefill: str | None = None, stop: tuple[str, ...] | None = None
) -> PromptStyle:
    """The style with parts of the user's own; its name tells which, and its digest is another one.

    Args:
        style: The style.
        system: The system message in place of its own.
        prefill: How the answer is begun, in place of its own; empty for not at all.
        stop: Further stop sequences.
    """
    given = {"system": system, "prefill": prefill, "stop": None if stop is None else style.stop + stop}
    changes = {part: value for part, value in given.items() if value is not None}
    return msgspec.structs.replace(style, name="+".join((style.name, *changes)), **changes)


class Prompt(Record):
    """What a model is asked about one problem: `text` for a completion model, `messages` for a chat model; the other is empty.

    `prefill` is the beginning of the answer and is not within `messages`: servers take it in different ways. With `text` it is empty: what
    a completion model goes on from is the end of the text. `mode` says what the answer is. `style` is the style's name and version.
    """

    problem_id: str
    mode: Mode
    text: str = ""
    messages: tuple[Message, ...] = ()
    prefill: str = ""
    stop: tuple[str, ...] = ()
    style: str = ""
    style_digest: str = ""

    @property
    def digest(self) -> str:
        """32 hexadecimal digits over text or messages, prefill and stop sequences: all that the model is sent."""
        parts = [f"{message.role}\n{message.content}" for message in self.messages]
        return digest(self.text, msgspec.json.encode(parts), self.prefill, msgspec.json.encode(self.stop))

    def cut(self, answer: str) -> str:
        """The answer up to the first stop sequence: for servers that did not stop there themselves."""
        ends = [at for at in map(answer.find, self.stop) if at >= 0]
        return answer[: min(ends)] if ends else answer

    def sample_fields(self, answer: str) -> dict[str, Any]:
        """Fields of a sample row: the answer under the name that says what it is, what the prompt began for it, and the digests.

        `answer` is what the model wrote after the prefill. Where a server gives the prefill back with the answer, take it off first.
        """
        fields: dict[str, Any] = {_FIELD_OF[self.mode]: self.cut(answer), "prompt_digest": self.digest}
        fields |= {"prompt_style": self.style, "prompt_style_digest": self.style_digest}
        return fields | ({"prefill": self.prefill} if self.prefill else {})


def render(style: PromptStyle, problem: Problem, shots: Sequence[Problem] = ()) -> Prompt:
    """The prompt about a problem.

    Args:
        style: How to ask.
        problem: What to ask.
        shots: Solved problems to show, in this order; see `choose_shots`.

    Raises:
        SettingsError: A template is no Jinja, names an unknown variable, or needs what the problem lacks; or a shot has no reference.
    """
    _require(style, problem)
    asked = asked_of(problem)
    shown = tuple(asked_of(shot, solved=True) for shot in shots)
    completes = style.endpoint == "completion"
    return Prompt(
        problem_id=problem.id,
        mode=style.mode,
        text=_fill(style, "template", asked, shown) if completes else "",
        messages=() if completes else tuple(_conversation(style, asked, shown)),
        prefill="" if completes else _fill(style, "prefill", asked, shown),
        stop=style.stop + (style.stop_after_code if problem.prompt_is_code else style.stop_after_words),
        style=f"{style.name}@{style.version}",
        style_digest=style.digest,
    )


def _require(style: PromptStyle, problem: Problem) -> None:
    match style.needs:
        case "tests" if not asked_of(problem).tests:
            lack = "shows tests, and its tests are no asserts that could be shown"
        case "code" if not problem.prompt_is_code:
            lack = "is for prompts that begin the program, and its prompt is words"
        case _:
            return
    message = f"prompt style {style.name!r} does not suit problem {problem.id!r}: the style {lack}"
    raise SettingsError(
        message, hint="`assay list` shows the styles and what they need; 'evalplus-api' suits any function"
    )


def _conversation(style: PromptStyle, asked: Asked, shown: tuple[Asked, ...]) -> list[Message]:
    system = _fill(style, "system", asked, shown)
    messages = [Message(role="system", content=system)] if system else []
    if style.shot_answer:
        for shot in shown:
            messages.append(Message(role="user", content=_fill(style, "template", shot, ())))
            messages.append(Message(role="assistant", content=_fill(style, "shot_answer", shot, ())))
        shown = ()
    return [*messages, Message(role="user", content=_fill(style, "template", asked, shown))]


def _fill(style: PromptStyle, part: str, asked: Asked, shots: tuple[Asked, ...]) -> str:
    from jinja2 import TemplateError  # noqa: PLC0415 (Jinja is loaded where a prompt is rendered, not where assay starts)

    source: str = getattr(style, part)
    if "{" not in source:
        return source
    try:
        return _compiled(source).render(**_variables(asked), shots=tuple(map(_variables, shots)))
    except (TemplateError, TypeError, ValueError) as error:
        message = f"the {part} of prompt style {style.name!r} can't be rendered for problem {asked.id!r}: {error}"
        raise SettingsError(message, hint="docs/prompts.md lists the variables that a template may use") from None


def _variables(asked: Asked) -> Mapping[str, Any]:
    return msgspec.structs.asdict(asked)


def shows_shots(style: PromptStyle) -> bool:
    """Whether a style has a place for solved problems."""
    return bool(style.shot_answer) or any("shots" in _names(part) for part in (style.template, style.system))


@lru_cache(maxsize=64)
def _names(source: str) -> frozenset[str]:
    """The variables that a template takes from the problem; all where it is no Jinja, which rendering tells."""
    from jinja2 import TemplateSyntaxError, meta  # noqa: PLC0415 (see `_fill`)

    try:
        return frozenset(meta.find_undeclared_variables(_tree(source)))
    except TemplateSyntaxError:
        return frozenset(("shots",))


def _tree(source: str) -> nodes.Template:
    """A template without the line by which a file of the user's own says how many shots it shows: it would hide the variable `shots`."""
    from jinja2 import nodes  # noqa: PLC0415 (see `_fill`)

    tree = _environment().parse(source)
    tree.body = [node for node in tree.body if not (isinstance(node, nodes.Assign) and _is_shots(node.target))]
    return tree


def _is_shots(target: nodes.Node) -> bool:
    return getattr(target, "name", None) == "shots"


@lru_cache(maxsize=64)
def _compiled(source: str) -> Template:
    return _environment().from_string(_tree(source))


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import StrictUndefined  # noqa: PLC0415 (see `_fill`)
    from jinja2.sandbox import SandboxedEnvironment  # noqa: PLC0415 (see `_fill`)

    # The line end after a tag goes, as in the chat templates of model hubs, so that a loop may stand on lines of its own.
    environment = SandboxedEnvironment(
        undefined=StrictUndefined, keep_trailing_newline=True, trim_blocks=True, autoescape=False
    )
    environment.filters["crlf"] = lambda text: text.replace("\n", "\r\n")
    return environment
