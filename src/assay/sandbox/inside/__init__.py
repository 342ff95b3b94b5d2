"""What runs inside the server process: the jail, the fork server and its children.

These files are loaded by `boot.py` in a clean interpreter of the user's choice, so they use the standard library only and run on
CPython >= 3.9. They import each other and nothing else of assay. The engine's side reads `protocol` and `clockpage` from here; it never
runs the rest in its own process.
"""

from __future__ import annotations

import os

BOOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "boot.py")
"""The file that a server's interpreter is started with."""
