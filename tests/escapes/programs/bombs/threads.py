"""Starts threads without end."""

# /// expect
# ends = "processes|exit 0"
# each = "RuntimeError"
# L2.ends = "processes"
# L2.says = []
# alone.limits.ends = "processes"
# alone.limits.says = []
# limits = { time_s = 10 }
# ///

import threading
import time


def fill():
    while True:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()


say(attempt(fill))
