"""Has a thread answer in the call's place, after it and before the next."""

# /// expect
# outcome = "forbidden|wrong_answer|runtime_error|time_limit"
# ///

import os
import sys
import threading


def f(x):
    frame = sys._getframe(1).f_globals["codec"].encode(("ok", x))

    def answer():
        for _ in range(10):
            os.write(3, len(frame).to_bytes(4, "little") + frame)

    threading.Thread(target=answer).start()
    return x
