"""Leaves dead children lying, which count as well."""

# /// expect
# says = ["EAGAIN"]
# limits = { time_s = 10, cpu_s = 20 }
# L2.says = ["EPERM"]
# ///

import os


def fill():
    while True:
        if os.fork() == 0:
            os._exit(0)


say(attempt(fill))
