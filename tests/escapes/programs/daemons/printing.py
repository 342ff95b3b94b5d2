"""Leaves one behind that holds the output open and goes on printing."""

# /// expect
# says = ["up"]
# L2.says = []
# L2.ends = "exit 1"
# ///

import os
import time

reader, writer = os.pipe()
if os.fork() == 0:
    os.write(writer, b"up")
    while True:
        attempt(lambda: os.write(1, b"still here\n"))
        time.sleep(0.001)
say(os.read(reader, 2).decode())
