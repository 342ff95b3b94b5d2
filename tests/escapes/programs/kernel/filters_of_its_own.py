"""Puts filters and rules of its own on itself, to steer what comes after."""

# /// expect
# each = "EPERM"
# ///

say(syscall("seccomp", 0, 0, 0))
say(syscall("seccomp", 1, 8, 0))
say(syscall("seccomp", 2, 0, 0))
say(syscall("landlock_create_ruleset", 0, 0, 1))
say(syscall("prctl", 22, 2, 0, 0, 0))
