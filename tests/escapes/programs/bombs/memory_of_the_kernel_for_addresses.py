"""Reads from far apart in a mapping that holds nothing: the kernel's tables alone take the memory."""

# /// expect
# ends = "memory"
# limits = { memory_mib = 24, time_s = 10 }
# ///

import mmap
import time

room = mmap.mmap(-1, 40 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ)
attempt(lambda: room.madvise(15))  # MADV_NOHUGEPAGE
for at in range(0, len(room), 1 << 21):
    room[at]
time.sleep(60)
