# wrong_answer forbidden
# A child answers first, with something else.

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
    if os.fork() == 0:
        say(("ok", [2, 3]))
        os._exit(0)
    os.wait()
    return []
