"""The key of a model server, which may stand in no file, log, manifest or traceback.

What holds: the key leaves this object only on its way to the client library; whatever a server says goes through `hide` before anybody sees
it, since servers repeat keys in their errors. Its text is a star, so that printing it by mistake shows nothing.
"""

from __future__ import annotations

import os
from urllib.parse import urlsplit, urlunsplit

from assay.errors import SettingsError

SHORTEST = 8
"""Shorter ones are no secrets but what local servers are given to have something (`x`, `EMPTY`)."""

PLACEHOLDER = "none"
"""What a server of one's own gets where there is no key: the client library wants one."""


class Secret:
    """A key; `Secret.from_environment` reads it."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

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
        """The text with stars where it holds the key.

        >>> Secret("sk-12345678").hide("Incorrect API key provided: sk-12345678.")
        'Incorrect API key provided: ***.'
        """
        return text if len(self._value) < SHORTEST else text.replace(self._value, "***")

    def hide_in(self, body: bytes) -> bytes:
        """The same for the body of a reply: a server that echoes requests would write the key into an answer."""
        return body if len(self._value) < SHORTEST else body.replace(self._value.encode("ascii"), b"***")

    def __repr__(self) -> str:
        return "Secret(***)"

    __str__ = __repr__


def bare_url(url: str) -> str:
    """A server's address without what may be a secret: user, password, query and fragment.

    >>> bare_url("http://me:pass@localhost:8000/v1/?key=1")
    'http://localhost:8000/v1'
    """
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", ""))
