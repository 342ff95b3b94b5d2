"""Hopes to be somebody of importance, here or on the host."""

# /// expect
# says = [true, true, "EPERM"]
# ///

import os

ids = {*os.getresuid(), *os.getresgid()}
own = {range(1000, 1064)} if there["jailed"] else {range(60_000, 70_000)}
say(all(any(number in some for some in own) for number in ids))
say(set(os.getgroups()) <= {65534})
say(attempt(lambda: os.setuid(0)))
