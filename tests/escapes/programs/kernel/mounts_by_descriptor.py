"""The same by the newer calls."""

# /// expect
# each = "EPERM"
# ///

say(syscall("open_tree", -100, "/", 1))
say(syscall("move_mount", 0, "", -100, "/tmp", 4))
say(syscall("fsopen", "tmpfs", 0))
say(syscall("fsmount", 0, 0, 0))
say(syscall("fspick", -100, "/", 0))
say(syscall("mount_setattr", -100, "/", 0x8000, bytes(32), 32))
say(syscall("quotactl_fd", 0, 0, 0, 0))
