# wrong_answer forbidden
# It answers the calls from last to first.

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


kept = []


def f(x):
    kept.append(codec.encode(("ok", [n + 1 for n in x])))
    if len(kept) == 3:
        say(*kept[::-1])
        os._exit(0)
    agent = sys._getframe(1).f_locals["self"]
    agent.send_bytes = lambda *_, **__: None
