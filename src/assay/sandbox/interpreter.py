"""Which interpreter a server runs on, and where it has the packages that are preloaded."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

from assay.errors import SettingsError

_NO_BYTE_CODE = ("-B",) if sys.dont_write_bytecode else ()
_PLACE = () if sys.pycache_prefix is None else ("-X", f"pycache_prefix={sys.pycache_prefix}")
FLAGS = ("-S", "-s", *_NO_BYTE_CODE, *_PLACE, "-X", "utf8")
"""No site packages, no user's packages, byte code where this process would write its own, UTF-8. Not -I: that would ignore PYTHONHASHSEED.

Without byte code a server takes twice as long to start, and much of its code nobody else imports.
"""

_FIND = """
import importlib.util, json, os, sys
specs = [importlib.util.find_spec(name) for name in sys.argv[1:]]
print(json.dumps([spec and os.path.dirname((spec.submodule_search_locations or [spec.origin])[0]) for spec in specs]))
"""


def real_interpreter() -> str:
    """This process's interpreter itself, not the link in a virtual environment that stands for it."""
    return str(Path(sys.executable).resolve())


def find_sites(python: str, preload: tuple[str, ...]) -> list[str]:
    """The directories that hold the packages, as the interpreter finds them.

    Raises:
        SettingsError: The interpreter has no package of that name.
    """
    if not preload:
        return []
    found = _own_sites(preload) if python == real_interpreter() else _foreign_sites(python, preload)
    for name, site in zip(preload, found, strict=True):
        if site is None:
            raise SettingsError(f"{python} has no package {name!r}", hint=f"install it there, or leave {name} out")
    return sorted({os.path.realpath(site) for site in found if site})


def _own_sites(preload: tuple[str, ...]) -> list[str | None]:
    sites: list[str | None] = []
    for name in preload:
        spec = importlib.util.find_spec(name)
        places = None if spec is None else spec.submodule_search_locations or [spec.origin or ""]
        sites.append(None if places is None else str(Path(next(iter(places))).parent))
    return sites


def _foreign_sites(python: str, preload: tuple[str, ...]) -> list[str | None]:
    answer = subprocess.run([python, "-c", _FIND, *preload], capture_output=True, text=True, check=False)  # noqa: S603 (the user's own interpreter)
    if answer.returncode:
        raise SettingsError(f"{python} can't be asked for its packages: {answer.stderr.strip()}")
    sites: list[str | None] = json.loads(answer.stdout)
    return sites
