"""Measures the machine, and what others do on it."""

# /// expect
# each = "EPERM"
# ///

import ctypes

say(syscall("perf_event_open", ctypes.create_string_buffer(128), 0, -1, -1, 0))
say(syscall("perf_event_open", ctypes.create_string_buffer(128), -1, 0, -1, 0))
