"""Works in threads on all processors at once: the run delay of one says nothing about the others."""

# /// expect
# ends = "cpu|time"
# limits = { time_s = 5, cpu_s = 0.4 }
# slow = true
# ///

import hashlib
import threading


def work():
    while True:
        hashlib.sha256(bytes(1 << 20)).digest()


for _ in range(5):
    threading.Thread(target=work, daemon=True).start()
work()
