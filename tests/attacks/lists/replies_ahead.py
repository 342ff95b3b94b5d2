# forbidden wrong_answer time_limit
# It answers all calls by itself while it is loaded, with what it was asked, and lives on.

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


say(LOADED, ("ok", [1, 2]), ("ok", [5]), ("ok", [7, 7, 7]))


def f(x):
    import time

    time.sleep(60)
