# wrong_answer
# It answers all calls by itself and is gone before anybody has asked.

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


say(LOADED, ("ok", []), ("ok", []), ("ok", []))
os._exit(0)
