"""Stops itself, and its children."""

# /// expect
# ends = "time"
# limits = { time_s = 0.3 }
# L2.ends = "exit 1"
# ///

import os
import signal

if os.fork() == 0:
    os.kill(os.getpid(), signal.SIGSTOP)
os.kill(os.getpid(), signal.SIGSTOP)
say("went on")
