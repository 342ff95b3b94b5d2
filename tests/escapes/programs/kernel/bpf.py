"""Loads programs into the kernel."""

# /// expect
# each = "EPERM"
# ///

import ctypes

say(syscall("bpf", 0, ctypes.create_string_buffer(128), 128))
say(syscall("bpf", 5, ctypes.create_string_buffer(128), 128))
say(syscall("bpf", 18, ctypes.create_string_buffer(128), 128))
