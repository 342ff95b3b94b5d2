"""The key of a model server, which may stand in no file, log, manifest or traceback.

What holds: the key leaves this object only on its way to the client library; whatever a server says goes through `hide` before anybody sees
it, since servers repeat keys in their errors: whole, cut short, or in other letter case. Its text is a star, so that printing it by mistake
shows nothing.
"""

from __future__ import annotations

import os
import re
import string
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

import msgspec

from assay.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.models.asking import Reply

SHORTEST = 8
"""Shorter ones are no secrets but what local servers are given to have something (`x`, `EMPTY`); nor are shorter pieces of a key."""

_LONGEST_WORD = 16
"""Letters; longer ones are no words of a language."""
_STEP, _SEED = 5, 4
"""Wherever a stretch of `SHORTEST` begins, one of every `_STEP` characters begins `_SEED` characters that lie within it."""
_SEPARATORS = string.punctuation + " "
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
"""Of ASCII alone, so that places stay the same: a key has nothing else."""

PLACEHOLDER = "none"
"""What a server of one's own gets where there is no key: the client library wants one."""


class Secret:
    """A key; `Secret.from_environment` reads it."""

    __slots__ = ("_pieces", "_seeds", "_value", "_words")

    def __init__(self, value: str) -> None:
        self._value = value
        low = value.translate(_LOWER)
        self._pieces = frozenset(low[at : at + SHORTEST] for at in range(len(low) - SHORTEST + 1))
        self._seeds = frozenset(piece[at : at + _SEED] for piece in self._pieces for at in range(_STEP))
        self._words = frozenset(_words(value)) - {low}

    @classmethod
    def from_environment(cls, variable: str, *, needed: bool) -> Secret:
        """The key that stands in an environment variable. Line ends round it, which files of keys have, are dropped.

        Args:
            variable: Its name.
            needed: Whether there must be one; otherwise a placeholder stands in for it.

        Raises:
            SettingsError: There is none, or it holds what no header can hold. The message does not show it.
        """
        value = os.environ.get(variable, "").strip()
        if not value and needed:
            hint = f"export {variable}=..., name another variable with --api-key-env, or a server of your own with --base-url"
            raise SettingsError(f"there is no key in the environment variable {variable}", hint=hint)
        if not (value.isascii() and value.isprintable()):
            raise SettingsError(
                f"the key in {variable} holds characters that no key has", hint="copy it again; it is one line of ASCII"
            )
        return cls(value or PLACEHOLDER)

    def reveal(self) -> str:
        """The key itself, for the client library and nobody else."""
        return self._value

    def hide(self, text: str) -> str:
        """The text with stars in the place of the key, and of each stretch of it that is long enough to be told by, in any letter case.

        A word between separators of the key (`sk-local-password`) is left where it stands alone: it may be any text's. Takes a time that
        grows with the text's length alone.

        >>> Secret("sk-12345678").hide("Incorrect API key provided: SK-12345***.")
        'Incorrect API key provided: ******.'
        """
        shown, end = [], 0
        for start, stop in self._stretches(text.translate(_LOWER)):
            shown += [text[end:start], "***"]
            end = stop
        return "".join([*shown, text[end:]])

    def hide_in(self, reply: Reply) -> Reply:
        """The same for all texts of a reply: a server that echoes requests would write the key into an answer."""
        hidden = [
            msgspec.structs.replace(
                answer,
                text=self.hide(answer.text),
                finish_reason=None if answer.finish_reason is None else self.hide(answer.finish_reason),
                fields={
                    name: self.hide(value) if isinstance(value, str) else value for name, value in answer.fields.items()
                },
            )
            for answer in reply.answers
        ]
        return msgspec.structs.replace(reply, answers=tuple(hidden))

    def _stretches(self, low: str) -> Iterator[tuple[int, int]]:
        """Where the stretches to be hidden begin and end in a text in small letters."""
        start = stop = -1
        for at in self._places(low):
            if at > stop:
                if self._is_secret(low[start:stop]):
                    yield start, stop
                start = at
            stop = at + SHORTEST
        if self._is_secret(low[start:stop]):
            yield start, stop

    def _places(self, low: str) -> Iterator[int]:
        """Where pieces of the key stand, in rising order."""
        if not self._pieces:
            return
        for seed_at in range(0, len(low), _STEP):
            if low[seed_at : seed_at + _SEED] in self._seeds:
                first = seed_at - (SHORTEST - _SEED)
                yield from (at for at in range(max(0, first), seed_at + 1) if low[at : at + SHORTEST] in self._pieces)

    def _is_secret(self, stretch: str) -> bool:
        return bool(stretch) and stretch.strip(_SEPARATORS) not in self._words

    def __repr__(self) -> str:
        return "Secret(***)"

    __str__ = __repr__


def _words(key: str) -> Iterator[str]:
    """The words between separators of a key, in small letters; what mixes cases or holds digits is none."""
    for part in re.split("[^A-Za-z0-9]", key):
        if re.fullmatch("[A-Z]?[a-z]+|[A-Z]+", part) and len(part) <= _LONGEST_WORD:
            yield part.translate(_LOWER)


def bare_url(url: str) -> str:
    """A server's address without what may be a secret: user, password, query and fragment.

    >>> bare_url("http://me:pass@localhost:8000/v1/?key=1")
    'http://localhost:8000/v1'
    """
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", ""))
