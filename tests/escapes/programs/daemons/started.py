"""Leaves interpreters behind that it started anew."""

# /// expect
# says = ["up"]
# L2.says = []
# L2.ends = "exit 1"
# ///

import subprocess
import sys

one = subprocess.Popen([sys.executable, "-c", "import time; print('up', flush=True); time.sleep(60)"], stdout=subprocess.PIPE, start_new_session=True)
say(one.stdout.read(2).decode())
