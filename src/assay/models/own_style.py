r"""A prompt style of the user's own: a Jinja file whose text is the prompt, and whose first lines may say what goes with it.

    {% set endpoint = "completion" %}
    {% set stop = ["\n\n\n"] %}
    # {{ words }}

The settings are constants: they belong to the style, not to a problem, and are found by reading the file, not by running it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from assay.errors import SettingsError, did_you_mean
from assay.models.prompting import PromptStyle

if TYPE_CHECKING:
    from collections.abc import Iterator

SUFFIXES = (".jinja", ".jinja2", ".j2")
"""How files of styles are usually called."""

_SETTINGS = (
    "description", "endpoint", "mode", "needs", "prefill", "shot_answer", "shot_ids", "shots", "stop", "stop_after_code",
    "stop_after_words", "system", "version",
)  # fmt: skip
_USUAL = {"version": "1", "description": "your own"}


def read_style(path: str) -> PromptStyle:
    """The style that a Jinja file holds. Its name is the file's; its digest follows every byte that decides a prompt.

    What it says of itself by `{% set NAME = CONSTANT %}` are the arguments of `PromptStyle`; without any it asks a chat model, or, with
    `endpoint = "completion"`, has the answer continue the problem's prompt.

    Raises:
        SettingsError: The file can't be read, is no Jinja, or sets something that a style has not.
    """
    try:
        source = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: {getattr(error, 'strerror', None) or error}", hint="check its path") from None
    settings = dict(_settings(source, path))
    settings.setdefault("endpoint", "chat")
    settings.setdefault("mode", "completion" if settings["endpoint"] == "completion" else "chat")
    fields = _USUAL | settings | {"name": Path(path).name, "template": source}
    try:
        return msgspec.convert(fields, PromptStyle)
    except msgspec.ValidationError as error:
        raise SettingsError(f"{path}: {error}", hint="docs/prompts.md lists what a style may set") from None


def _settings(source: str, path: str) -> Iterator[tuple[str, Any]]:
    from jinja2 import Environment, TemplateSyntaxError, nodes  # noqa: PLC0415 (see `prompting`)

    try:
        tree = Environment(autoescape=False).parse(source)  # noqa: S701 (prompts are no HTML)
    except TemplateSyntaxError as error:
        raise SettingsError(f"{path}:{error.lineno}: {error.message}", hint="it must be a Jinja template") from None
    for node in tree.body:
        if isinstance(node, nodes.Assign) and isinstance(node.target, nodes.Name):
            yield _setting(node.target.name, node, path)


def _setting(name: str, node: Any, path: str) -> tuple[str, Any]:
    from jinja2 import nodes  # noqa: PLC0415 (see `prompting`)

    if name not in _SETTINGS:
        meant = did_you_mean(name, _SETTINGS)
        hint = f"did you mean {meant!r}? " if meant else ""
        hint += f"a style sets {', '.join(_SETTINGS)}; set variables of your own within a block or loop"
        raise SettingsError(f"{path}:{node.lineno}: there is no setting {name!r}", hint=hint)
    try:
        return name, node.node.as_const()
    except nodes.Impossible:
        message = f"{path}:{node.lineno}: {name!r} is no constant"
        raise SettingsError(message, hint="a setting is the same for all problems") from None
