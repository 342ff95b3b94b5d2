"""Landlock: which files a sample may open, which ports and processes it may reach. Built once a slot, put on by each child.

Works with every version of the interface from 1 on; a version handles what it knows of: 1 files, 2 renames across directories,
3 truncation, 4 TCP, 5 device ioctls, 6 abstract sockets and signals. The right to execute is given for single files only.

Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import ctypes
import os
import struct

from assay.sandbox.inside import linux

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446  # the same numbers on every architecture
READ_FILE, READ_DIR = 1 << 2, 1 << 3
WRITE_FILE, TRUNCATE = 1 << 1, 1 << 14
_EXECUTE, _MAKE_CHAR, _MAKE_SOCK, _MAKE_BLOCK, _IOCTL_DEV = 1, 1 << 6, 1 << 9, 1 << 11, 1 << 15
_NEVER = _EXECUTE | _MAKE_CHAR | _MAKE_SOCK | _MAKE_BLOCK | _IOCTL_DEV
_FILE_RIGHTS = READ_FILE | WRITE_FILE | TRUNCATE | _EXECUTE

_syscall = ctypes.CDLL(None, use_errno=True).syscall
_syscall.restype = ctypes.c_long


def version() -> int:
    """Version of the kernel's Landlock interface, 0 where there is none."""
    return max(0, int(_syscall(ctypes.c_long(_CREATE), None, ctypes.c_size_t(0), ctypes.c_uint(1))))


def ruleset(readable: list[str], writable: list[str], listed: list[str], started: tuple[str, ...] = ()) -> int:
    """Descriptor of a ruleset.

    It allows reading below `readable`, listing names below `listed`, all but devices, sockets and exec below `writable`, and to start
    the files `started`.
    """
    abi = version()
    handled = _handled(abi)
    fd = linux.check(_create(abi, handled), "landlock_create_ruleset")
    for path in readable:
        _allow(fd, path, handled & (READ_FILE | READ_DIR))
    for path in listed:
        _allow(fd, path, handled & READ_DIR)
    for path in writable:
        _allow(fd, path, handled & ~_NEVER)
    for path in started:
        _allow(fd, path, handled & (READ_FILE | _EXECUTE))
    return fd


def restrict(fd: int) -> None:
    """Puts the ruleset on this process and all that it will start; needs no_new_privs. Nothing takes it off again."""
    linux.check(_syscall(ctypes.c_long(_RESTRICT), ctypes.c_int(fd), ctypes.c_uint(0)), "landlock_restrict_self")


def call_restrict(fd: int) -> linux.Call:
    """`restrict`, made ready for a child."""
    return (_RESTRICT, fd, 0)


def _handled(abi: int) -> int:
    last_right = 13 + (abi >= 2) + (abi >= 3) + (abi >= 5)
    return (1 << last_right) - 1


def _create(abi: int, handled: int) -> int:
    both = 3  # bind and connect; abstract sockets and signals
    fields = struct.pack("QQQ", handled, both if abi >= 4 else 0, both if abi >= 6 else 0)
    size_bytes = 24 if abi >= 6 else 16 if abi >= 4 else 8
    return int(_syscall(ctypes.c_long(_CREATE), fields, ctypes.c_size_t(size_bytes), ctypes.c_uint(0)))


def _allow(ruleset_fd: int, path: str, rights: int) -> None:
    target = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rights = rights if os.path.isdir(path) else rights & _FILE_RIGHTS
        rule = struct.pack("=Qi", rights, target)
        result = _syscall(ctypes.c_long(_ADD_RULE), ruleset_fd, ctypes.c_int(1), rule, ctypes.c_uint(0))
        linux.check(result, f"landlock_add_rule {path}")
    finally:
        os.close(target)
