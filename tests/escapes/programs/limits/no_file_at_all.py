"""Cuts itself off from everything, and ends well: no verdict comes of that here."""

# /// expect
# says = []
# ends = "exit 0"
# ///

import os

os.closerange(0, 256)
os._exit(0)
