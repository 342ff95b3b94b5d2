"""Looks through its memory for what the bystander holds in its own, and has printed."""

# /// expect
# says = [false, true]
# limits = { time_s = 10, cpu_s = 10 }
# slow = true
# ///

import ctypes
import os

reader, writer = os.pipe()
parts = [part.encode() for part in there["bystander"]]  # apart, or the search would find itself


def pages():  # round old and new objects of every size: wherever this process keeps any
    old = [id(thing) for thing in (parts, os, print, ctypes)]
    homes = {at >> 24 for at in old + [id(bytes(2**n)) for n in range(24)] + [id(object()) for _ in range(1000)]}
    return sorted({page for home in homes for page in range((home - 1) << 24, (home + 2) << 24, 4096)})


def holds():
    library = ctypes.CDLL(None)
    for page in pages():
        if library.write(writer, ctypes.c_void_p(page), 4096) == 4096:  # an error where there is no memory
            found = os.read(reader, 4096)
            if any(rest.startswith(b" " + parts[1]) for rest in found.split(parts[0])[1:]):
                return True
    return False


say(holds())
kept = b" ".join(parts)
say(holds())
