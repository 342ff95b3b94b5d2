"""Starts interpreters that start interpreters."""

# /// expect
# ends = "processes|cpu"
# limits = { time_s = 2, cpu_s = 0.3, processes = 6 }
# slow = true
# ///

import subprocess
import sys

again = "import subprocess, sys\nwhile True:\n  try: subprocess.Popen([sys.executable, '-c', sys.argv[1], sys.argv[1]])\n  except OSError: pass"
while True:
    attempt(lambda: subprocess.Popen([sys.executable, "-c", again, again]))
