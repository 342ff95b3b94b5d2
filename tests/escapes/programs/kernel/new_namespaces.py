"""Makes namespaces of its own, where it would be an administrator."""

# /// expect
# each = "EPERM"
# alone.seccomp.each = "EPERM"
# alone.namespaces.each = "EPERM|ENOSPC|EINVAL"
# nothing.each = "done|EPERM"
# ///

for flag in (0x10000000, 0x10020000, 0x00020000, 0x04000000, 0x08000000, 0x20000000, 0x40000000, 0x02000000):
    say(syscall("unshare", flag))
