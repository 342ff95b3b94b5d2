"""Has children work, who stay within the limit each, and disowns them."""

# /// expect
# ends = "cpu|time"
# limits = { time_s = 5, cpu_s = 0.4 }
# L2.ends = "exit 1"
# slow = true
# ///

import os
import time

for _ in range(3):
    if os.fork() == 0:
        if os.fork() == 0:
            os.setsid()
            while True:
                pass
        os._exit(0)
time.sleep(60)
