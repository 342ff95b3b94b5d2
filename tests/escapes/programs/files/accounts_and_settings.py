"""Reads accounts, host name, machine identity and settings."""

# /// expect
# each = "ENOENT|EACCES"
# ///

for path in ("/etc/shadow", "/etc/hostname", "/etc/hosts", "/etc/machine-id", "/etc/resolv.conf", "/etc/ssh", "/boot", "/var/log/syslog"):
    say(attempt(lambda: open(path)))
