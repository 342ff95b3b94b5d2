# wrong_answer forbidden runtime_error
# A copied value whose handle is that of an exception class.

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


def f(x):
    h = codec.handle(7, "exception", "E", "ValueError")
    value = b"v" + h + codec.encode("__eq__ __add__")[1:] + codec.encode([0])
    say(b"(" + struct.pack("<I", 2) + codec.encode("ok") + value)
    os._exit(0)
