"""Takes pages that the machine holds ready for others."""

# /// expect
# each = "ENOMEM|EPERM|MemoryError"
# ///

import mmap

MAP_HUGETLB = 0x40000
for flags in (mmap.MAP_PRIVATE, mmap.MAP_SHARED):
    say(attempt(lambda: mmap.mmap(-1, 1 << 30, flags=flags | mmap.MAP_ANONYMOUS | MAP_HUGETLB)))
