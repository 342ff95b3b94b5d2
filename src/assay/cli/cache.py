"""`assay cache`: what is kept for later runs."""

from __future__ import annotations

import os
from typing import Annotated, Literal

from assay.cli.flags import Switch
from assay.cli.terminal import put, put_json
from assay.counts import count_of
from assay.store import Cache, CacheSize, cache_folder

NOTHING = CacheSize(0, 0)


def show_cache(action: Literal["list", "clear"] = "list", /, *, json: Annotated[bool, Switch] = False) -> None:
    """Show what earlier runs have kept for later ones, or take it away.

    What a reference told about its problem is kept, so that the same problem can be judged again without running it. The folder is
    `$XDG_CACHE_HOME/assay` or `~/.cache/assay`; the environment variable ASSAY_CACHE names another one, or turns it `off`. What was not
    used for longest goes first when there is more than 512 MiB.

    Args:
        action: `list` shows how much there is, `clear` takes it away.
        json: Print one JSON object.
    """
    folder = cache_folder(os.environ)
    if folder is None:
        found = NOTHING
    else:
        cache = Cache(folder)
        found = cache.clear() if action == "clear" else cache.size()
    word = "taken away" if action == "clear" else "kept"
    if json:
        place = None if folder is None else os.fspath(folder)
        put_json({"folder": place, word.replace(" ", "_"): {"calibrations": found.entries, "bytes": found.bytes}})
    elif folder is None:
        put("Nothing is kept: ASSAY_CACHE turns it off, or there is no home folder.")
    else:
        put(f"{folder}: {count_of(found.entries, 'calibration')} {word}, {found.bytes / 2**20:,.1f} MiB")
