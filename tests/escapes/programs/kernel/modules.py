"""Loads code into the kernel."""

# /// expect
# each = "EPERM"
# ///

say(syscall("init_module", 0, 0, ""))
say(syscall("finit_module", 0, "", 0))
say(syscall("delete_module", "m", 0))
say(syscall("kexec_load", 0, 0, 0, 0))
say(syscall("kexec_file_load", 0, 0, 0, 0, 0))
