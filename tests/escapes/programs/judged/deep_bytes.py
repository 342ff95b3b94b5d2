"""Sends the codec's own bytes for a value a million deep."""

# /// expect
# outcome = "forbidden|wrong_answer|runtime_error"
# slow = true
# ///

import os
import sys


def f(x):
    codec = sys._getframe(1).f_globals["codec"]
    once, twice = bytes(codec.encode([1])), bytes(codec.encode([[1]]))
    common = len(os.path.commonprefix([once, twice]))
    data = twice[:common] * 1_000_000
    os.write(3, len(data).to_bytes(4, "little"))
    for at in range(0, len(data), 65536):
        os.write(3, data[at : at + 65536])
    return x
