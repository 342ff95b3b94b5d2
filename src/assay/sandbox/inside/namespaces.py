"""The rungs of the ladder that have namespaces, and how the server's process gets into them.

    two uids   root: the server and each slot have a host uid of their own, none of them root           L4
    one uid    anyone who may make user namespaces: the caller's own uid inside, without capabilities    L3
    none       neither: Landlock and seccomp alone (seccomp then denies processes altogether)            L2

The mount namespace and the root are made first, by the process that then clones the server: as root because only root may read what lies
below a home directory, as a user because the user namespace must come before the mounts. Runs inside the server process: standard library
only, CPython >= 3.9.
"""

from __future__ import annotations

import os
import socket

from assay.sandbox.inside import linux
from assay.sandbox.inside.clone import clone
from assay.sandbox.inside.layout import Layout
from assay.sandbox.inside.root import SAMPLE_UID, enter_root

TWO_UIDS, ONE_UID, NONE = "two uids", "one uid", "none"
_HOST_UIDS = {"agent": 200_000, "judge": 300_000}
_BLOCKS, _UIDS_A_BLOCK = 1500, 64

_CLONE_FILES = 0x400

UNPRIVILEGED_UID = 64_998
"""Whom root becomes where there are no two uids: nobody's, and not the `nobody` that other services share."""

_ISOLATED = linux.NEWPID | linux.NEWIPC | linux.NEWUTS | linux.NEWNET | linux.NEWCGROUP | linux.NEWNS


def enter_files(rung: str, paths: Layout, slots: int) -> None:
    """Gives this process its own mount namespace and the jail's root; on the rung of one uid its user namespace before."""
    if rung == ONE_UID:
        uid, gid = os.geteuid(), os.getegid()
        linux.prctl(linux.PR_SET_DUMPABLE, 1)  # a process that changed its uid may not write its own maps otherwise
        linux.unshare(linux.NEWUSER | linux.NEWNS)
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{SAMPLE_UID} {uid} 1")
        _write("/proc/self/gid_map", f"{SAMPLE_UID} {gid} 1")
    else:
        linux.unshare(linux.NEWNS)
    enter_root(paths, slots)


def clone_server(rung: str, role: str, slots: int) -> tuple[int, int]:
    """Clones the server as pid 1 of new namespaces: `(pid, pidfd)` in the parent, `(0, -1)` in the server."""
    ours, theirs = socket.socketpair()
    pid, pidfd = clone(_ISOLATED | (linux.NEWUSER if rung == TWO_UIDS else 0))
    if pid == 0:
        ours.close()
        _await_maps(theirs)
        _finish(rung)
        return 0, -1
    theirs.close()
    if rung == TWO_UIDS:
        _write_maps(pid, first_host_uid(role), slots)
    ours.send(b"m")
    ours.close()
    return pid, pidfd


def first_host_uid(role: str) -> int:
    """The host uid of the server's own; + 1 + slot is that of a slot.

    Launchers take different blocks by their pid, because a kernel before 5.14 counts the processes of a uid over all jails.
    """
    return _HOST_UIDS[role] + os.getpid() % _BLOCKS * _UIDS_A_BLOCK


def _write_maps(pid: int, first: int, slots: int) -> None:
    lines = [f"0 {first} 1", f"{SAMPLE_UID} {first + 1} {slots}"]
    for name in ("uid_map", "gid_map"):
        _write(f"/proc/{pid}/{name}", "\n".join(lines) + "\n")


def _await_maps(end: socket.socket) -> None:
    if end.recv(1) != b"m":
        raise OSError(3, "the parent ended before the uid map was written")
    end.close()


def _finish(rung: str) -> None:
    """What only the server can do, inside: its uid, its own /proc, its host name."""
    if rung == TWO_UIDS:
        os.setgroups([])
        os.setresgid(0, 0, 0)
        os.setresuid(0, 0, 0)
    linux.mount("proc", "/proc", "proc", linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC)
    socket.sethostname("sandbox")


def make_users() -> int:
    """Descriptor of a user namespace for one slot's children, where all slots have one uid: the kernel counts processes for each namespace
    by itself, so that a slot that has all that it may have leaves the others theirs. It gives no right to anything.
    """
    ready, made = os.pipe2(os.O_CLOEXEC)
    pid, pidfd = clone(linux.NEWUSER | _CLONE_FILES)
    if pid == 0:
        _map_into(made)
    number = os.read(ready, 16)
    for fd in (ready, made, pidfd):
        os.close(fd)
    os.waitpid(pid, 0)
    if not number.isdigit():
        raise OSError(1, f"a user namespace for a slot: {number.decode()}")
    return int(number)


def _map_into(made: int) -> None:
    """Maps the one uid to itself in this process's new user namespace, tells its descriptor, which the maker shares, and ends."""
    try:
        linux.prctl(linux.PR_SET_DUMPABLE, 1)  # or its own maps would not be its own
        _write("/proc/self/setgroups", "deny")
        for name in ("uid_map", "gid_map"):
            _write(f"/proc/self/{name}", f"{SAMPLE_UID} {SAMPLE_UID} 1")
        os.write(made, str(os.open("/proc/self/ns/user", os.O_RDONLY | os.O_CLOEXEC)).encode())
    except OSError as error:
        os.write(made, os.strerror(error.errno or 1)[:16].encode())
    finally:
        os._exit(0)


def deny_more_users() -> None:
    """No user namespace can be made below the server's from now on."""
    _write("/proc/sys/user/max_user_namespaces", "0")


def become_unprivileged(readable: str) -> bool:
    """Root becomes the unprivileged uid if one can read `readable`, the standard library; else it gives its capabilities up."""
    child = os.fork()
    if child == 0:
        try:
            _drop_uid()
            os._exit(0 if os.access(readable, os.R_OK | os.X_OK) else 1)
        finally:  # root of a user namespace may have no other uid; an error must not leave a second launcher behind
            os._exit(1)
    could_read = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    if could_read:
        _drop_uid()
    return could_read


def _drop_uid() -> None:
    os.setgroups([])
    os.setresgid(UNPRIVILEGED_UID, UNPRIVILEGED_UID, UNPRIVILEGED_UID)
    os.setresuid(UNPRIVILEGED_UID, UNPRIVILEGED_UID, UNPRIVILEGED_UID)


def _write(path: str, text: str) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)
