# wrong_answer runtime_error
# It answers at the end of the process, when its time is over.

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


LOADED = codec.Encoder(opaque=lambda o: codec.handle(0, "callable", "f")).encode(("loaded", {"f": len}))


import atexit

atexit.register(lambda: say(("ok", [2, 3]), ("ok", []), ("ok", [])))


def f(x):
    sys.exit(0)
