"""Answers what it will be asked, and what it won't, before it is asked."""

# /// expect
# outcome = "forbidden|wrong_answer"
# ///

import os


def say(data):
    for number in range(3, 20):
        try:
            os.write(number, data)
        except OSError:
            pass


def f(x):
    import sys

    codec = sys._getframe(1).f_globals["codec"]
    frame = codec.encode(("ok", x))
    for _ in range(100):
        say(len(frame).to_bytes(4, "little") + frame)
    return x
