"""What a person is told who waits before there is anything to count: one line for each thing that lasts.

Keeps true: what is quick says nothing, so that an error that comes at once stands alone.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Self

from assay.cli.streams import say

if TYPE_CHECKING:
    from collections.abc import Callable

AFTER_S = 2.0
"""What lasts longer is told; at 0 everything is, at once."""


class Waiting:
    """Says what is waited for, if it lasts; a context manager that says no more at its end.

    Args:
        tell: Is given the line, in a thread of its own.
    """

    def __init__(self, tell: Callable[[str], None] = say) -> None:
        self._tell = tell
        self._timer: threading.Timer | None = None

    def on(self, what: str) -> Self:
        """Something begins, and what was waited for before is over."""
        self.over()
        if not AFTER_S:
            self._tell(what)
            return self
        self._timer = threading.Timer(AFTER_S, self._tell, (what,))
        self._timer.daemon = True
        self._timer.start()
        return self

    def over(self) -> None:
        """Nothing is waited for any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.over()
