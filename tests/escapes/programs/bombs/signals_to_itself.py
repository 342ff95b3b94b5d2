"""Has a timer signal it as often as it can."""

# /// expect
# ends = "time|cpu"
# limits = { time_s = 0.3 }
# slow = true
# ///

import signal

signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.000001, 0.000001)
while True:
    pass
