"""The file that a fork server's interpreter is started with: finds its siblings without running any `__init__` of assay's.

`python -S -s boot.py SETTINGS`, or `probe` in the place of settings. The packages are registered bare, because their own `__init__` files
import what only the engine's interpreter has. The script's folder leaves the path, so that no file here stands in for a standard module.
Standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import os
import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.sandbox.inside.zygote import Zygote


def main() -> Zygote | None:
    """Registers the packages and runs the launcher (or the doctor's probe). Returns in the doctor's, and in the zygote."""
    inside = os.path.dirname(os.path.realpath(__file__))
    sandbox = os.path.dirname(inside)
    package = os.path.dirname(sandbox)
    sys.path[:] = [entry for entry in sys.path if os.path.realpath(entry or ".") != inside]
    for name, directory in (
        ("assay", package),
        ("assay.sandbox", sandbox),
        ("assay.judge", os.path.join(package, "judge")),
    ):
        module = ModuleType(name)
        module.__path__ = [directory]
        sys.modules[name] = module
    from assay.sandbox.inside import pages  # noqa: PLC0415 (only now can it be found)

    gathering = pages.Gathering()  # before what takes most memory
    from assay.sandbox.inside import launcher  # noqa: PLC0415 (the same)

    argument = sys.argv[1]
    sys.argv[:] = [
        "solution.py"
    ]  # what samples see; an empty name would lie in / for a program that looks for its own folder
    os.environ.pop("LD_BIND_NOW", None)  # the loader has read it at its start and keeps to it
    if argument == "probe":
        launcher.probe()
        return None
    return launcher.main(argument, gathering)


if __name__ == "__main__":
    zygote = main()
    if zygote is not None:
        zygote.run()  # from here, so that a sample has nearly the whole stack
