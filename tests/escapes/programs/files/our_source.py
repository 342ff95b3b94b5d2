"""Reads assay's own source, and imports it."""

# /// expect
# each = "ENOENT|EACCES|ModuleNotFoundError"
# ///

import os
import sys

source = there["source"]
for path in (source, f"{source}/errors.py", f"{source}/judge/session.py", f"{source}/sandbox/inside/linux.py", f"{source}/guest/agent.py"):
    say(attempt(lambda: open(path)))
sys.path[:0] = [source, os.path.dirname(source), f"{source}/sandbox/inside", f"{source}/guest"]
sys.path_importer_cache.clear()
for name in ("assay", "assay.judge", "linux", "agent", "codec", "msgspec", "pip"):
    say(attempt(lambda: __import__(name)))
