# wrong_answer forbidden
# Its reply names containers of the judge's by number: the argument, and ones beyond it.

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

count = 0


def f(x):
    global count
    x[:] = [n + 1 for n in x][:count]
    count += 1
    agent = sys._getframe(1).f_locals["self"]
    agent.encoder = lambda known=(): type("E", (), {"encode": lambda *_: b"(" + struct.pack("<I", 2) + codec.encode("ok") + b"r" + struct.pack("<I", count)})()
    return x
