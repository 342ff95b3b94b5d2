"""Leaves one behind that goes on talking over the session."""

# /// expect
# each = "up"
# ends = "exit 0|time"
# limits = { time_s = 0.5 }
# L2.each = "EPERM"
# ///

import os

try:
    pid = os.fork()
except OSError:
    say("EPERM")
else:
    while pid == 0:
        say("up")
    say("up")
