# forbidden wrong_answer runtime_error time_limit
# A thread answers over and over, so that one of its answers may come at the right time.

import os
import sys

frame = sys._getframe()
while "codec" not in frame.f_globals:
    frame = frame.f_back
codec = frame.f_globals["codec"]


def say(*replies):
    for reply in replies:
        data = reply if isinstance(reply, bytes) else codec.encode(reply)
        os.write(3, len(data).to_bytes(4, "little") + data)


import threading


def over():
    while True:
        say(("ok", [2, 3]), ("ok", [6]))


threading.Thread(target=over, daemon=True).start()


def f(x):
    return None
