# forbidden wrong_answer time_limit
# It sends to every descriptor what a judge fork reports to the engine.

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




def f(x):
    data = codec.encode(("report", {"letters": ("P", "P", "P"), "failure": None, "ended": None}))
    for fd in range(3, 256):
        try:
            os.write(fd, len(data).to_bytes(4, "little") + data)
        except OSError:
            pass
    return 0
