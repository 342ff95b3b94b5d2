"""Leaves dead children lying, which count as well."""

# /// expect
# says = ["EAGAIN"]
# limits = { time_s = 10, cpu_s = 20 }
# L2.says = ["EPERM"]
# ///

import os


def fill():
    while True:
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)  # so that few live at a time, on a busy machine too


say(attempt(fill))
