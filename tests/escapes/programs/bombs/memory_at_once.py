"""Takes more memory at once than any machine has."""

# /// expect
# each = "MemoryError|OverflowError"
# alone.limits.each = "MemoryError|OverflowError"
# ///

say(attempt(lambda: bytearray(1 << 46)))
say(attempt(lambda: [0] * (1 << 40)))
say(attempt(lambda: "x" * (1 << 62)))
say(attempt(lambda: 1 << (1 << 40)))
