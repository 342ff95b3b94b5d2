# wrong_answer forbidden
# One handle is first a function, then an object, then an exception.

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


import struct

kinds = ["object", "exception", "iterator"]


def f(x):
    h = codec.handle(0, kinds.pop(0), "ValueError", "ValueError")
    say(b"(" + struct.pack("<I", 2) + codec.encode("ok") + h)
    if not kinds:
        os._exit(0)
    agent = sys._getframe(1).f_locals["self"]
    agent.send_bytes = lambda *_, **__: None
