# wrong_answer forbidden runtime_error
# It calls back with names that are no texts and arguments that are no tuple.

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




def f(g, x):
    say(("callback", 0, (1,), ((5, 6),)), ("callback", 0, [1], ()), ("ok", [2, 4]))
    os._exit(0)
