"""Ends with as many processes as it may have, each of them forking."""

# /// expect
# says = ["up"]
# limits = { time_s = 10, cpu_s = 20 }
# L2.says = []
# L2.ends = "exit 1"
# ///

import os

reader, writer = os.pipe()
if os.fork() == 0:
    os.setsid()
    for _ in range(20):
        attempt(os.fork)
    os.write(writer, b"up")
    while True:
        attempt(os.fork)
say(os.read(reader, 2).decode())
