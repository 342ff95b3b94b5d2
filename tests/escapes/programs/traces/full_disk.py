"""Leaves a full disk."""

# /// expect
# each = "ENOSPC|EFBIG"
# L2.each = "EACCES|EPERM|ENOENT"
# ///

def fill(name):
    with open(name, "wb", buffering=0) as file:
        while file.write(bytes(4096)) == 4096:
            pass
        raise OSError(28, "full")


for name in ("/tmp/1", "/dev/shm/2", "/tmp/3"):
    say(attempt(lambda: fill(name)))
