"""Ends while as many processes as the kernel lets it have fork."""

# /// expect
# ends = "exit 0|processes"
# each = "up"
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
