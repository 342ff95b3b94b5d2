"""Has a child raise the limits that both have."""

# /// expect
# each = "ValueError|EPERM"
# ///

import os
import resource

reader, writer = os.pipe()
try:
    pid = os.fork()
except OSError:
    say("EPERM")
else:
    if pid == 0:
        os.write(writer, attempt(lambda: resource.setrlimit(resource.RLIMIT_DATA, (1 << 50, 1 << 50))).encode())
        os._exit(0)
    say(os.read(reader, 20).decode())
