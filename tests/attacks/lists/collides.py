# forbidden
# A set of numbers whose hashes collide: few bytes, and whoever decodes them is held up for a time that grows with the square of their number.

import os
import sys

frame = sys._getframe()
while "codec" not in frame.f_globals:
    frame = frame.f_back
codec = frame.f_globals["codec"]


def f(x):
    numbers = [codec.encode(n * (2**61 - 1)) for n in range(1, 40_000)]
    data = codec.encode(("ok", 0))[:-9] + b"S" + len(numbers).to_bytes(4, "little") + b"".join(numbers)
    os.write(3, len(data).to_bytes(4, "little"))
    while data:
        data = data[os.write(3, data) :]
    os._exit(0)
