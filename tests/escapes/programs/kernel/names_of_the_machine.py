"""Renames the machine, reads its log, switches it off."""

# /// expect
# each = "EPERM"
# ///

say(syscall("sethostname", "mine", 4))
say(syscall("setdomainname", "mine", 4))
say(syscall("syslog", 3, 0, 0))
say(syscall("reboot", 0, 0, 0, 0))
say(syscall("vhangup"))
say(syscall("acct", "/tmp/acct"))
say(syscall("swapon", "/tmp/swap", 0))
say(syscall("swapoff", "/tmp/swap"))
say(syscall("quotactl", 0, 0, 0, 0))
