"""Makes processes by the call whose flags no filter can see."""

# /// expect
# each = "ENOSYS"
# ///

import ctypes
import struct

for flags in (0, 0x10000000, 0x20000000, 0x200000000):
    arguments = ctypes.create_string_buffer(struct.pack("11Q", flags, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0))
    say(syscall("clone3", arguments, 88))
