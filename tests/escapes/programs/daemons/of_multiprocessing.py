"""Leaves workers behind, daemons and others."""

# /// expect
# says = ["up"]
# ends = "exit 0|exit 1"
# L2.says = []
# L2.ends = "exit 1"
# ///

import multiprocessing
import os
import time

context = multiprocessing.get_context("fork")
reader, writer = os.pipe()
for daemon in (True, False):
    context.Process(target=lambda: (os.write(writer, b"up"), time.sleep(60)), daemon=daemon).start()
say(os.read(reader, 2).decode())
