"""Forks when it is about to end: at exit, and in the last object's end."""

# /// expect
# says = ["up"]
# ///

import atexit
import os
import sys
import time


class Last:
    def __del__(self):
        if os.fork() == 0:
            time.sleep(60)


def leave():
    if os.fork() == 0:
        time.sleep(60)


atexit.register(leave)
sys.last = Last()
say("up")
attempt(leave)
