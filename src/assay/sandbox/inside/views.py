"""A slot's own files: a mount namespace per slot, kept for the server's life, with its own /tmp and /dev/shm.

A sample enters its slot's namespace with one `setns`, so that two samples of one server run at the same time and see nothing of each
other, at no mount or teardown a sample. All that a slot can write lies on one small tmpfs, whose count of inodes tells in one call
whether there is anything to wipe. Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import os
import stat

from assay.sandbox.inside import linux

_FLAGS = linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC
_INODES = 4096
_WRITABLE = ("tmp", "shm")
COVERING = ("/tmp", "/dev/shm")
"""Where a slot's own directories lie, over whatever is there: an interpreter or a package from below them is bound into them again."""


class View:
    """One slot's files. `enter` holds the calls by which a child, while it has capabilities, moves there; the rest measures and wipes."""

    def __init__(self, slot: int, disk_mib: int, *, same_uid: bool, covered: list[str] | tuple[()] = ()) -> None:
        self.place = f"/slots/{slot}"
        self.writable = [f"{self.place}/{name}" for name in _WRITABLE]
        self._disk_mib = disk_mib
        self._same_uid = same_uid  # then a sample owns its /tmp, and may have changed its mode
        linux.mount("tmpfs", self.place, "tmpfs", _FLAGS, self._options())
        for path in self.writable:
            os.mkdir(path)
            os.chmod(path, 0o1777)  # noqa: S103 (as /tmp is everywhere; the slot's own)
        self._covered = [(path, place) for path in covered for place in self._places(path)]
        for path, place in self._covered:
            make_place(path, place)
        self._kept = [set(os.listdir(path)) for path in self.writable]
        self._directories = [os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC) for path in self.writable]
        self._inodes_when_empty = self._inodes()
        self.enter = (linux.prepare("setns", self._make_namespace(), linux.NEWNS), linux.prepare("chdir", b"/tmp"))

    def resize(self, disk_mib: int) -> None:
        """Gives the slot another size, where it differs."""
        if disk_mib != self._disk_mib:
            self._disk_mib = disk_mib
            linux.mount(None, self.place, None, linux.MS_REMOUNT | _FLAGS, self._options())

    def wipe(self) -> None:
        """Removes what the last sample left. Nobody else may be in the slot."""
        if self._same_uid:
            for fd in self._directories:
                os.fchmod(fd, 0o1777)
        if self._inodes() != self._inodes_when_empty:
            for fd, kept in zip(self._directories, self._kept):
                empty_directory(fd, kept)

    def _options(self) -> str:
        return f"size={self._disk_mib}m,nr_inodes={_INODES},mode=755"

    def _inodes(self) -> int:
        facts = os.fstatvfs(self._directories[0])
        return facts.f_files - facts.f_ffree

    def _places(self, path: str) -> list[str]:
        """Where a path that the slot's own /tmp or /dev/shm covers is to be seen again."""
        return [
            own + path[len(target) :] for own, target in zip(self.writable, COVERING) if path.startswith(target + "/")
        ]

    def _make_namespace(self) -> int:
        home = os.open("/proc/self/ns/mnt", os.O_RDONLY | os.O_CLOEXEC)
        linux.unshare(linux.NEWNS)
        fd = os.open("/proc/self/ns/mnt", os.O_RDONLY | os.O_CLOEXEC)
        for path, place in self._covered:
            linux.mount(path, place, None, linux.MS_BIND | linux.MS_REC)
        for source, target in zip(self.writable, COVERING):
            linux.mount(source, target, None, linux.MS_BIND | linux.MS_REC)
        for hidden in ("/slots", "/proc"):
            linux.mount("tmpfs", hidden, "tmpfs", _FLAGS | linux.MS_RDONLY, "size=4k,mode=755")
        linux.setns(home, linux.NEWNS)
        os.close(home)
        return fd


def make_place(path: str, place: str) -> None:
    """Makes an empty directory or file at `place`, on which `path` can be bound."""
    os.makedirs(os.path.dirname(place) if os.path.isfile(path) else place, mode=0o755, exist_ok=True)
    if os.path.isfile(path):
        os.close(os.open(place, os.O_CREAT | os.O_RDONLY, 0o644))


def empty_directory(top: int, kept: set[str] | tuple[()] = ()) -> None:
    """Removes everything in the open directory but what is to be kept; follows no link; a tree of any depth costs two descriptors.

    What lies in a sub-directory is moved to the top first, so that nothing is ever walked.
    """
    names = set(os.listdir(top)).difference(kept)
    while names:
        for name in names:
            if _is_directory(name, top):
                _dissolve(name, top)
            else:
                os.unlink(name, dir_fd=top)
        names = set(os.listdir(top)).difference(kept)


def _dissolve(name: str, top: int) -> None:
    """Removes one directory, moving its own directories to the top under new names."""
    os.chmod(name, 0o700, dir_fd=top)
    inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=top)
    try:
        for entry in os.listdir(inner):
            if _is_directory(entry, inner):
                os.chmod(entry, 0o700, dir_fd=inner)
                os.rename(entry, f".moved-{os.urandom(8).hex()}", src_dir_fd=inner, dst_dir_fd=top)
            else:
                os.unlink(entry, dir_fd=inner)
    finally:
        os.close(inner)
    os.rmdir(name, dir_fd=top)


def _is_directory(name: str, fd: int) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=fd, follow_symlinks=False).st_mode)
