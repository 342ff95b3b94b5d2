"""Starts threads without end."""

# /// expect
# says = ["RuntimeError"]
# limits = { memory_mib = 512 }
# L2.says = ["RuntimeError|MemoryError"]
# ///

import threading
import time


def fill():
    while True:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()


say(attempt(fill))
