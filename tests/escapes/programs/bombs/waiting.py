"""Waits for what never comes, in ways that no signal of its own ends."""

# /// expect
# ends = "time"
# alone.limits.ends = "time"
# limits = { time_s = 0.2 }
# ///

import signal
import threading

signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
lock = threading.Lock()
lock.acquire()
lock.acquire()
