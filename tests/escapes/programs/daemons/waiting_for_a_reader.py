"""Leaves one behind that sits in the kernel, in an open() that never returns."""

# /// expect
# says = ["up"]
# L2.says = []
# L2.ends = "exit 1"
# ///

import os

os.mkfifo("/tmp/fifo") if there["jailed"] else None
reader, writer = os.pipe()
if os.fork() == 0:
    os.write(writer, b"up")
    open("/tmp/fifo")
say(os.read(reader, 2).decode())
