"""How a sample file that is there goes on where the user does not say how its answers are drawn.

Keeps true: the usual temperature follows from how many answers are wanted, but a file that is taken up again for another number of them
keeps the temperature that it was drawn with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from assay.cli.terminal import say
from assay.models import CANNED, split_name
from assay.store import LogPaths, read_generation

if TYPE_CHECKING:
    from assay.cli.asking_flags import Drawing
    from assay.records import Generation, Sampling


def sampling_to_go_on(path: str, drawing: Drawing, usual: Sampling) -> Sampling:
    """How further answers of a file are drawn: at its own temperature where the user gave none and that makes sense.

    It makes none where one answer a problem was drawn at temperature 0 and several are wanted now: the file is then refused, with what
    `--temperature 0` would mean.

    Args:
        path: The sample file, whether it is there or not.
        drawing: What the user says.
        usual: What that means for a new file.

    Raises:
        StoreError: What lies beside the file can't be read.
    """
    stored = read_generation(LogPaths.beside(path).generation)
    if stored is None or not _leaves_it_open(drawing) or stored.sampling.temperature == usual.temperature:
        return usual
    if _would_be_alike(stored, drawing):
        return usual
    heat = stored.sampling.temperature
    told = "the server's temperature" if heat is None else f"temperature {heat:g}"
    say(f"{told}, at which the answers in {path} were drawn")
    return msgspec.structs.replace(usual, temperature=heat)


def _leaves_it_open(drawing: Drawing) -> bool:
    return drawing.temperature is None and split_name(drawing.model)[0] not in CANNED


def _would_be_alike(stored: Generation, drawing: Drawing) -> bool:
    return stored.sampling.temperature == 0 and stored.per_problem == 1 < drawing.samples
