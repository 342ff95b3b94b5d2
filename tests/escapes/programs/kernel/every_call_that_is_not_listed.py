"""Makes every call of the kernel that the readable list hasn't got, and of numbers that nobody knows yet."""

# /// expect
# each = "EPERM|ENOSYS"
# ///

import ctypes
import errno

library = ctypes.CDLL(None, use_errno=True)
library.syscall.restype = ctypes.c_long
words = set()
PROBES = {335, 336}  # uretprobe and uprobe end who calls them by himself, and no filter sees them
for number in {*range(1024)} - {*there["listed"]} - PROBES:
    result = library.syscall(ctypes.c_long(number), *[ctypes.c_long(-1)] * 6)
    words.add("EPERM" if result < 0 and ctypes.get_errno() == 1 else "ENOSYS" if result < 0 and ctypes.get_errno() == 38 else f"{number} {result}")
for word in words:
    say(word)
