"""Sets the machine's clocks."""

# /// expect
# each = "EPERM"
# ///

import ctypes

say(syscall("settimeofday", bytes(16), 0))
say(syscall("clock_settime", 0, bytes(16)))
say(syscall("adjtimex", ctypes.create_string_buffer(256)))
say(syscall("clock_adjtime", 0, ctypes.create_string_buffer(256)))
