"""Sleeps for ever."""

# /// expect
# ends = "time"
# alone.limits.ends = "time"
# limits = { time_s = 0.2 }
# ///

import time

time.sleep(3600)
