"""What a sample may read: the system's libraries, the standard library, the preloaded packages. Never assay, data sets or homes.

Computed once, from the interpreter that is running and what it has imported, before any door closes. The same list is bound into the
jail's root (namespaces) or allowed by Landlock (without). Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import glob
import os
import struct
import sys
from typing import NamedTuple

_LIBRARIES = ("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/share/zoneinfo")
_PACKAGES = ("site-packages", "dist-packages")
_LOADER = 3  # PT_INTERP
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


class Layout(NamedTuple):
    """Absolute paths: directories and files that are shown, places in them that are hidden, packages shown inside the hidden places.

    `started` are the files among them that a sample may start: the interpreter, and the loader that the kernel starts it with.
    """

    shown: tuple[str, ...]
    hidden: tuple[str, ...]
    packages: tuple[str, ...]
    started: tuple[str, ...]


def layout(sites: list[str]) -> Layout:
    """The layout for this interpreter; `sites` are the directories that preloaded packages came from."""
    standard = [os.path.realpath(entry) for entry in sys.path if os.path.isdir(entry) and entry not in sites]
    directories = _outermost([path for path in (*_LIBRARIES, *standard) if os.path.lexists(path)])
    loaded = [path for path in _mapped_files() if not _inside(path, directories) and not _inside(path, sites)]
    started = _started(os.path.realpath(sys.executable))
    programs = [path for path in started if not _inside(path, directories)]
    return Layout(tuple(directories + loaded + programs), tuple(_hidden(directories)), tuple(_packages(sites)), started)


def _started(program: str) -> tuple[str, ...]:
    """The program, and the loader that its ELF header names; a static one has none."""
    with open(program, "rb") as file:
        start = file.read(64)
        if start[:5] != b"\x7fELF\x02":
            return (program,)
        table, size, count = struct.unpack_from("<Q", start, 32)[0], *struct.unpack_from("<HH", start, 54)
        file.seek(table)
        headers = [struct.unpack_from("<II5Q", file.read(size)) for _ in range(count)]
        loaders = [header for header in headers if header[0] == _LOADER]
        if not loaders:
            return (program,)
        file.seek(loaders[0][2])
        return program, os.fsdecode(file.read(loaders[0][5]).rstrip(b"\0"))


def readable(paths: Layout) -> tuple[list[str], list[str]]:
    """The same for Landlock, which can't hide: `(whole, listed)`, trees to read and directories whose names only may be listed."""
    whole: list[str] = list(paths.packages)
    listed: list[str] = []
    for path in paths.shown:
        _divide(path, paths.hidden, whole, listed)
    return whole, listed


def _divide(path: str, hidden: tuple[str, ...], whole: list[str], listed: list[str]) -> None:
    real = os.path.realpath(path)
    if real in hidden:
        return
    if not any(place.startswith(real + "/") for place in hidden):
        whole.append(real)
        return
    listed.append(real)
    for entry in os.scandir(real):
        if not entry.is_symlink():
            _divide(entry.path, hidden, whole, listed)


def _mapped_files() -> list[str]:
    """Shared libraries that this process has mapped, such as a libpython beside its interpreter."""
    with open("/proc/self/maps") as maps:
        paths = {line.split(maxsplit=5)[5].strip() for line in maps if "/" in line}
    return sorted(path for path in paths if ".so" in os.path.basename(path) and os.path.isfile(path))


def _hidden(directories: list[str]) -> list[str]:
    found = []
    for directory in directories:
        for name in _PACKAGES:
            found += glob.glob(f"{directory}/{name}") + glob.glob(f"{directory}/python*/{name}")
    return sorted({os.path.realpath(path) for path in found})


def _packages(sites: list[str]) -> list[str]:
    """What has been imported from `sites`: their top entries, and the folders of libraries (`numpy.libs`) beside them."""
    tops = set()
    for module in list(sys.modules.values()):
        path = getattr(module, "__file__", None) or ""
        for site in sites:
            if path.startswith(site + "/"):
                tops.add(os.path.join(site, path[len(site) + 1 :].split("/")[0]))
    libraries = {top + ".libs" for top in tops if os.path.isdir(top + ".libs")}
    return sorted(tops | libraries)


def _inside(path: str, directories: list[str]) -> bool:
    real = os.path.realpath(path)
    return any(real.startswith(os.path.realpath(directory) + "/") for directory in directories)


def _outermost(paths: list[str]) -> list[str]:
    """The paths without those that lie in another one; a symbolic link stays, to be made anew."""
    kept: list[str] = []
    for path in sorted(set(paths), key=len):
        if os.path.islink(path) or not any(
            (path + "/").startswith(other + "/") for other in kept if not os.path.islink(other)
        ):
            kept.append(path)
    return kept
