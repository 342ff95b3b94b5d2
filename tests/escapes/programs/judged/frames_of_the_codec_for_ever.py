"""Sends well-made replies without end."""

# /// expect
# outcome = "forbidden|time_limit|wrong_answer"
# ///

import os
import sys


def f(x):
    frame = sys._getframe(1).f_globals["codec"].encode(("ok", x))
    while True:
        os.write(3, len(frame).to_bytes(4, "little") + frame)
