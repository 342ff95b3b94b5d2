# runtime_error time_limit forbidden
# A frame that says that it has four gigabytes.

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
    os.write(3, b"\xff\xff\xff\xff")
    return [n + 1 for n in x]
