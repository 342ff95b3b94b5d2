"""Makes more timers than anybody needs."""

# /// expect
# says = ["EAGAIN|ENOMEM", "done"]
# alone.limits.says = ["EAGAIN|ENOMEM", "done"]
# ///

import ctypes
import signal

number, outcome = ctypes.c_int(), "done"
library = ctypes.CDLL(None, use_errno=True)
library.syscall.restype = ctypes.c_long
for _ in range(50_000):
    if library.syscall(222, 1, None, ctypes.byref(number)) < 0:
        outcome = {11: "EAGAIN", 12: "ENOMEM"}.get(ctypes.get_errno(), ctypes.get_errno())
        break
say(outcome)
say(attempt(lambda: signal.setitimer(signal.ITIMER_REAL, 1000, 0.001)))
