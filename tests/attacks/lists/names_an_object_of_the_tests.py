# forbidden
# Its reply names an object of the judge's that it was never given.

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
    say(b"(" + struct.pack("<I", 2) + codec.encode("ok") + codec.reference(0))
    os._exit(0)
