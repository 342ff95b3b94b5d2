"""The jail's root: a small tmpfs with the layout bound into it read-only, then made the root of everything.

Keeps true: after `enter_root` nothing of the host's file system can be named but what the layout shows; the root is read-only; the only
writable places are the slots' (views.py). Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import os

from assay.sandbox.inside import linux
from assay.sandbox.inside.layout import DEVICES, Layout

SAMPLE_UID = 1000
"""Uid that a sample sees itself under, for slot 0; slot n has this + n where there are two uids or more."""

_STREAMS = {
    "/dev/stdin": "/dev/shm/.stdin",
    "/dev/stdout": "/dev/shm/.stdout",
    "/dev/fd/0": "../stdin",
    "/dev/fd/1": "../stdout",
}
"""Names of a program's streams, which elsewhere lead through /proc. Who runs whole programs makes the files (guest/stdio.py)."""

_MOUNT_POINTS = ("/mnt", "/media", "/srv", "/opt", "/home", "/tmp")
_EMPTY = linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC


def enter_root(paths: Layout, slots: int) -> None:
    """Builds the root in this process's own mount namespace and moves into it; the host's tree is gone from view then.

    The host's /proc stays below the jail's own one: the kernel lets a user namespace mount a /proc only where it can see one.
    """
    linux.mount(None, "/", None, linux.MS_REC | linux.MS_PRIVATE)
    root = _mount_point(paths)
    linux.mount("tmpfs", root, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "size=2m,mode=755")
    for path in paths.shown:
        _show(root, path)
    for path in paths.hidden:
        linux.mount("tmpfs", root + path, "tmpfs", _EMPTY, "size=64k,mode=755")
    for path in paths.packages:
        _show(root, path)
    for path in paths.hidden:
        _show_nothing_more(root + path)
    _furnish(root, slots)
    _move_into(root)


def _mount_point(paths: Layout) -> str:
    sources = (*paths.shown, *paths.packages)
    for place in _MOUNT_POINTS:
        if os.path.isdir(place) and not os.path.islink(place) and not any(s.startswith(place + "/") for s in sources):
            return place
    raise OSError(2, f"none of {', '.join(_MOUNT_POINTS)} is a directory to mount the jail's root on")


def _show(root: str, path: str) -> None:
    target = root + path
    os.makedirs(os.path.dirname(target), mode=0o755, exist_ok=True)
    if os.path.islink(path):
        os.symlink(os.readlink(path), target)
        return
    _bind(path, target)
    linux.make_read_only(target)


def _bind(path: str, target: str) -> None:
    if os.path.isdir(path):
        os.makedirs(target, exist_ok=True)
    else:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
    linux.mount(path, target, None, linux.MS_BIND | linux.MS_REC)


def _show_nothing_more(target: str) -> None:
    linux.mount(None, target, None, linux.MS_REMOUNT | linux.MS_BIND | linux.MS_RDONLY | _EMPTY)


def _furnish(root: str, slots: int) -> None:
    for path in ("/tmp", "/proc", "/dev/shm", "/dev/fd", "/etc", *(f"/slots/{slot}" for slot in range(slots))):
        os.makedirs(root + path, mode=0o755, exist_ok=True)
    for path in DEVICES:
        if os.path.exists(path):
            _bind(path, root + path)
            linux.make_read_only(root + path, devices=True)  # or a sample could change the times of the host's own
    for path, target in _STREAMS.items():
        os.symlink(target, root + path)
    linux.mount("/proc", root + "/proc", None, linux.MS_BIND | linux.MS_REC)
    with open(root + "/etc/passwd", "w") as passwd:
        passwd.writelines(f"sample{n}:x:{SAMPLE_UID + n}:{SAMPLE_UID + n}::/tmp:/bin/false\n" for n in range(slots))


def _move_into(root: str) -> None:
    old = root + "/old"
    os.mkdir(old)
    os.chdir(root)
    linux.pivot_root(".", "old")
    linux.unmount("/old")
    os.rmdir("/old")
    os.chdir("/")
    linux.mount(None, "/", None, linux.MS_BIND | linux.MS_REMOUNT | linux.MS_RDONLY | linux.MS_NOSUID | linux.MS_NODEV)
