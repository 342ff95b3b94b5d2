"""Calls what the judge never gave it, and asks for operations."""

# /// expect
# outcome = "forbidden|runtime_error|wrong_answer"
# ///

import os
import sys


def f(x):
    codec = sys._getframe(1).f_globals["codec"]
    for asked in (("callback", 0, (1,), ()), ("callback", -1, (), ()), ("load", "", "", (), 0, b""), ("op", "eq", 0, b"")):
        frame = codec.encode(asked)
        os.write(3, len(frame).to_bytes(4, "little") + frame)
    return x
