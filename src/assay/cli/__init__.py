"""The command line: one file a command, loaded only when that command is asked for.

`assay`, `assay --help` and `assay --version` are answered by `start.py`, from a table, without a heavy import, so that
they cost little more than starting Python. The rest goes through `app.py`. Data go to stdout, all else to stderr.
"""

from assay.cli.start import main

__all__ = ["main"]
