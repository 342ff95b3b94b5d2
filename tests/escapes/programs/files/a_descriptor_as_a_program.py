"""Starts a program that has no name, and one that is the loader's argument."""

# /// expect
# each = "EPERM|EACCES|ENOENT|failed"
# ///

import os
import subprocess
import sys

say(syscall("execveat", 0, "", 0, 0, 0x1000))
say(syscall("memfd_create", "program", 0))
for loader in ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"):
    for program in ("/bin/sh", "/usr/bin/env"):
        ended = []
        outcome = attempt(lambda: ended.append(subprocess.run([loader, program, "-c", "exit 77"], capture_output=True).returncode))
        say("failed" if ended and ended != [77] else outcome)
