"""Works for ever, deaf to all signals."""

# /// expect
# ends = "time|cpu"
# alone.limits.ends = "time|cpu"
# limits = { time_s = 0.3 }
# ///

import signal

for number in {*range(1, 32)} - {9, 19}:
    signal.signal(number, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
while True:
    pass
