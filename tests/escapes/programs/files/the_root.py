"""Lists the root: it shows the jail's own few names, or nothing."""

# /// expect
# each = "only its own|EACCES"
# ///

import os

own = {"tmp", "proc", "dev", "etc", "slots", "lib", "lib32", "lib64", "usr", "bin", "root", "home"}
shown = []
outcome = attempt(lambda: shown.extend(os.listdir("/")))
say(outcome if outcome != "done" else "only its own" if there["jailed"] and len(shown) <= len(own) else shown)
