"""Takes a lease on a library, which holds up whoever wants to write to it."""

# /// expect
# each = "EPERM|EACCES"
# ///

import fcntl
import os

with open(os.__file__) as library:
    say(attempt(lambda: fcntl.fcntl(library, fcntl.F_SETLEASE, fcntl.F_RDLCK)))
