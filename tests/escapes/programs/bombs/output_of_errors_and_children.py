"""Has its children print, on the stream for errors."""

# /// expect
# ends = "output"
# L2.ends = "exit 1"
# ///

import os
import time

for _ in range(3):
    if os.fork() == 0:
        while True:
            os.write(2, b"x" * 1000)
time.sleep(60)
