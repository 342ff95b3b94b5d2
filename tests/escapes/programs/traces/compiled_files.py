"""Writes compiled files beside the library, so that the next sample would run them."""

# /// expect
# each = "EROFS|EACCES|ENOENT|EPERM|FileNotFoundError"
# ///

import os
import py_compile

folder = os.path.dirname(os.__file__)
for name in (f"{folder}/__pycache__/os.cpython-311.pyc", f"{folder}/__pycache__/mine.pyc", f"{folder}/sitecustomize.py", f"{folder}/usercustomize.py"):
    say(attempt(lambda: open(name, "wb")))
say(attempt(lambda: py_compile.compile(os.__file__, doraise=True)))
