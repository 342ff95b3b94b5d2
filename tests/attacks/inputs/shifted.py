# wrong_answer runtime_error forbidden time_limit
# It sends no answer to the first call, so that each answer stands one place early.

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




def f(n):
    agent = sys._getframe(1).f_locals["self"]
    if n == 3:
        agent.send_bytes = lambda *_, **__: None
    else:
        agent.__dict__.pop("send_bytes", None)
    return [k * k for k in range(n)], n % 2 == 0
