# wrong_answer runtime_error
# A trace function jumps over the line that sends, and sets locals of the frames below.

import sys


def trace(frame, event, argument):
    if "result" in frame.f_locals:
        frame.f_locals["result"] = [2, 3]
    if event == "line" and frame.f_code.co_name in ("answer", "send_bytes"):
        try:
            frame.f_lineno += 1
        except ValueError:
            pass
    return trace


sys.settrace(trace)
frame = sys._getframe()
while frame:
    frame.f_trace = trace
    frame = frame.f_back


def f(x):
    return None
