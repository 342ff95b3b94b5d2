"""Makes calls that no filter sees."""

# /// expect
# each = "EPERM"
# ///

import ctypes

say(syscall("io_uring_setup", 8, ctypes.create_string_buffer(256)))
say(syscall("io_uring_enter", 0, 1, 0, 0, 0, 0))
say(syscall("io_uring_register", 0, 0, 0, 0))
say(syscall("io_setup", 1, ctypes.byref(ctypes.c_long())))
