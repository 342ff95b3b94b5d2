"""Locks memory, moves it between nodes, marks it with keys."""

# /// expect
# each = "EPERM"
# ///

say(syscall("mlock", 0, 4096))
say(syscall("mlockall", 1))
say(syscall("mbind", 0, 4096, 0, 0, 0, 0))
say(syscall("set_mempolicy", 0, 0, 0))
say(syscall("migrate_pages", 0, 0, 0, 0))
say(syscall("move_pages", 0, 0, 0, 0, 0, 0))
say(syscall("remap_file_pages", 0, 4096, 0, 0, 0))
say(syscall("pkey_alloc", 0, 0))
