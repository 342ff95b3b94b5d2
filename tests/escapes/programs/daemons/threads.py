"""Ends while its threads work on."""

# /// expect
# says = ["up"]
# ///

import threading
import time


def work():
    while True:
        time.sleep(0.0001)


for _ in range(4):
    threading.Thread(target=work).start()
say("up")
