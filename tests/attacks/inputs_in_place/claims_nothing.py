# wrong_answer forbidden
# It tells of changes that are none, or are no list.

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
    say(("ok", None, []), ("ok", None, {}), ("ok", None, [(0, "")]))
    os._exit(0)
