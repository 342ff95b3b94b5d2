# runtime_error wrong_answer forbidden
# It reports an exception with bases that its class does not have.

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
    say(("raised", None, ["ZeroDivisionError", "ValueError"], codec.encode(("negative", -1)), "t", 1), ("ok", -1), ("ok", -1))
    os._exit(0)
