"""One try of a request: the HTTP client that the `openai` client sends with, which knows when a try is over.

What holds: a try ends within its time, counted from when its turn has come to the last byte, whatever the server sends meanwhile: the HTTP
client's own time limits begin anew with each byte. It raises the HTTP library's own errors, so that the `openai` client tries again as it
would by itself. No redirect is followed: whoever answers is who was asked.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import anyio

from assay.errors import ModelError
from assay.models.secret import Secret, bare_url

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_ENDS = "assay_ends_s"
"""Where a response says when its try is over, on the event loop's clock."""
_PATHS = ("/chat/completions", "/completions")
"""What the client adds to the address of a server."""


def http_client(
    openai: Any, timeout_s: float, turn: Callable[[], Awaitable[None]], unreached: Callable[[], None]
) -> Any:
    """An HTTP client for `openai.AsyncOpenAI` whose tries end in time.

    Args:
        openai: The package.
        timeout_s: How long a try may take in all.
        turn: Returns when a try may start.
        unreached: Is told if there is no connection at the very first try.
    """
    usual: Any = openai.DefaultAsyncHttpxClient
    # The library under it is another one by the client's release.
    library: Any = sys.modules[usual.__mro__[1].__module__.partition(".")[0]]

    class Client(usual):  # type: ignore[misc]  # its base differs by the release of the client
        is_first = True

        async def send(self, request: Any, **how: Any) -> Any:
            await turn()
            try:
                return await self._within_time(request, how)
            except TimeoutError:
                raise library.ReadTimeout("the try took too long", request=request) from None
            except library.ConnectError:
                if self.is_first:
                    unreached()
                raise
            finally:
                self.is_first = False

        async def _within_time(self, request: Any, how: dict[str, Any]) -> Any:
            ends_s = anyio.current_time() + timeout_s
            with anyio.fail_after(timeout_s):
                response = await super().send(request, **how)
                if not response.is_success:
                    await response.aread()  # the client would, without any limit
            response.extensions[_ENDS] = ends_s
            return response

    return Client(timeout=timeout_s, follow_redirects=False)


def seconds_left(response: Any) -> float:
    """How long the try that a response belongs to may still take, in seconds."""
    ends_s: float = response.extensions[_ENDS]
    return max(0.0, ends_s - anyio.current_time())


def redirect_of(response: Any, key: Secret) -> ModelError | None:
    """The error of a server that leads elsewhere; None where it doesn't. What it says is told without the key, users and queries."""
    if not response.has_redirect_location:
        return None
    try:
        leads_to = bare_url(str(response.url.join(response.headers["location"])))
    except Exception:  # noqa: BLE001 (no address at all: the library's errors differ by its release)
        return ModelError(f"the server leads elsewhere ({response.status_code}), to no address", fatal=True)
    shown = key.hide(leads_to)
    address = next((shown.removesuffix(path) for path in _PATHS if shown.endswith(path)), shown)
    return ModelError(
        f"the server leads to {shown} ({response.status_code}), and is not followed there",
        status=response.status_code,
        fatal=True,
        hint=f"if that is the server that you mean: --base-url {address}",
    )
