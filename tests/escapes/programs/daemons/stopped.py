"""Leaves one behind that is stopped, and so can't act on a signal."""

# /// expect
# says = ["up"]
# L2.says = []
# L2.ends = "exit 1"
# ///

import os
import signal

pid = os.fork()
if pid == 0:
    os.kill(os.getpid(), signal.SIGSTOP)
os.waitpid(pid, os.WUNTRACED)
say("up")
