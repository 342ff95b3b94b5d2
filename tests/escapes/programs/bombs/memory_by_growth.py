"""Takes memory bit by bit."""

# /// expect
# says = ["MemoryError"]
# ends = "exit 0"
# alone.limits.says = ["MemoryError"]
# limits = { memory_mib = 48 }
# ///

kept = []


def fill():
    while True:
        kept.append(bytearray(1 << 18))


outcome = attempt(fill)
kept.clear()
say(outcome)
