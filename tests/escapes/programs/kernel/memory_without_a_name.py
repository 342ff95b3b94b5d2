"""Makes files that count in no folder."""

# /// expect
# each = "EPERM"
# alone.seccomp.each = "EPERM"
# nothing.each = "done|EINVAL|ENOMEM|ENOSYS"
# ///

say(syscall("memfd_create", "m", 0))
say(syscall("memfd_create", "m", 4))
say(syscall("memfd_secret", 0))
