"""Each of its processes keeps within the limit; together they take a multiple of it."""

# /// expect
# ends = "memory"
# limits = { memory_mib = 48, time_s = 10 }
# L2.ends = "exit 1"
# ///

import os
import time

for _ in range(6):
    if os.fork() == 0:
        kept = b"x" * (36 << 20)
        time.sleep(60)
time.sleep(60)
