"""Takes memory bit by bit."""

# /// expect
# ends = "memory"
# alone.limits.ends = "memory"
# limits = { memory_mib = 48, time_s = 10 }
# ///

kept = []
while True:
    kept.append(bytearray(1 << 18))
