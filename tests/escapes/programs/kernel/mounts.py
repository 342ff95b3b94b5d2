"""Mounts, moves and unmounts."""

# /// expect
# each = "EPERM"
# ///

say(syscall("mount", "none", "/tmp", "tmpfs", 0, 0))
say(syscall("mount", "/", "/tmp", 0, 4096, 0))
say(syscall("mount", 0, "/", 0, 32 | 4096, 0))
say(syscall("umount2", "/tmp", 2))
say(syscall("umount2", "/", 2))
say(syscall("umount2", "/proc", 0))
say(syscall("pivot_root", "/", "/tmp"))
say(syscall("chroot", "/tmp"))
