"""Is killed for its time while its heirs are deaf and busy."""

# /// expect
# ends = "time|cpu"
# limits = { time_s = 0.3, cpu_s = 0.6 }
# L2.ends = "exit 1"
# ///

import os
import signal
import time

for _ in range(5):
    if os.fork() == 0:
        os.setsid()
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
        while True:
            time.sleep(0.001)
time.sleep(60)
