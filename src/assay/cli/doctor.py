"""`assay doctor`: how well this machine can isolate, found by doing it."""

from __future__ import annotations

import re
from typing import Annotated

from assay.cli.flags import Switch
from assay.cli.table import draw_table, wrap_text
from assay.cli.terminal import put, put_json
from assay.sandbox.doctor import probe

LEVELS = {
    "L5": "a virtual machine or gVisor round the worker",
    "L4": "namespaces, a private root and separate users for worker and sample",
    "L3": "namespaces and a private root, set up by an ordinary user",
    "L2": "no network, no other files and no processes, by Landlock and seccomp without namespaces",
    "L1": "resource limits only",
    "L0": "nothing",
}
ENOUGH = ("L2", "L3", "L4", "L5")


def show_doctor(*, json: Annotated[bool, Switch] = False) -> int:
    """Show at which level this machine isolates samples, which layers are missing, and how to get them.

    Each layer is tried in a process that is thrown away. Exit status 2 below level L2, where judging is refused.

    Args:
        json: Print one JSON object.
    """
    found = probe()
    if json:
        layers = [
            {"name": layer.name, "works": layer.works, "why": layer.why, "remedy": layer.remedy}
            for layer in found.layers
        ]
        put_json({"level": found.level, "host": str(found.host), "layers": layers})
    else:
        rows = [(layer.name, "yes" if layer.works else "no", _in_words(layer.why)) for layer in found.layers]
        put(wrap_text(f"This machine isolates at level {found.level}: {LEVELS[found.level]}.") + "\n\n")
        put(draw_table(("layer", "works", "why"), rows))
        missing = [layer for layer in found.layers if not layer.works and layer.remedy]
        if missing:
            put(f"\nThis is {found.host}.\n")
        for layer in missing:
            put(wrap_text(f"- To get {layer.name}: {layer.remedy}"))
    return 0 if found.level in ENOUGH else 2


def _in_words(why: str) -> str:
    """The kernel's words without its numbers; two reports that follow each other are parted.

    >>> _in_words("[Errno 1] Operation not permitted[Errno 13] can't read it")
    "Operation not permitted; can't read it"
    """
    return "; ".join(part.strip() for part in re.split(r"\[Errno -?\d+\]", why) if part.strip())
