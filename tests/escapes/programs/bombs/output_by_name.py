"""Prints through every name of a stream."""

# /// expect
# each = "done|ENOENT|EACCES|ENXIO|EPERM|EROFS"
# L2.says = []
# L2.ends = "output"
# ///

for name in ("/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/2", "/proc/self/fd/1", "/dev/tty", "/dev/console"):
    say(attempt(lambda: open(name, "w").write("x" * (1 << 20))))
