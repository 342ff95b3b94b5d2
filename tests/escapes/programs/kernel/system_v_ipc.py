"""Makes and looks for objects of System V IPC."""

# /// expect
# each = "EPERM"
# ///

say(syscall("shmget", 1234, 4096, 0o1666))
say(syscall("shmget", 0, 4096, 0o666))
say(syscall("shmat", 0, 0, 0))
say(syscall("semget", 1234, 1, 0o1666))
say(syscall("msgget", 1234, 0o1666))
