"""Makes device files in its own folder, and opens them."""

# /// expect
# each = "EPERM|EACCES"
# ///

import os
import stat

for kind, major, minor in ((stat.S_IFCHR, 1, 1), (stat.S_IFBLK, 8, 0), (stat.S_IFCHR, 5, 0), (stat.S_IFCHR, 10, 229)):
    say(attempt(lambda: os.mknod(f"/tmp/{major}-{minor}", 0o600 | kind, os.makedev(major, minor))))
