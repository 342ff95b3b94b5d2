# wrong_answer forbidden
# A packed list whose truth values are neither, and whose numbers are of an unknown type.

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


def f(n):
    body = b"(" + struct.pack("<I", 2) + codec.encode("ok") + b"(" + struct.pack("<I", 2)
    packed = b"M" + struct.pack("<I", n) + b"?" * n + bytes([2]) * n
    data = body + packed + b"T"
    os.write(3, len(data).to_bytes(4, "little") + data)
    agent = sys._getframe(1).f_locals["self"]
    agent.send_bytes = lambda *_, **__: None
    if n == 1:
        os._exit(0)
