"""Raises its own limits."""

# /// expect
# each = "ValueError|EPERM"
# ///

import resource

for name in ("AS", "DATA", "NOFILE", "CPU", "FSIZE", "CORE", "STACK"):
    kind = getattr(resource, f"RLIMIT_{name}")
    _, hard = resource.getrlimit(kind)
    say(attempt(lambda: resource.setrlimit(kind, (hard, hard + 1))))
    say(attempt(lambda: resource.prlimit(0, kind, (hard, 1 << 50))))
    say(syscall("setrlimit", kind, bytes(16)))
