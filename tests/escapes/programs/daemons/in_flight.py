"""Each forks and ends at once, so that whoever looks for the living finds the dead."""

# /// expect
# says = ["up"]
# ends = "exit 0|processes"
# L2.says = []
# L2.ends = "exit 1"
# ///

import os

reader, writer = os.pipe()
if os.fork() == 0:
    os.setsid()
    os.write(writer, b"up")
    while True:
        if attempt(os.fork) == "done" and os.getpid() % 2:
            os._exit(0)
say(os.read(reader, 2).decode())
