"""The same, each in a group and session of its own, deaf to all signals."""

# /// expect
# ends = "processes"
# L2.ends = "cpu|time"
# limits = { time_s = 2, cpu_s = 0.3 }
# slow = true
# ///

import os
import signal

for number in {*range(1, 32)} - {9, 19}:
    attempt(lambda: signal.signal(number, signal.SIG_IGN))
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
while True:
    if attempt(os.fork) == "done":
        attempt(os.setsid)
