"""Fills its disk with files that are small enough each."""

# /// expect
# each = "ENOSPC"
# L2.each = "EACCES|EPERM"
# ///

def fill(folder):
    for number in range(1000):
        with open(f"{folder}/{number}", "wb") as file:
            file.write(bytes(1 << 18))


say(attempt(lambda: fill("/tmp")))
say(attempt(lambda: fill("/dev/shm")))
