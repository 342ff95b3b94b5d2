"""Fills a shared mapping, which no resource limit counts."""

# /// expect
# ends = "memory"
# alone.limits.ends = "memory"
# limits = { memory_mib = 48, time_s = 10 }
# ///

import mmap
import time

room = mmap.mmap(-1, 1 << 28)
for at in range(0, 96 << 20, 4096):
    room[at] = 1
time.sleep(60)
