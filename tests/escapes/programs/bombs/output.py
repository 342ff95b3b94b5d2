"""Prints without end."""

# /// expect
# ends = "output"
# alone.limits.ends = "output"
# ///

while True:
    print("x" * 1000)
