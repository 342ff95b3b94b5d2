"""Starts the interpreter anew, which has none of this process's confinement in memory: it has it in the kernel."""

# /// expect
# each = "ENOENT|EACCES|EPERM|EROFS|ENETUNREACH|EAFNOSUPPORT|MemoryError"
# ///

import subprocess
import sys

inner = f"""
import errno, os, socket
def attempt(do):
    try: do()
    except OSError as error: print(errno.errorcode[error.errno])
    except Exception as error: print(type(error).__name__)
    else: print('done')
for path in ({there["secret"]!r}, '/etc/shadow', '/proc/1/environ', {there["source"] + "/errors.py"!r}): attempt(lambda: open(path))
attempt(lambda: open('/x', 'w')); attempt(lambda: socket.socket(socket.AF_NETLINK)); attempt(lambda: os.setuid(0))
attempt(lambda: os.execv('/bin/sh', ['sh'])); attempt(lambda: socket.create_connection(('127.0.0.1', {there["tcp"]})))
attempt(lambda: os.utime('/dev/null')); attempt(lambda: os.kill({there["engine"]}, 0) if os.getpid() < 1 else os.chown('/dev/null', 1, 1))
attempt(lambda: bytearray(1 << 46))
"""
try:
    done = subprocess.run([sys.executable, "-I", "-S", "-c", inner], capture_output=True, text=True)
except OSError:
    say("EPERM")
else:
    for word in done.stdout.split() or [done.stderr]:
        say(word)
