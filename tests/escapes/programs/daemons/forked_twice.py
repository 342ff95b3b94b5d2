"""Leaves a process behind, in a session of its own, as daemons do."""

# /// expect
# says = ["up"]
# L2.says = []
# L2.ends = "exit 1"
# ///

import os
import time

reader, writer = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(writer, b"up")
        time.sleep(60)
    os._exit(0)
say(os.read(reader, 2).decode())
