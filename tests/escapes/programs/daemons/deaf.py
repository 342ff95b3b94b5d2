"""Leaves one behind that no signal but the last can end."""

# /// expect
# says = ["up"]
# L2.says = []
# L2.ends = "exit 1"
# ///

import os
import signal
import time

reader, writer = os.pipe()
if os.fork() == 0:
    for number in {*range(1, 32)} - {9, 19}:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    os.write(writer, b"up")
    while True:
        time.sleep(60)
say(os.read(reader, 2).decode())
