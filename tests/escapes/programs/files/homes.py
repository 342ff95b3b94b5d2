"""Lists what belongs to people."""

# /// expect
# each = "ENOENT|EACCES"
# ///

import os

for path in ("/root", "/home", "/srv", "/opt", "/var", "/mnt", "/run", "/boot", there["folder"]):
    say(attempt(lambda: os.listdir(path)))
