"""Its children write to what they inherited, so that each has a copy."""

# /// expect
# ends = "memory"
# limits = { memory_mib = 48, time_s = 10 }
# L2.ends = "exit 1"
# slow = true
# ///

import os
import time

kept = bytearray(36 << 20)
for _ in range(6):
    if os.fork() == 0:
        for at in range(0, len(kept), 4096):
            kept[at] = 1
        time.sleep(60)
time.sleep(60)
