"""Has another interpreter take the memory."""

# /// expect
# ends = "memory"
# limits = { memory_mib = 48, time_s = 10 }
# L2.ends = "exit 0"
# L2.says = ["EPERM|EACCES"]
# ///

import subprocess
import sys

greedy = "kept = []\nwhile True: kept.append(bytearray(1 << 18))"
say(attempt(lambda: subprocess.run([sys.executable, "-I", "-S", "-c", greedy])))
