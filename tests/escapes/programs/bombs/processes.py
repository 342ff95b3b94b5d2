"""Forks, and its children fork, for ever."""

# /// expect
# ends = "processes"
# L2.ends = "cpu|time"
# limits = { time_s = 2, cpu_s = 0.3 }
# ///

import os

while True:
    attempt(os.fork)
